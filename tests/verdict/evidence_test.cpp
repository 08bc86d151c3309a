// The promise of a verdict, kept by simulated studies: sets of known miscoverage, looked at by somebody who wants to see
// a wrong word and goes on until there is one.
#include "mixlab/verdict/evidence.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "mixlab/study/look.h"
#include "mixlab/verdict/binomial.h"
#include "seed.h"
#include "verdict/oracle.h"
#include "verdict/tested_level.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

constexpr std::int64_t first_declared = 200;
/// The looks of a study that grew from 200 trajectories, again and again.
const std::vector<std::int64_t> grown = {64, 128, 200, 256, 300, 400, 512, 700, 1024, 1500, 2048, 3000};

Numbers hybrid_of(const Numbers& a) {
  Evidence evidence;
  evidence.n_declared = whole(a[0]);
  for (std::size_t i = 2; i < a.size(); i += 2) evidence.looks.push_back({whole(a[i]), whole(a[i + 1])});
  const LevelSplit usual{.level = 0, .looks = evidence.n_declared > 0 ? usual_share : 1, .fewest_violated = 1 << 30};
  const PValues p = p_values(evidence, a[1], usual);
  return {p.violated, p.certified};
}

/// Draws of Bin(n, delta) by inversion.
class Misses {
 public:
  explicit Misses(std::int64_t n) {
    for (std::int64_t k = 0; below_.empty() || below_.back() < 1 - 1e-15; ++k)
      below_.push_back(lower_tail(k, n, tested_delta));
  }
  std::int64_t draw(random::Stream& stream) const {
    return std::upper_bound(below_.begin(), below_.end(), random::uniform(stream.next())) - below_.begin();
  }

 private:
  std::vector<double> below_;
};

/// P-values of one look, for every number of misses: that of several looks is the smallest of theirs.
class LookTable {
 public:
  LookTable(std::int64_t n, std::int64_t declared, const LevelSplit& split) {
    for (std::int64_t k = 0; k <= std::min<std::int64_t>(n, n / 10 + 60); ++k) {
      by_misses_.push_back(p_values({{{n, k}}, declared}, tested_delta, split));
      fixed_.push_back({upper_tail(k, n, tested_delta), lower_tail(k, n, tested_delta)});
    }
  }
  const PValues& at(std::int64_t k) const { return by_misses_.at(static_cast<std::size_t>(k)); }
  /// Of an exact binomial test that knows of no other look.
  const PValues& fixed_at(std::int64_t k) const { return fixed_.at(static_cast<std::size_t>(k)); }

 private:
  std::vector<PValues> by_misses_, fixed_;
};

/// How the sets of a study hang together.
enum class Dependence { none, some, total };

struct Errors {
  std::int64_t n_studies = 0;
  std::int64_t ours = 0;     ///< studies with a wrong word at any time
  std::int64_t fixed_n = 0;  ///< with exact tests at fixed n instead, looked at again and again
};

