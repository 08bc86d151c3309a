#include "mixlab/bandit/ucb.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace mixlab::bandit {
namespace {

constexpr double golden = 0.6180339887498949;
constexpr int n_golden_steps = 60;
constexpr int n_bisections = 200;

}  // namespace

Ellipsoid::Ellipsoid(const arma::mat& Lambda, double lambda, const arma::vec& centre, double radius2)
    : radius2_(radius2) {
  if (!arma::eig_sym(v_, axes_, Lambda))
    throw std::runtime_error("eigendecomposition failed in the upper confidence bound");
  v_ = arma::clamp(v_, 0.0, std::numeric_limits<double>::infinity()) + lambda;
  c_ = axes_.t() * centre;
}

double Ellipsoid::ucb(const arma::vec& x) const {
  const arma::vec along = axes_.t() * x;
  return arma::dot(c_, along) + std::sqrt(radius2_ * arma::accu(arma::square(along) / v_));
}

double Ellipsoid::ucb_in_ball(const arma::vec& x, double B) const {
  const arma::vec along = axes_.t() * x;
  const double length = std::sqrt(arma::dot(along, along));
  const double at_infinity = B * length;
  if (length > 0) {  // where the maximiser over one of the two lies in the other
    const arma::vec of_ball = B / length * along;
    if (arma::accu(v_ % arma::square(of_ball - c_)) <= radius2_) return at_infinity;
    const arma::vec of_ellipsoid = c_ + std::sqrt(radius2_ / arma::accu(arma::square(along) / v_)) * (along / v_);
    if (arma::dot(of_ellipsoid, of_ellipsoid) <= B * B) return arma::dot(of_ellipsoid, along);
  }
  const double scale = arma::mean(v_);
  bool disjoint = false;
  // g(kappa) = <x, c_k> + r_k ||x||_{(V + kappa I)^{-1}}, kappa = scale s/(1-s): an upper bound for every s in [0,1)
  const auto dual = [&](double s) {
    const double kappa = scale * s / (1 - s);
    double mean = 0, width = 0, inside = 0;
    for (arma::uword i = 0; i < v_.n_elem; ++i) {
      const double shifted = v_(i) + kappa;
      mean += along(i) * v_(i) * c_(i) / shifted;
      width += along(i) * along(i) / shifted;
      inside += v_(i) * c_(i) * c_(i) / shifted;
    }
    const double radius2 = radius2_ + kappa * (B * B - inside);
    if (radius2 < 0) disjoint = true;
    return mean + std::sqrt(std::max(0.0, radius2) * width);
  };
  double low = 0, high = 1;
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = dual(left), at_right = dual(right);
  for (int step = 0; step < n_golden_steps; ++step) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = dual(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = dual(right);
    }
  }
  if (disjoint) return ucb(x);
  return std::min({at_left, at_right, dual(0), at_infinity});
}

// The maximiser is theta_i = v_i c_i/(v_i - w) with w in (0, v_min) and sum v_i (theta_i - c_i)^2 = radius2. If c has no
// part along the axes of v_min even w = v_min may leave some radius: the rest goes along the first such axis.
arma::vec Ellipsoid::longest() const {
  const double smallest = v_(0);
  const auto spent = [&](double w) {
    double sum = 0;
    for (arma::uword i = 0; i < v_.n_elem; ++i)
      if (c_(i) != 0) sum += v_(i) * std::pow(c_(i) * w / (v_(i) - w), 2);
    return sum;
  };
  double low = 0, high = smallest;
  for (int step = 0; step < n_bisections; ++step) {
    const double w = 0.5 * (low + high);
    if (w == low || w == high) break;
    (spent(w) < radius2_ ? low : high) = w;
  }
  arma::vec theta(v_.n_elem);
  for (arma::uword i = 0; i < v_.n_elem; ++i) theta(i) = c_(i) == 0 ? 0 : v_(i) * c_(i) / (v_(i) - low);
  const double rest = radius2_ - spent(low);
  if (rest > 1e-12 * radius2_) {
    const double offset = theta(0) - c_(0);
    const double length = std::sqrt(offset * offset + rest / v_(0));
    theta(0) = c_(0) + (c_(0) < 0 ? -length : length);
  }
  return axes_ * theta;
}

// theta_i = v_i c_i/(v_i + w) with w >= 0 and sum v_i (theta_i - c_i)^2 = radius2; 0 if the ellipsoid contains it.
arma::vec Ellipsoid::shortest() const {
  const auto spent = [&](double w) { return arma::accu(v_ % arma::square(w * c_ / (v_ + w))); };
  if (arma::accu(v_ % arma::square(c_)) <= radius2_) return arma::vec(c_.n_elem, arma::fill::zeros);
  double low = 0, high = 1;
  while (spent(high) < radius2_) high *= 2;
  for (int step = 0; step < n_bisections; ++step) {
    const double w = 0.5 * (low + high);
    (spent(w) < radius2_ ? low : high) = w;
  }
  return axes_ * (v_ % c_ / (v_ + low));
}

// Where the segment from the shortest to the longest point leaves the ball: a point of norm B in both.
arma::vec Ellipsoid::longest_in_ball(double B) const {
  const arma::vec to = longest();
  if (arma::dot(to, to) <= B * B) return to;
  const arma::vec from = shortest(), step = to - from;
  const double a = arma::dot(step, step), b = arma::dot(from, step), c = arma::dot(from, from) - B * B;
  if (c >= 0 || a == 0) return to;
  return from + (-b + std::sqrt(b * b - a * c)) / a * step;
}

}  // namespace mixlab::bandit
