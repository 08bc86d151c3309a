// How the level of one comparison is split between the looks at any time and the exact test of the declared trajectories
// (MATHEMATICS.md D.3).
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

namespace mixlab::verdict {

/// Share of a level that looks have if nothing is said against it.
inline constexpr double usual_share = 0.1;
/// The most declared trajectories for which what looks and exact test do together is counted. Beyond, each has a share of
/// its own: the exact test then lacks one miss at most, which matters less the more there are.
inline constexpr std::int64_t largest_counted = 10000;

struct LevelSplit {
  double level = 0;
  double looks = 1;                  ///< share of the level that is kept for looks; all of it without an exact test
  std::int64_t fewest_violated = 1;  ///< misses among the declared trajectories with which the exact test rejects
                                     ///< "at most delta"; more than there are trajectories: it never does
  std::int64_t most_certified = -1;  ///< with which it rejects "above delta"; -1: it never does

  /// The evidence of a look that decides on its own, whatever comes later.
  double decisive_log_e() const;
};

/// The exact test as if nobody looked, and the largest share for the looks of 0.1, 0.03, ... 0.001 that keeps both
/// together within the level; if there is none, or too much to count, a share of 0.1 and the rest for the exact test.
/// `n_declared` = 0: it is not known, and there is no exact test.
LevelSplit split_level(std::int64_t n_declared, double delta, double level);

/// The splits of a study, each computed once.
class LevelSplits {
 public:
  const LevelSplit& of(std::int64_t n_declared, double delta, double level);

 private:
  std::map<std::tuple<std::int64_t, double, double>, LevelSplit> known_;
};

enum class Claim { violated, certified };
/// What a miss probability of exactly delta has to be called wrongly, at the most: by the exact test, which rejects from
/// `critical` misses on (violated) or up to so many (certified), by a look at any number of the declared trajectories
/// with evidence of `log_e` or more, or by a later one.
double chance_of_claim(Claim claim, std::int64_t n_declared, double delta, std::int64_t critical, double log_e);

}  // namespace mixlab::verdict
