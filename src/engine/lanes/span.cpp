#include "span.h"

#include <algorithm>
#include <cmath>

namespace mixlab::engine::lanes {
namespace {

constexpr double in_the_span = 1e-14;  // relative: what is left of an arm is rounding

double dot(const double* x, const double* y, int p) {
  double sum = 0;
  for (int i = 0; i < p; ++i) sum += x[i] * y[i];
  return sum;
}

/// Takes out of x its parts on the first n axes, which are added to `parts`; returns the length of what is left. Twice, as
/// the first time leaves rounding behind.
double take_out(const std::vector<double>& axes, int n, double* x, int p, double* parts) {
  for (int pass = 0; pass < 2; ++pass)
    for (int j = 0; j < n; ++j) {
      const double* axis = axes.data() + j * p;
      const double part = dot(axis, x, p);
      for (int i = 0; i < p; ++i) x[i] -= part * axis[i];
      parts[j] += part;
    }
  return std::sqrt(dot(x, x, p));
}

}  // namespace

Instance on_axes_of_arms(Instance instance, int p) {
  const int n_arms = static_cast<int>(instance.means.size()), n_axes = n_arms + 1;
  std::vector<double> axes(static_cast<std::size_t>(n_arms * p)), arms(static_cast<std::size_t>(n_arms * n_axes)),
      theta(static_cast<std::size_t>(n_axes));
  for (int k = 0; k < n_arms; ++k) {
    double* arm = instance.arms.data() + k * p;
    const double length = std::sqrt(dot(arm, arm, p));
    const double rest = take_out(axes, k, arm, p, arms.data() + k * n_axes);
    if (rest <= in_the_span * length) continue;  // that axis stays empty
    for (int i = 0; i < p; ++i) axes[static_cast<std::size_t>(k * p + i)] = arm[i] / rest;
    arms[static_cast<std::size_t>(k * n_axes + k)] = rest;
  }
  theta.back() = take_out(axes, n_arms, instance.theta.data(), p, theta.data());
  return {std::move(theta), std::move(arms), std::move(instance.means), instance.best, std::move(axes)};
}

std::vector<double> OldAxes::operator()(const std::vector<double>& x) const {
  for (std::size_t k = 0; k < now_.means.size(); ++k)
    if (std::equal(x.begin(), x.end(), now_.arms.begin() + static_cast<std::ptrdiff_t>(k * x.size()))) {
      const auto arm = arms_.begin() + static_cast<std::ptrdiff_t>(k) * p_;
      return {arm, arm + p_};
    }
  std::vector<double> old(static_cast<std::size_t>(p_));
  for (std::size_t j = 0; j < now_.means.size(); ++j)
    for (std::size_t i = 0; i < old.size(); ++i) old[i] += x[j] * now_.axes[j * old.size() + i];
  return old;
}

}  // namespace mixlab::engine::lanes
