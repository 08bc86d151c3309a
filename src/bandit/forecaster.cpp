#include "mixlab/bandit/forecaster.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "mixlab/bandit/least_squares.h"

namespace mixlab::bandit {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double cut_off = 45;  ///< beyond it lies a share of e^-45 of an integral

/// log Phi(z); for z < 0 by a scaled complementary error function, which does not underflow.
double log_normal_cdf(double z) {
  const double x = -z / std::sqrt(2.0);
  if (x < 20) return std::log(0.5 * std::erfc(x));
  double term = 1, sum = 1;
  for (int k = 1; k <= 10; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return -x * x + std::log(sum / (2 * x * std::sqrt(pi)));
}

/// log of the integral of exp(b theta - L theta^2 / 2) over [-R, R].
double log_integral_on_line(double L, double b, double R) {
  if (L == 0) return std::log(2 * R);
  double low = (-R * L - b) / std::sqrt(L), high = (R * L - b) / std::sqrt(L);
  if (low > 0) std::swap(low, high), low = -low, high = -high;
  const double log_high = log_normal_cdf(high);
  return b * b / (2 * L) + 0.5 * std::log(2 * pi / L) + log_high +
         std::log1p(-std::exp(log_normal_cdf(low) - log_high));
}

/// The integrand x exp(c x - a x^2 / 2) of one direction, x from 0 to R.
struct Ray {
  double a = 0, c = 0, R = 1;

  double exponent(double x) const { return (c - a * x / 2) * x; }
  double peak() const { return c <= 0 ? 0 : c >= a * R ? R : c / a; }

  /// log of the integral, over what counts beside the peak.
  double log_integral() const {
    const double top = peak(), slope = std::abs(c - a * top);
    // Where slope w + a w^2 / 2 = cut_off, and the factor x adds its logarithm.
    const double w = slope > 0 || a > 0 ? 2 * cut_off / (slope + std::sqrt(slope * slope + 2 * a * cut_off))
                                        : std::numeric_limits<double>::infinity();
    const double low = std::max(0.0, top - w), high = std::min(R, top + w), shift = exponent(top);
    const auto density = [&](double x) { return x * std::exp(exponent(x) - shift); };
    using Rule = boost::math::quadrature::gauss<double, 30>;
    const double middle = (low + high) / 2;
    return shift + std::log(Rule::integrate(density, low, middle) + Rule::integrate(density, middle, high));
  }
};

/// log of the integral of exp(b'theta - theta'L theta / 2) over the disc of radius R. In the angle the integrand is
/// periodic and analytic: equal steps well below its width leave no error.
double log_integral_on_disc(const arma::mat& L, const arma::vec& b, double R) {
  const double curvature = arma::trace(L) * R * R + arma::norm(b) * R;
  const int n = std::max(48, static_cast<int>(std::ceil(9 * std::sqrt(curvature))));
  std::vector<Ray> rays;
  double top = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < n; ++k) {
    const arma::vec u = {std::cos(2 * pi * k / n), std::sin(2 * pi * k / n)};
    rays.push_back({arma::dot(u, L * u), arma::dot(b, u), R});
    top = std::max(top, rays.back().exponent(rays.back().peak()));
  }
  double sum = 0;
  for (const auto& ray : rays)
    if (ray.exponent(ray.peak()) > top - cut_off) sum += std::exp(ray.log_integral() - top);
  return top + std::log(2 * pi / n * sum);
}

}  // namespace

Forecaster::Forecaster(int p, double radius)
    : radius_(radius),
      b_(static_cast<arma::uword>(p), arma::fill::zeros),
      Lambda_(static_cast<arma::uword>(p), static_cast<arma::uword>(p), arma::fill::zeros) {
  if (p != 1 && p != 2) throw std::invalid_argument("a forecaster's loss is exact for p = 1 and 2 only");
}

void Forecaster::absorb(const arma::vec& x, double y) {
  ++n_;
  sum_of_squares_ += y * y;
  b_ += x * y;
  Lambda_ += x * x.t();
  const bool is_line = b_.n_elem == 1;
  const double log_integral =
      is_line ? log_integral_on_line(Lambda_(0, 0), b_(0), radius_) : log_integral_on_disc(Lambda_, b_, radius_);
  const double log_volume = is_line ? std::log(2 * radius_) : std::log(pi * radius_ * radius_);
  cumulative_loss_ = sum_of_squares_ / 2 + log_volume - log_integral;
}

double Forecaster::loss_of(const arma::vec& theta) const {
  return sum_of_squares_ / 2 - arma::dot(b_, theta) + arma::dot(theta, Lambda_ * theta) / 2;
}

double Forecaster::regret(double B) const {
  if (n_ == 0) return 0;
  return cumulative_loss_ - loss_of(constrained_least_squares(Lambda_, b_, B).theta);
}

}  // namespace mixlab::bandit
