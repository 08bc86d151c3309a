#define MIXLAB_LANES plane_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/plane.h"
#include "mixlab/bandit/least_squares.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::plane_test;

namespace {

/// Samples of one lane: Lambda and b in long double, so that what is left of the KKT conditions is the estimator's.
struct Sums {
  long double l11 = 0, l12 = 0, l22 = 0, b1 = 0, b2 = 0, size = 0;

  void absorb(long double x1, long double x2, long double y) {
    l11 += x1 * x1;
    l12 += x1 * x2;
    l22 += x2 * x2;
    b1 += x1 * y;
    b2 += x2 * y;
    size += std::hypot(x1, x2) * std::abs(y);
  }
  arma::mat Lambda() const {
    const auto entry = [](long double l) { return static_cast<double>(l); };
    return {{entry(l11), entry(l12)}, {entry(l12), entry(l22)}};
  }
  arma::vec b() const { return {static_cast<double>(b1), static_cast<double>(b2)}; }
  /// ||(Lambda + mu I) theta - b||, relative to what is added up there.
  double residual(long double theta1, long double theta2, long double mu) const {
    const long double r1 = (l11 + mu) * theta1 + l12 * theta2 - b1, r2 = l12 * theta1 + (l22 + mu) * theta2 - b2;
    return static_cast<double>(std::hypot(r1, r2) / ((l11 + l22 + mu) * std::hypot(theta1, theta2) + size));
  }
};

struct PlaneCase {
  double B, sigma;
  double scale;   ///< of the rewards
  double spread;  ///< of the actions about a line; 1e-3: a condition number of 1e6; below 1e-6: Lambda has rank one,
  bool turning;   ///< until the line turns
};

struct Seen {
  int active = 0, inside = 0, badly_conditioned = 0;
};

void check_optimal(const PlaneCase& c, const Sums& sums, const arma::vec& theta, double mu, Seen& seen) {
  const arma::vec eigenvalue = arma::eig_sym(sums.Lambda());
  const bool singular = eigenvalue(0) <= 1e-11 * eigenvalue(1);  // or so it is taken
  if (!singular || c.spread == 0) BOOST_TEST(sums.residual(theta(0), theta(1), mu) <= 1e-14);
  const double norm = arma::norm(theta), sphere = c.sigma < 1 ? 1e-14 : 2e-12;
  BOOST_TEST(mu >= 0);
  BOOST_TEST(norm <= c.B * (1 + sphere));
  if (mu > 0) BOOST_TEST(norm >= c.B * (1 - sphere));
  ++(mu > 0 ? seen.active : seen.inside);

  const bool bad = eigenvalue(1) + mu > 1e5 * (std::max(eigenvalue(0), 0.0) + mu);
  seen.badly_conditioned += bad;
  if (bad && !singular) return;  // theta is not known to 1e-8
  const bandit::BallMinimiser truth = bandit::constrained_least_squares(sums.Lambda(), sums.b(), c.B);
  check_equal(theta / c.B, truth.theta / c.B, 1e-8);
  BOOST_TEST(std::abs(mu - truth.mu) <= 1e-8 * (eigenvalue(1) + mu));
}

void check_plane(random::Stream& stream, const PlaneCase& c, Seen& seen) {
  PlaneLeastSquares estimate;
  estimate.start(2, c.B, c.sigma, 1.0);
  Gram<2> gram;
  std::vector<Sums> sums(width);
  const auto line = random_vectors<2>(stream, 1), theta_star = random_vectors<2>(stream, 1);
  const int n = 5;
  std::vector<V> x(2 * n), y(n);
  for (int block = 0; block < 60; ++block) {
    for (int r = 0; r < n; ++r) {
      const V along = random_lanes(stream, -1, 1);
      const V across = c.turning && block >= 20 ? along : c.spread * random_lanes(stream, -1, 1);
      x[2 * r] = along * line[0] - across * line[1];
      x[2 * r + 1] = along * line[1] + across * line[0];
      y[r] = c.scale * dot<2>(&x[2 * r], theta_star.data()) + random_lanes(stream, -1, 1);
      estimate.absorb(gram, x.data(), y.data(), r, nowhere(), Shift::kept);
      estimate.first_sweep();
      estimate.second_sweep();
      estimate.settle(gram, x.data(), r);
      for (int l = 0; l < width; ++l) {
        sums[l].absorb(x[2 * r][l], x[2 * r + 1][l], y[r][l]);
        check_optimal(c, sums[l], lane_of(estimate.theta(), 2, l), estimate.mu()[l], seen);
      }
    }
    estimate.close_block(gram, x.data(), nullptr, n);
    if (block % 7 == 6) gram.sum_up();
    for (int l = 0; l < width; ++l) check_equal(lane_of<2>(gram.matrix(), 2, l), sums[l].Lambda());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(constrained_least_squares_in_the_plane) {
  random::Stream stream = test_stream(7117);
  Seen seen;
  for (const double B : {1e-3, 0.8, 50.0})
    for (const double sigma : {1.0, 1e-6})
      for (const double scale : {0.1, 3.0, 1e4})
        for (const double spread : {1.0, 0.03, 1e-3, 3e-4, 1e-6, 0.0})
          for (const bool turning : {false, true})
            BOOST_TEST_CONTEXT("B = " << B << ", sigma = " << sigma << ", rewards of scale " << scale << ", spread "
                                      << spread << (turning ? ", turning" : ""))
  check_plane(stream, {B, sigma, scale, spread, turning}, seen);
  BOOST_TEST(seen.active > 20000);
  BOOST_TEST(seen.inside > 20000);
  BOOST_TEST(seen.badly_conditioned > 10000);
}

BOOST_AUTO_TEST_CASE(lambda_takes_in_a_block_when_it_is_closed) {
  random::Stream stream = test_stream(7118);
  PlaneLeastSquares estimate;
  estimate.start(2, 1.0, 1.0, 1.0);
  Gram<2> gram;
  const auto x = random_vectors<2>(stream, 6);
  const std::vector<V> y(3, V(1.0));
  arma::mat truth = arma::zeros(2, 2);
  const auto add_to_truth = [&](int r) { truth += lane_of(&x[2 * r], 2, 0) * lane_of(&x[2 * r], 2, 0).t(); };
  gram.add(x.data(), 3);  // of somebody else
  for (int r = 0; r < 3; ++r) add_to_truth(r);
  for (int r = 0; r < 3; ++r) {
    estimate.absorb(gram, &x[6], y.data(), r, nowhere(), Shift::kept);
    check_equal(lane_of<2>(gram.matrix(), 2, 0), truth);
  }
  estimate.close_block(gram, &x[6], nullptr, 3);
  for (int r = 3; r < 6; ++r) add_to_truth(r);
  check_equal(lane_of<2>(gram.matrix(), 2, 0), truth);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
