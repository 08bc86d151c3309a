#include "mixlab/rare/splitting.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "groups.h"
#include "mixlab/core/error.h"
#include "mixlab/rare/twisted.h"
#include "one_arm.h"

using namespace mixlab;
using namespace mixlab::rare;

namespace {

constexpr int n_threads = 2;

struct Populations {
  OneArm arm;
  std::string set;
  std::vector<double> deltas;
  std::size_t n = 0;
  std::int64_t n_particles = 50;

  std::vector<Repetition> play() const {
    const auto experiment = arm.experiment(set);
    std::vector<Repetition> repetitions(n);
    for_each_path(0, static_cast<std::int64_t>(n), n_threads, [&](std::int64_t i) {
      repetitions[static_cast<std::size_t>(i)] =
          run_splitting(experiment, 0, deltas, n_particles, static_cast<int>(i), 1);
    });
    return repetitions;
  }
  double truth(std::size_t level) const {
    return set == "tight" ? arm.tight(deltas[level]) : arm.selfnorm(deltas[level]);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(adaptive_splitting)

// If ties were spared, the factor of every level would be wrong, and it is not.
BOOST_AUTO_TEST_CASE(populations_are_right_on_average) {
  const Populations small{{.rho = 0.5, .d = 3, .T = 60}, "tight", {0.5, 0.05, 0.01}, long_form() ? 10000u : 120u};
  const auto repetitions = small.play();
  for (std::size_t level = 0; level < small.deltas.size(); ++level) {
    ratio_to(small.truth(level), "splitting", repetitions, level);
    if (long_form()) intervals_cover(small.truth(level), "splitting", repetitions, level);
  }
}

// All together within 3 %.
BOOST_AUTO_TEST_CASE(one_arm_from_one_in_a_hundred_to_nearly_never) {
  if (!long_form()) return;
  const Populations far{{.rho = 0.3, .d = 3, .T = 120}, "selfnorm", {0.99, 0.05, 1e-3, 1e-4, 1e-5, 4e-6}, 300, 200};
  BOOST_TEST(far.truth(0) > 1e-2);
  BOOST_TEST(far.truth(5) < 1e-15);
  const auto repetitions = far.play();
  double sum_of_logs = 0;
  for (std::size_t level = 0; level < far.deltas.size(); ++level)
    sum_of_logs += std::log(ratio_to(far.truth(level), "splitting", repetitions, level));
  BOOST_TEST(std::abs(sum_of_logs / static_cast<double>(far.deltas.size())) < 0.03);
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
