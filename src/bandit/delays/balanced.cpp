#include <cmath>

#include "mixlab/bandit/delay.h"

namespace mixlab::bandit {
namespace {

// Where d blocks and the bias of T rounds cost the same, d = T phi_d with phi in units of sigma.
double balanced_rule(const DelayQuestion& question) {
  const auto T = static_cast<double>(question.T);
  const double unit = question.scale / question.sigma();
  if (const auto algebraic = question.noise.algebraic())
    return std::ceil(std::pow(unit * algebraic->C * T, 1 / (1 + algebraic->r)));
  std::int64_t low = 0, high = question.T;  // d < T phi_d at low, not at high
  while (high - low > 1) {
    const std::int64_t d = low + (high - low) / 2;
    (static_cast<double>(d) < T * unit * question.noise.phi(d) ? low : high) = d;
  }
  return static_cast<double>(high);
}

}  // namespace

void register_balanced_delay() {
  delay_rules().add({.name = "balanced",
                     .summary = "where delay and bias cost the same",
                     .formula = "ceil((C T)^{1/(1+r)}) for phi_d <= C d^{-r}; else the smallest d with d >= T phi_d",
                     .source = "MATHEMATICS.md A.6 no. 23"},
                    {.choose = balanced_rule, .growth = [](double r, double) { return 1 / (1 + r); }});
}

}  // namespace mixlab::bandit
