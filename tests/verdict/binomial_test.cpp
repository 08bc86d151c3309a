#include "mixlab/verdict/binomial.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "verdict/oracle.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

/// P(Bin(n,p) = k) summed in the plainest way.
double brute_upper_tail(std::int64_t k, std::int64_t n, double p) {
  long double sum = 0;
  for (std::int64_t i = k; i <= n; ++i) {
    const auto a = static_cast<long double>(i), b = static_cast<long double>(n);
    sum += std::exp(std::lgamma(b + 1) - std::lgamma(a + 1) - std::lgamma(b - a + 1) +
                    a * std::log(static_cast<long double>(p)) + (b - a) * std::log1p(-static_cast<long double>(p)));
  }
  return static_cast<double>(sum);
}

std::int64_t most_misses_not_rejected(std::int64_t n, double delta, double alpha) {
  std::int64_t k = 0;
  while (upper_tail(k + 1, n, delta) > alpha) ++k;
  return k;
}

Numbers tails(const Numbers& a) {
  return {upper_tail(whole(a[0]), whole(a[1]), a[2]), lower_tail(whole(a[0]), whole(a[1]), a[2])};
}

Numbers clopper_pearson_of(const Numbers& a) {
  const Interval interval = clopper_pearson(whole(a[0]), whole(a[1]), a[2]);
  return {interval.low, interval.high};
}

Numbers detectable(const Numbers& a) {
  return {smallest_detectable(whole(a[0]), a[1], a[2], a[3])};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(binomial)

BOOST_AUTO_TEST_CASE(agrees_with_the_oracle) {
  compare_with_oracle("tails", tails);
  compare_with_oracle("clopper_pearson", clopper_pearson_of);
  compare_with_oracle("detectable", detectable);
}

BOOST_AUTO_TEST_CASE(tails_agree_with_brute_force) {
  for (const std::int64_t n : {1, 5, 60, 400})
    for (const double p : {1e-6, 0.01, 0.3, 0.9})
      for (std::int64_t k = 0; k <= n; k += std::max<std::int64_t>(1, n / 13)) {
        const double upper = brute_upper_tail(k, n, p);
        BOOST_TEST(std::abs(upper_tail(k, n, p) - upper) <= 1e-11 * std::max(upper, 1e-30));
        BOOST_TEST(std::abs(lower_tail(k, n, p) - (1 - brute_upper_tail(k + 1, n, p))) <= 1e-11);
      }
  BOOST_TEST(upper_tail(0, 10, 0.1) == 1);
  BOOST_TEST(lower_tail(10, 10, 0.1) == 1);
}

BOOST_AUTO_TEST_CASE(limits_invert_the_tails) {
  for (const std::int64_t n : {1, 20, 2000})
    for (std::int64_t k = 0; k <= n; k += std::max<std::int64_t>(1, n / 7)) {
      const double lower = lower_limit(k, n, 0.05), upper = upper_limit(k, n, 0.05);
      if (k > 0) BOOST_TEST(std::abs(upper_tail(k, n, lower) - 0.05) < 1e-10);
      if (k < n) BOOST_TEST(std::abs(lower_tail(k, n, upper) - 0.05) < 1e-10);
    }
  BOOST_TEST(lower_limit(0, 100, 0.05) == 0);
  BOOST_TEST(upper_limit(100, 100, 0.05) == 1);
  BOOST_TEST(std::abs(upper_limit(0, 2000, 0.05) - (1 - std::pow(0.05, 1.0 / 2000))) < 1e-12);
}

BOOST_AUTO_TEST_CASE(published_thresholds) {  // MATHEMATICS.md D.2
  BOOST_TEST(most_misses_not_rejected(2000, 0.05, 0.05) == 116);
  BOOST_TEST(most_misses_not_rejected(2000, 0.05, 0.05 / 12) == 127);
  BOOST_TEST(most_misses_not_rejected(2000, 0.01, 0.05) == 28);
  BOOST_TEST(most_misses_not_rejected(2000, 0.1, 0.05 / 12) == 236);
}

struct PowerRow {
  double delta, factor, alpha;
  std::int64_t n;
};
const PowerRow power_table[] = {  // MATHEMATICS.md D.2
    {.01, 1.1, .05, 90696}, {.01, 1.1, .05 / 12, 160634}, {.01, 1.1, .05 / 100, 217522},
    {.01, 1.5, .05, 4525},  {.01, 1.5, .05 / 12, 7669},   {.01, 1.5, .05 / 100, 10279},
    {.05, 1.1, .05, 17381}, {.05, 1.1, .05 / 12, 30776},  {.05, 1.1, .05 / 100, 41674},
    {.05, 1.5, .05, 858},   {.05, 1.5, .05 / 12, 1458},   {.05, 1.5, .05 / 100, 1951},
    {.10, 1.1, .05, 8217},  {.10, 1.1, .05 / 12, 14544},  {.10, 1.1, .05 / 100, 19698},
    {.10, 1.5, .05, 405},   {.10, 1.5, .05 / 12, 683},    {.10, 1.5, .05 / 100, 916}};

BOOST_AUTO_TEST_CASE(stated_power) {
  for (const PowerRow& row : power_table) {
    const double mu = row.factor * row.delta;
    for (std::int64_t more = 0; more < 200; ++more)  // "at this and every larger N"
      BOOST_TEST(smallest_detectable(row.n + more, row.delta, row.alpha, 0.9) <= mu);
    BOOST_TEST(smallest_detectable(row.n - 1, row.delta, row.alpha, 0.9) > mu);
  }
  BOOST_TEST(std::isnan(smallest_detectable(1, 0.1, 0.05, 0.9)));  // one trial shows nothing
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