/// Studies of so many pairs, all exactly at delta: every violated of an even pair is wrong, and every certified of an odd
/// one, which is above delta by nothing that could be seen.
Errors simulate(std::int64_t n_pairs, Dependence dependence, std::int64_t declared, std::int64_t n_studies,
                random::Stream stream) {
  std::vector<Misses> steps;
  std::vector<LookTable> tables;
  const double level = tested_alpha / static_cast<double>(n_pairs);
  const LevelSplit split = split_level(declared, tested_delta, level);
  std::int64_t before = 0;
  for (const std::int64_t n : grown) {
    steps.emplace_back(n - before);
    tables.emplace_back(n, declared, split);
    before = n;
  }
  Errors errors{n_studies};
  std::vector<std::int64_t> shared(grown.size());
  for (std::int64_t study = 0; study < n_studies; ++study) {
    for (std::size_t i = 0; i < grown.size(); ++i) shared[i] = steps[i].draw(stream);
    bool wrong = false, fixed_wrong = false;
    for (std::int64_t pair = 0; pair < n_pairs; ++pair) {
      std::int64_t misses = 0;
      for (std::size_t i = 0; i < grown.size(); ++i) {
        const bool same = dependence == Dependence::total || (dependence == Dependence::some && i % 2 == 0);
        misses += same ? shared[i] : steps[i].draw(stream);
        const PValues& p = tables[i].at(misses);
        const PValues& fixed = tables[i].fixed_at(misses);
        wrong |= (pair % 2 == 0 ? p.violated : p.certified) <= level;
        fixed_wrong |= (pair % 2 == 0 ? fixed.violated : fixed.certified) <= level;
      }
    }
    errors.ours += wrong;
    errors.fixed_n += fixed_wrong;
  }
  return errors;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(evidence)

BOOST_AUTO_TEST_CASE(agrees_with_the_oracle) {
  compare_with_oracle("hybrid", hybrid_of);
}

// More wrong studies than a binomial test at 1e-6 allows would show an error. Exact tests at fixed n, each at alpha/M,
// fail it: they are wrong in 20% of the studies.
BOOST_AUTO_TEST_CASE(words_are_right_whenever_somebody_looks) {
  const std::int64_t n_studies = 100000, n_large = std::getenv("MIXLAB_SOAK") ? 100000 : 5000;
  std::uint64_t use = 90;
  for (const std::int64_t declared : {first_declared, std::int64_t{0}})
    for (const std::int64_t n_pairs : {1, 10, 100})
      for (const Dependence dependence : {Dependence::none, Dependence::some, Dependence::total}) {
        if ((n_pairs == 1 || declared == 0) && dependence != Dependence::none) continue;
        const Errors errors =
            simulate(n_pairs, dependence, declared, n_pairs > 10 ? n_large : n_studies, test_stream(use++));
        BOOST_TEST_MESSAGE(n_pairs << " pairs, dependence " << static_cast<int>(dependence) << ", declared " << declared
                                   << ": of " << errors.n_studies << " studies " << errors.ours
                                   << " have a wrong word, " << errors.fixed_n << " with tests at fixed n");
        BOOST_TEST(upper_tail(errors.ours, errors.n_studies, tested_alpha) > 1e-6);
        if (dependence == Dependence::none && n_pairs <= 10)
          BOOST_TEST(upper_tail(errors.fixed_n, errors.n_studies, tested_alpha) < 1e-6);  // the test can fail
      }
}

BOOST_AUTO_TEST_CASE(p_value_of_several_looks_is_the_smallest_of_each) {
  random::Stream stream = test_stream(89);
  LevelSplits splits;
  for (int i = 0; i < 200; ++i) {
    const double mu = uniform_in(stream, 0, 0.12);
    Evidence evidence;
    evidence.n_declared = i % 3 == 0 ? 0 : 200;
    const LevelSplit& split = splits.of(evidence.n_declared, tested_delta, tested_alpha);
    PValues smallest;
    Look look;
    for (const std::int64_t n : grown) {
      for (; look.n < n; ++look.n) look.misses += random::uniform(stream.next()) < mu;
      evidence.looks.push_back(look);
      const PValues alone = p_values({{look}, evidence.n_declared}, tested_delta, split);
      smallest.violated = std::min(smallest.violated, alone.violated);
      smallest.certified = std::min(smallest.certified, alone.certified);
      const PValues all = p_values(evidence, tested_delta, split);
      BOOST_TEST(all.violated == smallest.violated);
      BOOST_TEST(all.certified == smallest.certified);
    }
  }
}

// Of one comparison at exactly delta the p-value is at most x with at most the probability x, whatever x.
BOOST_AUTO_TEST_CASE(p_value_is_one_at_every_level) {
  const std::int64_t n = 100;
  for (const double level : {0.05, 0.01, 0.002}) {
    const LevelSplit split = split_level(n, tested_delta, level);
    std::vector<std::pair<double, double>> violated, certified;  // p-value and probability
    for (std::int64_t k = 0; k <= n; ++k) {
      const PValues p = p_values({{{n, k}}, n}, tested_delta, split);
      const double probability = upper_tail(k, n, tested_delta) - upper_tail(k + 1, n, tested_delta);
      violated.emplace_back(p.violated, probability);
      certified.emplace_back(p.certified, probability);
    }
    for (auto* law : {&violated, &certified}) {
      std::sort(law->begin(), law->end());
      double sum = 0;
      for (const auto& [p, probability] : *law) {
        sum += probability;
        BOOST_TEST(sum <= p * (1 + 1e-9));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
