#include "mixlab/verdict/level_split.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/eprocess.h"
#include "verdict/tested_level.h"

using namespace mixlab::verdict;

namespace {

/// Evidence after n trajectories, by n and misses.
std::vector<std::vector<double>> evidence_table(Claim claim, std::int64_t most, double delta) {
  const auto evidence = claim == Claim::violated ? log_e_violated : log_e_certified;
  std::vector<std::vector<double>> table(static_cast<std::size_t>(most) + 1);
  for (std::int64_t n = 1; n <= most; ++n)
    for (std::int64_t misses = 0; misses <= n; ++misses)
      table[static_cast<std::size_t>(n)].push_back(evidence(misses, n, delta));
  return table;
}

/// By playing every sequence of misses: the exact test, or a look at any time, or later with probability E_n/x at most.
double chance_by_enumeration(Claim claim, std::size_t n, double delta, std::int64_t critical, double log_e) {
  const auto evidence = evidence_table(claim, static_cast<std::int64_t>(n), delta);
  double chance = 0;
  for (std::uint32_t path = 0; path < 1U << n; ++path) {
    std::size_t misses = 0;
    double largest = 0, probability = 1;
    for (std::size_t i = 0; i < n; ++i) {
      const bool is_miss = path >> i & 1;
      misses += is_miss;
      probability *= is_miss ? delta : 1 - delta;
      largest = std::max(largest, evidence[i + 1][misses]);
    }
    const auto k = static_cast<std::int64_t>(misses);
    const bool is_rejected = claim == Claim::violated ? k >= critical : k <= critical;
    chance += probability * (is_rejected || largest >= log_e ? 1 : std::exp(evidence[n][misses] - log_e));
  }
  return chance;
}

/// The exact test as if nobody looked, by trying every number of misses.
std::int64_t fewest_of_exact_test(std::int64_t n, double level) {
  std::int64_t k = 0;
  while (upper_tail(k, n, tested_delta) > level) ++k;
  return k;
}
std::int64_t most_of_exact_test(std::int64_t n, double level) {
  std::int64_t k = -1;
  while (lower_tail(k + 1, n, tested_delta) <= level) ++k;
  return k;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(level_split)

BOOST_AUTO_TEST_CASE(chance_agrees_with_enumeration) {
  for (const std::size_t n : {1, 2, 9, 13})
    for (const double delta : {0.05, 0.3, 0.6})
      for (const double x : {2.0, 10.0, 60.0})
        for (const std::int64_t critical : {-1, 0, 2, 5, 15})
          for (const Claim claim : {Claim::violated, Claim::certified}) {
            const double here = chance_of_claim(claim, static_cast<std::int64_t>(n), delta, critical, std::log(x));
            const double there = chance_by_enumeration(claim, n, delta, critical, std::log(x));
            BOOST_TEST(std::abs(here - there) <= 1e-12 * there, n << " " << delta << " " << x << " " << critical << ": "
                                                                  << here << " here, " << there << " by enumeration");
          }
}

// Looks cost the exact test nothing: what they find beside it fits into what its lattice leaves of the level. Power is so
// that of an exact test that knows of no look, at every miss probability.
BOOST_AUTO_TEST_CASE(exact_test_is_that_of_a_study_without_looks) {
  int n_splits = 0, n_usual = 0, n_lacking = 0;
  for (const std::int64_t n : {200, 1000, 2000, 2048})
    for (int M = 1; M <= 100; M += M < 12 ? 1 : 11) {
      const double level = tested_alpha / M;
      const LevelSplit split = split_level(n, tested_delta, level);
      const std::int64_t exact = fewest_of_exact_test(n, level);
      ++n_splits;
      n_usual += split.looks == usual_share;
      n_lacking += split.fewest_violated != exact || split.most_certified != most_of_exact_test(n, level);
      double loss = 0;
      for (double mu = 0.05; mu < 0.2; mu += 0.0005)
        loss = std::max(loss, upper_tail(exact, n, mu) - upper_tail(split.fewest_violated, n, mu));
      BOOST_TEST(loss < 0.03, n << " trajectories, " << M << " words");
    }
  BOOST_TEST_MESSAGE("of " << n_splits << " splits " << n_usual << " leave looks a tenth; " << n_lacking
                           << " take a miss from the exact test");
  BOOST_TEST(n_lacking == 0);
  BOOST_TEST(2 * n_usual > n_splits);
}

BOOST_AUTO_TEST_CASE(both_together_keep_the_level) {
  for (const std::int64_t n : {1, 30, 200, 2000, 10000})
    for (const double delta : {0.01, 0.05, 0.5})
      for (const double level : {0.05, 0.0005}) {
        const LevelSplit split = split_level(n, delta, level);
        const double log_e = split.decisive_log_e();
        BOOST_TEST(chance_of_claim(Claim::violated, n, delta, split.fewest_violated, log_e) <= level);
        BOOST_TEST(chance_of_claim(Claim::certified, n, delta, split.most_certified, log_e) <= level);
        // One miss less would be too much.
        BOOST_TEST(chance_of_claim(Claim::violated, n, delta, split.fewest_violated - 1, log_e) > level);
        BOOST_TEST(chance_of_claim(Claim::certified, n, delta, split.most_certified + 1, log_e) > level);
      }
}

BOOST_AUTO_TEST_CASE(many_trajectories_and_none_declared) {
  const LevelSplit many = split_level(largest_counted + 1, 0.05, 0.01), unknown_number = split_level(0, 0.05, 0.01);
  BOOST_TEST(many.looks == usual_share);
  BOOST_TEST(upper_tail(many.fewest_violated, largest_counted + 1, 0.05) <= 0.009);
  BOOST_TEST(upper_tail(many.fewest_violated - 1, largest_counted + 1, 0.05) > 0.009);
  BOOST_TEST(lower_tail(many.most_certified, largest_counted + 1, 0.05) <= 0.009);
  BOOST_TEST(lower_tail(many.most_certified + 1, largest_counted + 1, 0.05) > 0.009);
  BOOST_TEST(unknown_number.looks == 1);
  BOOST_TEST(unknown_number.decisive_log_e() == -std::log(0.01));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
