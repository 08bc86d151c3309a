#include "engine/lanes/span.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/engine/lanes.h"
#include "random_cell.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes;

namespace {

double dot(const double* x, const double* y, int p) {
  double sum = 0;
  for (int i = 0; i < p; ++i) sum += x[i] * y[i];
  return sum;
}

Instance random_instance(int p, int K, std::uint64_t use) {
  random::Stream stream = test_stream(use);
  Instance instance;
  for (int i = 0; i < p; ++i) instance.theta.push_back(random::normal(stream.next()));
  for (int i = 0; i < K * p; ++i) instance.arms.push_back(random::normal(stream.next()));
  for (int k = 0; k < K; ++k) instance.means.push_back(dot(instance.arms.data() + k * p, instance.theta.data(), p));
  instance.best = 7;
  return instance;
}

/// The largest error of an inner product of theta and arms on the new axes, or of a vector that is taken back.
double error(const Instance& old, const Instance& now, int p) {
  const int K = static_cast<int>(old.means.size());
  const auto vector_of = [K](const Instance& instance, int k, int size) {
    return k < K ? instance.arms.data() + k * size : instance.theta.data();
  };
  double largest = 0;
  for (int k = 0; k <= K; ++k) {
    for (int l = 0; l <= K; ++l)
      largest = std::max(largest, std::abs(dot(vector_of(old, k, p), vector_of(old, l, p), p) -
                                           dot(vector_of(now, k, K + 1), vector_of(now, l, K + 1), K + 1)));
    if (k == K) continue;
    const double* arm = vector_of(now, k, K + 1);
    std::vector<double> x(arm, arm + K + 1);
    const OldAxes old_axes(old.arms, now, p);
    const std::vector<double> same = old_axes(x);
    x[0] += 1;  // no arm any more
    const std::vector<double> moved = old_axes(x);
    for (int i = 0; i < p; ++i) {
      const double was = vector_of(old, k, p)[i];
      BOOST_TEST(same[static_cast<std::size_t>(i)] == was);
      largest =
          std::max(largest, std::abs(moved[static_cast<std::size_t>(i)] - now.axes[static_cast<std::size_t>(i)] - was));
    }
  }
  return largest;
}

/// A cell with this text in its study file.
Experiment experiment_of(const std::string& text) {
  const std::string rest = "[noise]\nprocess=sticky\nrho=0.5\n[confidence]\ndelay=5\n";
  auto experiments =
      make_experiments(study::Study(study::parse_study_text("[study]\nhorizon=20\n" + rest + text, "test.cfg")));
  return std::move(experiments.front());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(new_axes_keep_lengths_and_angles) {
  for (const auto& [p, K] : {std::pair{3, 1}, {5, 2}, {12, 9}, {64, 20}, {200, 7}}) {
    const Instance old = random_instance(p, K, 180);
    Instance now = on_axes_of_arms(old, p);
    BOOST_TEST(now.means == old.means, boost::test_tools::per_element());
    BOOST_TEST(now.best == old.best);
    BOOST_TEST(now.theta.size() == static_cast<std::size_t>(K + 1));
    for (int k = 0; k < K; ++k) BOOST_TEST(now.arms[static_cast<std::size_t>(k * (K + 1) + K)] == 0);
    BOOST_TEST(error(old, now, p) < 1e-12);
    now.theta.back() += 1e-9;  // power
    BOOST_TEST(error(old, now, p) > 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(arms_that_depend_on_others_and_nearly_so) {
  Instance old = random_instance(9, 5, 181);
  for (int i = 0; i < 9; ++i) {
    double* arms = old.arms.data();
    arms[9 + i] = 0;                                              // no arm at all
    arms[18 + i] = -3 * arms[i];                                  // the first one again
    arms[36 + i] = arms[i] + arms[27 + i] + 1e-9 * arms[36 + i];  // nearly in their plane
  }
  const Instance now = on_axes_of_arms(old, 9);
  BOOST_TEST(error(old, now, 9) < 1e-13 * 100);
  const double rest = now.arms[4 * 6 + 4];
  BOOST_TEST(rest > 1e-10);
  BOOST_TEST(rest < 1e-8);
  BOOST_TEST(now.arms[1 * 6 + 1] == 0);
  BOOST_TEST(now.arms[2 * 6 + 2] == 0);
}

BOOST_AUTO_TEST_CASE(few_arms_need_few_axes) {
  const auto axes = [](const std::string& text) { return n_axes(experiment_of(text)); };
  BOOST_TEST(axes("[problem]\ndimension=40\narms=sphere:6\n") == 7);
  BOOST_TEST(axes("[problem]\ndimension=8\narms=sphere:6\n") == 7);
  BOOST_TEST(axes("[problem]\ndimension=7\narms=sphere:6\n") == 7);
  BOOST_TEST(axes("[problem]\ndimension=3\narms=sphere:6\n") == 3);
  BOOST_TEST(axes("[problem]\ndimension=40\narms=fresh:6\n") == 40);
  BOOST_TEST(axes("[problem]\ndimension=40\narms=ball\n") == 40);
  BOOST_TEST(axes("[problem]\ndimension=40\narms=sphere:6\n[policy]\nname=thompson\n") == 40);
}

// Regret is the difference of means that are what they were on the old axes: with one arm exactly none.
BOOST_AUTO_TEST_CASE(means_stay_as_they_were) {
  for (const int p : {3, 4, 9, 40}) {
    const Experiment experiment =
        experiment_of("[problem]\narms=sphere:1\ndraw=trajectory\ndimension=" + std::to_string(p) + "\n");
    const auto rows = Lanes(experiment).run(0, pack_width(experiment).most).value();
    for (const Row& row : rows)
      BOOST_TEST(row.regret == std::vector<double>(row.regret.size(), 0.0), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
