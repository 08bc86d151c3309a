// The two processes and the stops that follow from them, against what MATHEMATICS.md D.3 says of them.
#include "mixlab/verdict/eprocess.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "mixlab/study/look.h"
#include "mixlab/verdict/evidence.h"
#include "verdict/oracle.h"
#include "verdict/tested_level.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

/// Trajectories without a miss until E- reaches `enough`.
std::int64_t never_missing_until(double enough) {
  std::int64_t n = 1;
  while (log_e_certified(0, n, tested_delta) < std::log(enough)) ++n;
  return n;
}

/// P(Bin(n, mu) = k) for k = 0..n, one trial after the other.
std::vector<double> binomial_law(std::int64_t n, double mu) {
  std::vector<double> law = {1};
  for (std::int64_t trial = 0; trial < n; ++trial) {
    law.push_back(0);
    for (std::size_t k = law.size() - 1; k > 0; --k) law[k] = law[k] * (1 - mu) + law[k - 1] * mu;
    law[0] *= 1 - mu;
  }
  return law;
}

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] > 0)
      for (std::size_t j = 0; j < b.size(); ++j) sum[i + j] += a[i] * b[j];
  return sum;
}

Numbers log_e_of(const Numbers& a) {
  return {log_e_violated(whole(a[0]), whole(a[1]), a[2]), log_e_certified(whole(a[0]), whole(a[1]), a[2])};
}

struct StopLaw {
  double mean = 0;  ///< trajectories
  double violated = 0, certified = 0;
};

/// Exact law of the stop of one comparison among M, and of what is said then: misses of those that went on, carried from
/// look to look.
StopLaw law_of_stop(double mu, double M, std::int64_t n_declared) {
  StopLaw stop;
  const LevelSplit split = split_level(n_declared, tested_delta, tested_alpha / M);
  std::vector<double> going_on = {1};
  std::int64_t n = 0;
  for (const std::int64_t look : study::looks_until(n_declared)) {
    going_on = convolved(going_on, binomial_law(look - n, mu));
    n = look;
    for (std::size_t k = 0; k < going_on.size(); ++k) {
      const Look seen{n, static_cast<std::int64_t>(k)};
      if (n < n_declared && !decided_by_looks({seen}, tested_delta, split)) continue;
      const PValues p = p_values({{seen}, n_declared}, tested_delta, split);
      stop.mean += going_on[k] * static_cast<double>(n);
      stop.violated += going_on[k] * (p.violated <= tested_alpha / M);
      stop.certified += going_on[k] * (p.certified <= tested_alpha / M);
      going_on[k] = 0;
    }
  }
  return stop;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(eprocess)

BOOST_AUTO_TEST_CASE(agrees_with_the_oracle) {
  compare_with_oracle("log_e", log_e_of, close_logs);
}

BOOST_AUTO_TEST_CASE(trajectories_without_a_miss_until_certified) {
  const double share = usual_share;
  BOOST_TEST(never_missing_until(1 / tested_alpha) == 64);
  BOOST_TEST(never_missing_until(12 / tested_alpha) == 114);
  BOOST_TEST(never_missing_until(100 / tested_alpha) == 156);
  BOOST_TEST(never_missing_until(1 / (share * tested_alpha)) == 110);
  BOOST_TEST(never_missing_until(12 / (share * tested_alpha)) == 159);
  BOOST_TEST(never_missing_until(100 / (share * tested_alpha)) == 201);
}

// A martingale at mu = delta; a supermartingale on the side of its hypothesis and not on the other.
BOOST_AUTO_TEST_CASE(mean_evidence_at_delta_is_one) {
  for (const double level : {0.01, 0.05, 0.3, 0.9})
    for (const std::int64_t n : {1, 2, 17, 64, 300}) {
      const auto mean = [&](auto log_e, double mu) {
        double sum = 0;
        for (std::int64_t k = 0; k <= n; ++k) {
          const double x = static_cast<double>(k), rest = static_cast<double>(n - k);
          const double log_probability = std::lgamma(x + rest + 1) - std::lgamma(x + 1) - std::lgamma(rest + 1) +
                                         x * std::log(mu) + rest * std::log1p(-mu);
          sum += std::exp(log_probability + log_e(k, n, level));
        }
        return sum;
      };
      BOOST_TEST(std::abs(mean(log_e_violated, level) - 1) < 1e-10);
      BOOST_TEST(std::abs(mean(log_e_certified, level) - 1) < 1e-10);
      BOOST_TEST(mean(log_e_violated, 0.8 * level) < 1 - 1e-3 * level);
      BOOST_TEST(mean(log_e_certified, 0.8 * level) > 1 + 1e-3 * level);
      BOOST_TEST(mean(log_e_certified, 1.1 * level) < 1 - 1e-3 * level);
      BOOST_TEST(mean(log_e_violated, 1.1 * level) > 1 + 1e-3 * level);
    }
}

struct StopRow {
  double mu, mean, violated, certified;
};
const StopRow stop_table[] = {  // MATHEMATICS.md D.3: M = 12, at most 2048 trajectories
    {0, 256, 0, 1},       {.001, 263, 0, 1}, {.01, 568, 0, 1}, {.04, 2046, 0, .274}, {.05, 2048, .004, .003},
    {.06, 2045, .266, 0}, {.1, 700, 1, 0},   {.5, 64, 1, 0},   {.98, 64, 1, 0}};

BOOST_AUTO_TEST_CASE(mean_trajectories_until_decided) {
  for (const StopRow& row : stop_table) {
    const StopLaw stop = law_of_stop(row.mu, 12, 2048);
    BOOST_TEST_MESSAGE("mu " << row.mu << ": " << stop.mean << " trajectories, violated " << stop.violated
                             << ", certified " << stop.certified);
    BOOST_TEST(std::abs(stop.mean / row.mean - 1) < 0.05);
    BOOST_TEST(std::abs(stop.violated - row.violated) < 0.005);
    BOOST_TEST(std::abs(stop.certified - row.certified) < 0.005);
  }
}

BOOST_AUTO_TEST_CASE(evidence_of_very_many_trajectories_is_finite) {
  const std::int64_t n = 1000000000;
  for (const std::int64_t k : {std::int64_t{0}, n / 100, n / 20, n / 2, n}) {
    BOOST_TEST(std::isfinite(log_e_violated(k, n, tested_delta)));
    BOOST_TEST(std::isfinite(log_e_certified(k, n, tested_delta)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
