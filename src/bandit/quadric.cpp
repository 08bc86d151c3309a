#include "mixlab/bandit/quadric.h"

#include <cmath>
#include <limits>

namespace mixlab::bandit {
namespace {

constexpr double tolerance = 1e-9;

}  // namespace

double value(const Quadric& quadric, double x, double y) {
  const auto& [one, in_x, in_y, in_xx, in_xy, in_yy] = quadric;
  return one + in_x * x + in_y * y + in_xx * x * x + in_xy * x * y + in_yy * y * y;
}

Quadric quadric_of(const ConfidenceSet& set, const Regression& data, const Ridge& ridge, const arma::vec& theta) {
  const auto at = [&](double x, double y) { return set.distance2(arma::vec{x, y}, data, ridge); };
  const double origin = at(0, 0), right = at(1, 0), left = at(-1, 0), up = at(0, 1), down = at(0, -1);
  Quadric found = {origin, (right - left) / 2,      (up - down) / 2, (right + left) / 2 - origin,
                   0,      (up + down) / 2 - origin};
  const double corner = at(1, 1);
  found[4] = corner - value(found, 1, 1);
  const double size = std::abs(origin) + std::abs(right) + std::abs(left) + std::abs(up) + std::abs(down) + corner;
  const double error = set.distance2(theta, data, ridge) - value(found, theta(0), theta(1));
  if (!(std::abs(error) <= tolerance * (1 + size))) found.fill(std::numeric_limits<double>::quiet_NaN());
  return found;
}

}  // namespace mixlab::bandit
