#include "mixlab/bandit/ucb.h"

#include <boost/test/unit_test.hpp>

#include "mixlab/bandit/arms.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

struct Case {
  arma::mat Lambda;
  double lambda = 1;
  arma::vec centre;
  double radius2 = 1;
  double B = 1;
  arma::vec x;

  arma::mat V() const { return Lambda + lambda * arma::eye(Lambda.n_rows, Lambda.n_rows); }
  bool in_ellipsoid(const arma::vec& theta, double slack) const {
    return arma::dot(theta - centre, V() * (theta - centre)) <= radius2 * (1 + slack);
  }
};

Case random_case(random::Stream& stream, int p) {
  Case c;
  c.Lambda.zeros(static_cast<arma::uword>(p), static_cast<arma::uword>(p));
  const std::int64_t n = integer_in(stream, 0, 4 * p);
  for (std::int64_t i = 0; i < n; ++i) {
    const arma::vec x = draw_direction(p, stream);
    c.Lambda += std::exp(uniform_in(stream, -2, 4)) * x * x.t();
  }
  c.lambda = std::exp(uniform_in(stream, -2, 2));
  c.B = std::exp(uniform_in(stream, -1, 1));
  c.centre = c.B * uniform_in(stream, 0, 1) * draw_direction(p, stream);
  c.radius2 = std::exp(uniform_in(stream, -4, 4));
  c.x = uniform_in(stream, 0.2, 1) * draw_direction(p, stream);
  return c;
}

/// Primal side of the problem: the best feasible point of the form (V + kappa I)^{-1} (V c + s x), kappa and s >= 0, to
/// which the optimality conditions confine the maximiser.
double best_feasible(const Case& c) {
  const arma::mat V = c.V();
  const arma::mat I = arma::eye(V.n_rows, V.n_rows);
  // largest s with a s^2 + 2 b s + c <= 0, and the smallest one
  const auto interval = [](double a, double b, double free) -> std::pair<double, double> {
    const double discriminant = b * b - a * free;
    if (discriminant < 0) return {1, -1};
    return {(-b - std::sqrt(discriminant)) / a, (-b + std::sqrt(discriminant)) / a};
  };
  const auto value = [&](double kappa) {
    const arma::vec start = arma::solve(V + kappa * I, V * c.centre);
    const arma::vec step = arma::solve(V + kappa * I, c.x);
    const arma::vec offset = start - c.centre;
    const auto ball = interval(arma::dot(step, step), arma::dot(start, step), arma::dot(start, start) - c.B * c.B);
    const auto ellipsoid =
        interval(arma::dot(step, V * step), arma::dot(offset, V * step), arma::dot(offset, V * offset) - c.radius2);
    const double low = std::max({0.0, ball.first, ellipsoid.first}), high = std::min(ball.second, ellipsoid.second);
    return low <= high ? arma::dot(start + high * step, c.x) : -1e300;
  };
  double best = value(0), best_log = -30;
  for (double log_kappa = -14; log_kappa <= 14; log_kappa += 0.02)
    if (const double v = value(std::exp(log_kappa)); v > best) {
      best = v;
      best_log = log_kappa;
    }
  double width = 0.02;
  for (int i = 0; i < 40 && best_log > -30; ++i, width /= 2)
    for (const double log_kappa : {best_log - width, best_log + width})
      if (const double v = value(std::exp(log_kappa)); v > best) {
        best = v;
        best_log = log_kappa;
      }
  return best;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(ucb)

BOOST_AUTO_TEST_CASE(ellipsoid_alone) {
  random::Stream stream = test_stream(101);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const Case c = random_case(stream, static_cast<int>(integer_in(stream, 1, 8)));
    const double expected = arma::dot(c.centre, c.x) + std::sqrt(c.radius2 * arma::dot(c.x, arma::solve(c.V(), c.x)));
    BOOST_TEST(std::abs(Ellipsoid(c.Lambda, c.lambda, c.centre, c.radius2).ucb(c.x) - expected) <=
               1e-9 * std::max(1.0, std::abs(expected)));
  }
}

BOOST_AUTO_TEST_CASE(cut_with_the_ball_is_bracketed_by_a_feasible_point) {
  random::Stream stream = test_stream(102);
  int n_cut = 0;
  double widest = 0;
  for (int repeat = 0; repeat < 150; ++repeat) {
    const Case c = random_case(stream, static_cast<int>(integer_in(stream, 1, 6)));
    const Ellipsoid ellipsoid(c.Lambda, c.lambda, c.centre, c.radius2);
    const double dual = ellipsoid.ucb_in_ball(c.x, c.B);
    const double primal = best_feasible(c);
    const double scale = std::max(1.0, std::abs(dual));
    BOOST_TEST(dual >= primal - 1e-9 * scale);
    BOOST_TEST(dual - primal <= 1e-8 * scale);
    BOOST_TEST(dual <= std::min(ellipsoid.ucb(c.x), c.B * arma::norm(c.x)) + 1e-12 * scale);
    widest = std::max(widest, (dual - primal) / scale);
    n_cut += dual < std::min(ellipsoid.ucb(c.x), c.B * arma::norm(c.x)) - 1e-6;  // the cheap relaxation is not enough
  }
  BOOST_TEST_MESSAGE("widest bracket " << widest << ", both constraints active in " << n_cut << " of 150");
  BOOST_TEST(n_cut > 10);
}

BOOST_AUTO_TEST_CASE(disjoint_ball_falls_back_to_the_ellipsoid) {
  const arma::vec centre = {3, 0}, x = {1, 0};
  const Ellipsoid ellipsoid(arma::mat(2, 2, arma::fill::eye) * 10, 1, centre, 0.1);
  BOOST_TEST(ellipsoid.ucb_in_ball(x, 1) == ellipsoid.ucb(x));
}

BOOST_AUTO_TEST_CASE(longest_point_against_a_fine_grid_and_random_search) {
  random::Stream stream = test_stream(103);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const int p = repeat % 2 ? 5 : 2;
    Case c = random_case(stream, p);
    if (repeat % 10 == 0) c.centre.zeros();  // no direction at all
    if (repeat % 10 == 1) {                  // no part along the longest axis
      c.Lambda = arma::diagmat(arma::linspace(0, 10, static_cast<arma::uword>(p)));
      c.centre(0) = 0;
    }
    const arma::vec longest = Ellipsoid(c.Lambda, c.lambda, c.centre, c.radius2).longest();
    BOOST_TEST(c.in_ellipsoid(longest, 1e-9));
    const arma::vec shortest = Ellipsoid(c.Lambda, c.lambda, c.centre, c.radius2).shortest();
    BOOST_TEST(c.in_ellipsoid(shortest, 1e-9));
    const arma::mat root = arma::inv(arma::chol(c.V()));
    double best = 0;
    for (int i = 0; i < (p == 2 ? 20000 : 100000); ++i) {
      const double angle = 2 * arma::datum::pi * i / 20000;
      const arma::vec u = p == 2 ? arma::vec{std::cos(angle), std::sin(angle)} : draw_direction(p, stream);
      const double norm = arma::norm(c.centre + std::sqrt(c.radius2) * root * u);
      best = std::max(best, norm);
      BOOST_REQUIRE(arma::norm(shortest) <= norm * (1 + 1e-9));
    }
    BOOST_TEST(arma::norm(longest) >= best * (1 - 1e-9));
    BOOST_TEST(arma::norm(longest) <= best * (p == 2 ? 1 + 1e-6 : 1.1));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
