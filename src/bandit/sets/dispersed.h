// A telescope, or selfnorm, that counts how far its blocks disagree (MATHEMATICS.md F.7): with g blocks r of rounds, V_r =
// Lambda^(r) + (lambda/g) I and b_r the sum of X_s Y_s over block r,
//   q_t + Disp_t <= (b_t + sqrt(lambda B^2 + D ((1/g) sum_r log det(I + (g/lambda) Lambda^(r)) + 2 A_t log(1/delta) + 2)))^2,
//   Disp_t = sum_r b_r' V_r^{-1} b_r - b' V_t^{-1} b >= 0.
#pragma once

#include <memory>

#include "telescope.h"

namespace mixlab::bandit {

/// `constants`: d and phi are those of the end of the path.
std::unique_ptr<const ConfidenceSet> make_dispersed(const SetConstants& constants, TelescopeRadius radius);

/// Whether `dispersion = yes`.
bool asks_for_dispersion(const SetConstants& constants);
Parameter dispersion_parameter();
/// What it makes of the formula of a set.
extern const char* const dispersion_formula;

}  // namespace mixlab::bandit
