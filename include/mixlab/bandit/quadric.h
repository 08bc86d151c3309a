// A confidence set in the plane as a formula that anyone can draw.
#pragma once

#include <array>

#include "mixlab/bandit/confidence_set.h"

namespace mixlab::bandit {

/// distance2(theta) at theta = (x, y) as the sum of these terms times 1, x, y, x^2, x y, y^2.
using Quadric = std::array<double, 6>;

double value(const Quadric& quadric, double x, double y);

/// Found by asking the set for six distances; all NaN if a seventh, at `theta`, shows that its distance is no quadric.
/// Precondition: p = 2.
Quadric quadric_of(const ConfidenceSet& set, const Regression& data, const Ridge& ridge, const arma::vec& theta);

}  // namespace mixlab::bandit
