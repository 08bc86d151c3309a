#include "mixlab/verdict/level_split.h"

#include <cmath>
#include <deque>
#include <initializer_list>

#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/eprocess.h"
#include "smallest.h"

namespace mixlab::verdict {
namespace {

/// The number of misses after n trajectories that miss with probability delta each, as long as no look has decided.
class Undecided {
 public:
  Undecided(Claim claim, double delta, double log_e) : claim_(claim), delta_(delta), log_e_(log_e) {}

  /// One trajectory more. `decided(misses, probability)` for every number of misses with which a look decides now.
  template <class Decided>
  void step(const Decided& decided) {
    ++n_;
    probabilities_.push_back(0);
    for (std::size_t i = probabilities_.size(); i-- > 0;)
      probabilities_[i] = (1 - delta_) * probabilities_[i] + (i > 0 ? delta_ * probabilities_[i - 1] : 0);
    while (!probabilities_.empty() && log_evidence(extreme()) >= log_e_) {
      const std::int64_t misses = extreme();
      decided(misses, claim_ == Claim::violated ? take_most() : take_fewest());
    }
    while (probabilities_.size() > 1 && weakest() < negligible)
      dropped_ += claim_ == Claim::violated ? take_fewest() : take_most();
  }

  template <class Each>
  void for_each(const Each& each) const {
    for (std::size_t i = 0; i < probabilities_.size(); ++i)
      each(fewest_ + static_cast<std::int64_t>(i), probabilities_[i]);
  }

  /// Probability of the paths that are no longer followed, far from any evidence.
  double dropped() const { return dropped_; }

  double log_evidence(std::int64_t misses) const {
    return (claim_ == Claim::violated ? log_e_violated : log_e_certified)(misses, n_, delta_);
  }

 private:
  static constexpr double negligible = 1e-40;

  /// The number of misses that is the strongest evidence.
  std::int64_t extreme() const {
    return claim_ == Claim::violated ? fewest_ + static_cast<std::int64_t>(probabilities_.size()) - 1 : fewest_;
  }
  double weakest() const { return claim_ == Claim::violated ? probabilities_.front() : probabilities_.back(); }
  double take_most() {
    const double probability = probabilities_.back();
    probabilities_.pop_back();
    return probability;
  }
  double take_fewest() {
    const double probability = probabilities_.front();
    probabilities_.pop_front();
    ++fewest_;
    return probability;
  }

  Claim claim_;
  double delta_, log_e_;
  double dropped_ = 0;
  std::int64_t n_ = 0, fewest_ = 0;
  std::deque<double> probabilities_ = {1};  ///< of fewest_, fewest_ + 1, ... misses
};

/// The exact test at this level, as if nobody looked.
LevelSplit exact_test(std::int64_t n, double delta, double level) {
  LevelSplit split;
  split.fewest_violated = smallest(n, [&](std::int64_t k) { return upper_tail(k, n, delta) <= level; });
  split.most_certified = smallest(n, [&](std::int64_t k) { return lower_tail(k - 1, n, delta) > level; }) - 2;
  return split;
}

bool keeps_level(const LevelSplit& split, std::int64_t n, double delta) {
  const double log_e = split.decisive_log_e();
  return chance_of_claim(Claim::violated, n, delta, split.fewest_violated, log_e) <= split.level &&
         chance_of_claim(Claim::certified, n, delta, split.most_certified, log_e) <= split.level;
}

}  // namespace

double LevelSplit::decisive_log_e() const {
  return -std::log(looks * level);
}

// P(exact test rejects) + P(it does not, but a look does) + P(neither, but a later look does): the last is at most the
// mean of E_n/x over the paths that are left, as E is a supermartingale (Ville).
double chance_of_claim(Claim claim, std::int64_t n_declared, double delta, std::int64_t critical, double log_e) {
  const bool upper = claim == Claim::violated;
  double chance = upper ? upper_tail(critical, n_declared, delta) : lower_tail(critical, n_declared, delta);
  Undecided paths(claim, delta, log_e);
  for (std::int64_t left = n_declared - 1; left >= 0; --left)
    paths.step([&](std::int64_t misses, double probability) {
      chance += probability * (upper ? lower_tail(critical - 1 - misses, left, delta)
                                     : upper_tail(critical + 1 - misses, left, delta));
    });
  paths.for_each([&](std::int64_t misses, double probability) {
    const bool is_rejected = upper ? misses >= critical : misses <= critical;
    if (!is_rejected) chance += probability * std::exp(paths.log_evidence(misses) - log_e);
  });
  return chance + paths.dropped();
}

LevelSplit split_level(std::int64_t n_declared, double delta, double level) {
  LevelSplit split;
  if (n_declared > 0 && n_declared <= largest_counted) {
    split = exact_test(n_declared, delta, level);
    split.level = level;
    for (const double looks : {usual_share, 0.03, 0.01, 0.003, 0.001}) {
      split.looks = looks;
      if (keeps_level(split, n_declared, delta)) return split;
    }
  }
  if (n_declared > 0) {
    split = exact_test(n_declared, delta, (1 - usual_share) * level);
    split.looks = usual_share;
  }
  split.level = level;
  return split;
}

const LevelSplit& LevelSplits::of(std::int64_t n_declared, double delta, double level) {
  const auto key = std::make_tuple(n_declared, delta, level);
  const auto found = known_.find(key);
  return found != known_.end() ? found->second
                               : known_.emplace(key, split_level(n_declared, delta, level)).first->second;
}

}  // namespace mixlab::verdict
