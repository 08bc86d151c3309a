#include "mixlab/rare/estimate.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "mixlab/verdict/binomial.h"

using namespace mixlab;
using namespace mixlab::rare;

namespace {

const Mixture two{{{{1}, 0}, {{1}, 1}}, {20, 180}};

/// Weights of the 200 paths of `two`; 0 is a path that never crosses.
Estimate estimate_of(const std::vector<double>& weights, double guarantee = Estimate::none) {
  std::vector<PathRow> rows;
  for (const double weight : weights) rows.push_back({0, {std::log(weight)}, {weight > 0 ? 7 : 0}});
  return estimate_twisted(two, rows, 0, guarantee);
}

/// The same weight w(i) for all paths i of the second component.
template <class Weight>
std::vector<double> weights_of(Weight weight) {
  std::vector<double> weights(200, 0.0);
  for (std::size_t i = 20; i < 200; ++i) weights[i] = weight(i);
  return weights;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(estimates)

BOOST_AUTO_TEST_CASE(mean_error_and_limits_by_hand) {
  const auto weights = weights_of([](std::size_t i) { return i * i % 11 < 4 ? 2e-9 : 1e-9; });
  double sum = 0, sum2 = 0;
  for (const double weight : weights) {
    sum += weight;
    sum2 += weight * weight;
  }
  const Estimate estimate = estimate_of(weights);
  const auto close = boost::test_tools::tolerance(1e-9);
  BOOST_TEST(std::pow(10, estimate.log10_estimate) == sum / 200, close);
  const double variance = (sum2 - sum * sum / 180) / 179;  // within the second component; none within the first
  BOOST_TEST(estimate.relative_error == std::sqrt(180 * variance) / sum, close);
  BOOST_TEST(estimate.ess == sum * sum / sum2, close);
  BOOST_TEST(estimate.largest_share == 2e-9 / sum, close);
  BOOST_TEST(std::pow(10, estimate.log10_lower_limit) == 0.05 * sum / 200, close);
  BOOST_TEST(estimate.upper_limit == verdict::upper_limit(0, 20, 0.05), close);
  BOOST_TEST(estimate_of(weights, 0.01).upper_limit == 0.01);
  BOOST_TEST(estimate.hits == 180);
  BOOST_TEST(estimate.reliable);
  BOOST_TEST(estimate.log10_low < estimate.log10_estimate);
  BOOST_TEST(estimate.log10_high > estimate.log10_estimate);
}

BOOST_AUTO_TEST_CASE(weights_far_below_a_double_are_kept_in_logarithms) {
  std::vector<PathRow> rows;
  for (int i = 0; i < 200; ++i) rows.push_back({0, {-2000.0}, {1}});
  BOOST_TEST(estimate_twisted(two, rows, 0, Estimate::none).log10_estimate == -2000 / std::log(10.0),
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(says_why_it_is_not_reliable) {
  const auto why = [](const Estimate& estimate) {
    BOOST_TEST(!estimate.reliable);
    BOOST_TEST(std::isnan(estimate.log10_low));
    return estimate.why;
  };
  BOOST_TEST(why(estimate_of(weights_of([](std::size_t i) { return i < 60 ? 1e-9 : 0; }))) ==
             "effective sample size 40 below 100");
  BOOST_TEST(why(estimate_of(weights_of([](std::size_t i) { return i == 50 ? 1.2e-8 : 1e-9; }))) ==
             "one path has 6 % of the weight");
  BOOST_TEST(why(estimate_of(weights_of([](std::size_t i) {
               return i % 2 == 0 ? 2e-9 : 1e-9 * (1 + 1e-3 * static_cast<double>(i % 7));
             }))) == "two halves of the paths disagree");
  BOOST_TEST(why(estimate_of(std::vector<double>(200, 0.0))) == "no path found; below what this effort could see");
}

BOOST_AUTO_TEST_CASE(populations_that_found_nothing_count_as_zero) {
  const double dead = -std::numeric_limits<double>::infinity();
  const std::vector<Repetition> half_dead = {
      {{std::log(1e-3)}, 10}, {{dead}, 10}, {{std::log(3e-3)}, 10}, {{dead}, 10}};
  const Estimate some = estimate_repetitions("splitting", half_dead, 0, 0.5);
  BOOST_TEST(std::pow(10, some.log10_estimate) == 1e-3, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(!some.reliable);
  BOOST_TEST(some.paths == 40);
  BOOST_TEST(some.upper_limit == 0.5);
  const Estimate none = estimate_repetitions("selected", {{{dead}, 10}, {{dead}, 10}}, 0, Estimate::none);
  BOOST_TEST(!none.found());
  BOOST_TEST(std::isnan(none.log10_estimate));
}

BOOST_AUTO_TEST_CASE(intervals_of_populations_by_hand) {
  std::vector<Repetition> even, one_low;
  for (int i = 0; i < 20; ++i) {
    even.push_back({{-46 + (i % 2 == 0 ? 0.5 : -0.5)}, 10});
    one_low.push_back({{i == 7 ? -56.0 : -46.0}, 10});
  }
  const Estimate estimate = estimate_repetitions("selected", even, 0, Estimate::none);
  const double t = 2.0930240544, to_log10 = std::log10(std::exp(1.0));
  const double mean = std::cosh(0.5), error = std::sinh(0.5) * std::sqrt(20.0 / 19) / mean / std::sqrt(20.0);
  const double v = 0.25 * 20 / 19, log_error = std::sqrt(v / 20 + v * v / 38);
  const auto close = boost::test_tools::tolerance(1e-9);
  BOOST_TEST(estimate.reliable);
  BOOST_TEST(estimate.relative_error == error, close);
  BOOST_TEST(estimate.log10_estimate == (-46 + std::log(mean)) * to_log10, close);
  BOOST_TEST(estimate.log10_low == (-46 + std::min(std::log(mean) - t * error, v / 2 - t * log_error)) * to_log10,
             close);
  BOOST_TEST(estimate.log10_high == (-46 + std::max(std::log(mean) + t * error, v / 2 + t * log_error)) * to_log10,
             close);
  const Estimate skewed = estimate_repetitions("selected", one_low, 0, Estimate::none);  // its plain error is 5 %
  BOOST_TEST(skewed.relative_error < 0.06);
  BOOST_TEST(!skewed.reliable);
  BOOST_TEST(skewed.why == "populations differ too much, relative error 95 %");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
