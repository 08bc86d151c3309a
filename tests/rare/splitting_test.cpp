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

void compare_with_exact_values(const OneArm& arm, const std::string& set, const std::vector<double>& deltas,
                               std::size_t n_repetitions, std::int64_t n_particles) {
  const auto experiment = arm.experiment(set);
  std::vector<Repetition> repetitions(n_repetitions);
  for_each_path(0, static_cast<std::int64_t>(n_repetitions), n_threads, [&](std::int64_t i) {
    repetitions[static_cast<std::size_t>(i)] =
        run_splitting(experiment, 0, deltas, n_particles, static_cast<int>(i), 1);
  });
  double sum_of_logs = 0;
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    const double truth = set == "tight" ? arm.tight(deltas[i]) : arm.selfnorm(deltas[i]);
    const Estimate estimate = estimate_repetitions("splitting", repetitions, i, Estimate::none);
    const double ratio = std::pow(10, estimate.log10_estimate) / truth;
    BOOST_TEST_MESSAGE(set << " at " << deltas[i] << ": exact " << truth << ", estimate/exact " << ratio
                           << ", relative error " << estimate.relative_error << ", " << estimate.hits << " of "
                           << n_repetitions << " found paths " << estimate.why);
    BOOST_TEST(std::abs(ratio - 1) < 5 * estimate.relative_error);
    BOOST_TEST(estimate.relative_error < 0.3);
    sum_of_logs += std::log(ratio);
  }
  BOOST_TEST(std::abs(sum_of_logs / static_cast<double>(deltas.size())) < (n_repetitions > 1000 ? 0.03 : 0.1));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(adaptive_splitting)

// The mean of many small repetitions is within 5 standard errors of the truth at every level, false alarm 6e-7 each; if
// ties were spared, the factor of every level would be wrong, and it is not.
BOOST_AUTO_TEST_CASE(one_arm_against_the_oracle) {
  const bool long_form = std::getenv("MIXLAB_SOAK") != nullptr;
  compare_with_exact_values({.rho = 0.5, .d = 3, .T = 60}, "tight", {0.5, 0.05, 0.01}, long_form ? 2000 : 120, 50);
}

// From 4e-3 to 1e-16, two minutes.
BOOST_AUTO_TEST_CASE(far_below_any_simulation) {
  if (std::getenv("MIXLAB_SOAK") == nullptr) return;
  compare_with_exact_values({.rho = 0.5, .d = 3, .T = 200}, "selfnorm", {0.5, 0.05, 1e-3, 1e-5, 1e-7}, 120, 200);
}

BOOST_AUTO_TEST_CASE(threads_do_not_matter) {
  const OneArm arm{.rho = 0.5, .d = 3, .T = 60};
  const auto experiment = arm.experiment("selfnorm");
  const Repetition one = run_splitting(experiment, 0, {0.5, 0.05}, 60, 3, 1);
  const Repetition two = run_splitting(experiment, 0, {0.5, 0.05}, 60, 3, 2);
  BOOST_TEST(one.log_estimates == two.log_estimates);
  BOOST_TEST(one.n_paths == two.n_paths);
  BOOST_TEST((run_splitting(experiment, 0, {0.5, 0.05}, 60, 4, 2).log_estimates != one.log_estimates));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
