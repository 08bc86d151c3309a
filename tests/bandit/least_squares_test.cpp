#include "mixlab/bandit/least_squares.h"

#include <boost/test/unit_test.hpp>

#include "seed.h"

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

struct Problem {
  arma::mat Lambda;
  arma::vec b;
  double B = 1;
  double sum_y2 = 0;
};

/// A regression with few or many samples, so that Lambda is often singular and the ball often binds.
Problem random_problem(random::Stream& stream) {
  const auto p = static_cast<arma::uword>(integer_in(stream, 1, 20));
  const auto n = static_cast<arma::uword>(integer_in(stream, 1, 3 * static_cast<std::int64_t>(p)));
  const auto n_arms = static_cast<arma::uword>(integer_in(stream, 1, static_cast<std::int64_t>(2 * p)));
  arma::mat arms(p, n_arms);
  for (double& x : arms) x = normal_in(stream);
  for (arma::uword k = 0; k < n_arms; ++k) arms.col(k) /= arma::norm(arms.col(k));
  Problem problem{arma::mat(p, p, arma::fill::zeros), arma::vec(p, arma::fill::zeros), uniform_in(stream, 0.05, 3), 0};
  const double scale = std::exp(uniform_in(stream, -3, 3));
  for (arma::uword i = 0; i < n; ++i) {
    const arma::vec x = arms.col(static_cast<arma::uword>(stream.next() % n_arms));
    const double y = scale * normal_in(stream);
    problem.Lambda += x * x.t();
    problem.b += x * y;
    problem.sum_y2 += y * y;
  }
  return problem;
}

/// Another method: the pseudo-inverse, and bisection on mu with LAPACK's general solver.
arma::vec by_bisection(const Problem& problem) {
  const arma::uword p = problem.b.n_elem;
  const arma::vec free = arma::pinv(problem.Lambda, 1e-10 * arma::norm(problem.Lambda)) * problem.b;
  if (arma::norm(free) <= problem.B) return free;
  const auto theta = [&](double mu) {
    return arma::vec(arma::solve(problem.Lambda + mu * arma::eye(p, p), problem.b));
  };
  double low = 0;
  double high = arma::norm(problem.b) / problem.B;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (arma::norm(theta(middle)) > problem.B ? low : high) = middle;
  }
  return theta(high);
}

double loss(const Problem& problem, const arma::vec& theta) {
  return 0.5 * (problem.sum_y2 + arma::dot(theta, problem.Lambda * theta)) - arma::dot(problem.b, theta);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(constrained_least_squares_over_the_ball)

BOOST_AUTO_TEST_CASE(optimal_on_many_random_problems) {
  random::Stream stream = test_stream(41);
  int n_active = 0, n_singular = 0;
  double worst = 0;
  for (int repeat = 0; repeat < 100000; ++repeat) {
    const Problem problem = random_problem(stream);
    const BallMinimiser result = constrained_least_squares(problem.Lambda, problem.b, problem.B);
    BOOST_REQUIRE(arma::norm(result.theta) <= problem.B * (1 + 1e-14));
    BOOST_REQUIRE(result.mu >= 0);
    const double gap = frank_wolfe_gap(problem.Lambda, problem.b, problem.B, result.theta);
    worst = std::max(worst, gap / std::max(1.0, loss(problem, result.theta)));
    n_active += result.mu > 0;
    n_singular += problem.Lambda.n_rows > 1 && arma::rcond(problem.Lambda) < 1e-12;
  }
  BOOST_TEST_MESSAGE("active " << n_active << ", singular " << n_singular << ", largest relative gap " << worst);
  BOOST_TEST(worst <= 1e-9);
  BOOST_TEST(n_active > 10000);
  BOOST_TEST(n_singular > 10000);
}

BOOST_AUTO_TEST_CASE(optimal_where_a_direction_is_hardly_known) {
  random::Stream stream = test_stream(44);
  double worst = 0;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const auto p = static_cast<arma::uword>(integer_in(stream, 2, 10));
    arma::mat noise(p, p), axes, upper;
    noise.imbue([&] { return normal_in(stream); });
    arma::qr(axes, upper, noise);
    arma::vec eigenvalue(p), theta(p);
    eigenvalue.imbue([&] { return uniform_in(stream, 0.1, 3); });
    theta.imbue([&] { return normal_in(stream); });
    eigenvalue(0) = std::exp(uniform_in(stream, -22, -14));
    const arma::mat Lambda = arma::symmatu(axes * arma::diagmat(eigenvalue) * axes.t());
    const arma::vec b = Lambda * theta;
    const double B = uniform_in(stream, 0.3, 0.99) * arma::norm(theta);
    const BallMinimiser result = constrained_least_squares(Lambda, b, B);
    const arma::vec residual = Lambda * result.theta + result.mu * result.theta - b;
    worst = std::max(worst, arma::norm(residual) / std::max(1.0, arma::norm(b)));
  }
  BOOST_TEST(worst <= 3e-12);
}

