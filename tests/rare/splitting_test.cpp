#include "mixlab/rare/splitting.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "mixlab/core/error.h"
#include "mixlab/rare/twisted.h"
#include "one_arm.h"

using namespace mixlab;
using namespace mixlab::rare;

namespace {

constexpr int n_threads = 2;

}  // namespace

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(adaptive_splitting)

// The mean of many small repetitions is within 5 standard errors of the truth at every level, false alarm 6e-7 each; if
// ties were spared, the factor of every level would be wrong, and it is not.
BOOST_AUTO_TEST_CASE(one_arm_against_the_oracle) {
  const OneArm arm{.rho = 0.5, .d = 3, .T = 60};
  const std::vector<double> deltas = {0.5, 0.05, 0.005};
  const auto experiment = arm.experiment("tight");
  const bool long_form = std::getenv("MIXLAB_SOAK") != nullptr;
  std::vector<Splitting> repetitions(long_form ? 2000 : 120);
  for_each_path(0, static_cast<std::int64_t>(repetitions.size()), n_threads, [&](std::int64_t i) {
    repetitions[static_cast<std::size_t>(i)] = run_splitting(experiment, 0, deltas, 50, static_cast<int>(i), 1);
  });
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    const double truth = arm.tight(deltas[i]);
    const Estimate estimate = estimate_splitting(repetitions, i, Estimate::none);
    const double ratio = std::pow(10, estimate.log10_estimate) / truth;
    BOOST_TEST_MESSAGE("at " << deltas[i] << ": exact " << truth << ", estimate/exact " << ratio << ", relative error "
                             << estimate.relative_error << ", " << estimate.hits << " of " << repetitions.size()
                             << " found paths " << estimate.why);
    BOOST_TEST(std::abs(ratio - 1) < 5 * estimate.relative_error);
    BOOST_TEST(estimate.relative_error < 0.3);
  }
}

BOOST_AUTO_TEST_CASE(threads_do_not_matter) {
  const OneArm arm{.rho = 0.5, .d = 3, .T = 60};
  const auto experiment = arm.experiment("selfnorm");
  const Splitting one = run_splitting(experiment, 0, {0.5, 0.05}, 60, 3, 1);
  const Splitting two = run_splitting(experiment, 0, {0.5, 0.05}, 60, 3, 2);
  BOOST_TEST(one.log_estimates == two.log_estimates);
  BOOST_TEST(one.n_paths == two.n_paths);
  BOOST_TEST((run_splitting(experiment, 0, {0.5, 0.05}, 60, 4, 2).log_estimates != one.log_estimates));
}

BOOST_AUTO_TEST_CASE(repetitions_that_died_count_as_zero) {
  const double dead = -std::numeric_limits<double>::infinity();
  const Estimate some =
      estimate_splitting({{{std::log(1e-3)}, 10}, {{dead}, 10}, {{std::log(3e-3)}, 10}, {{dead}, 10}}, 0, 0.5);
  BOOST_TEST(std::pow(10, some.log10_estimate) == 1e-3, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(!some.reliable);
  BOOST_TEST(some.paths == 40);
  BOOST_TEST(some.upper_limit == 0.5);
  const Estimate none = estimate_splitting({{{dead}, 10}, {{dead}, 10}}, 0, Estimate::none);
  BOOST_TEST(!none.found());
  BOOST_TEST(std::isnan(none.log10_estimate));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