// Samples nearly on a line, from 3e-5 of its length off it to 1e-7, turned any way: what counts as known does not turn.
BOOST_AUTO_TEST_CASE(what_is_singular_does_not_depend_on_the_axes) {
  for (const double off : {3e-5, 1e-5, 2e-6, 1e-6, 1e-7})
    for (int turn = 0; turn < 60; ++turn) {
      const double angle = turn * arma::datum::pi / 60, c = std::cos(angle), s = std::sin(angle);
      const arma::mat axes = {{c, -s}, {s, c}};
      const arma::mat Lambda = arma::symmatu(axes * arma::diagmat(arma::vec{1, off * off}) * axes.t());
      const double small = off * off <= 1e-11 ? 0 : 1e5 * off * off;
      const BallMinimiser result = constrained_least_squares(Lambda, axes * arma::vec{0.5, 1e5 * off * off}, 0.9);
      const double mu = result.mu, across = small / (off * off + mu);  // theta in these axes
      const arma::vec theta = axes.t() * result.theta;
      BOOST_TEST_CONTEXT("off " << off << ", angle " << angle) {
        BOOST_TEST(std::abs(theta(0) - 0.5 / (1 + mu)) <= 1e-6);
        BOOST_TEST(std::abs(theta(1) - across) <= 1e-4 * std::abs(across) + 1e-6);
        BOOST_TEST((mu > 0) == (small > 0));
      }
    }
}

BOOST_AUTO_TEST_CASE(agrees_with_another_method) {
  random::Stream stream = test_stream(42);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const Problem problem = random_problem(stream);
    const arma::vec expected = by_bisection(problem);
    const arma::vec theta = constrained_least_squares(problem.Lambda, problem.b, problem.B).theta;
    BOOST_TEST(arma::norm(theta - expected) <= 1e-8 * std::max(1.0, arma::norm(expected)));
  }
}

BOOST_AUTO_TEST_CASE(shortcuts_fail_the_gap) {  // the check can tell: clipped least squares is not the minimiser
  random::Stream stream = test_stream(43);
  int n_found = 0, n_active = 0;
  for (int repeat = 0; repeat < 500; ++repeat) {
    const Problem problem = random_problem(stream);
    const arma::vec free = arma::pinv(problem.Lambda, 1e-10 * arma::norm(problem.Lambda)) * problem.b;
    if (problem.b.n_elem < 2 || arma::norm(free) < 1.5 * problem.B) continue;
    ++n_active;
    const arma::vec clipped = free * (problem.B / arma::norm(free));
    n_found +=
        frank_wolfe_gap(problem.Lambda, problem.b, problem.B, clipped) > 1e-9 * std::max(1.0, loss(problem, clipped));
  }
  BOOST_TEST(n_active > 50);
  BOOST_TEST(n_found > 0.5 * n_active);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
