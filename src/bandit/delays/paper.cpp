#include <cmath>

#include "mixlab/bandit/delay.h"
#include "mixlab/core/error.h"

namespace mixlab::bandit {
namespace {

// Everything in units of sigma. Geometric: phi_d <= sigma p/((B/sigma) T). A rule for r <= 1 is allowed; the regret
// theorem is then vacuous, coverage is not (no. 25).
double paper_rule(const DelayQuestion& question) {
  if (question.noise.phi(1) == 0) return 1;
  const auto T = static_cast<double>(question.T);
  const double unit = question.scale / question.sigma();
  if (const auto geometric = question.noise.geometric())
    return std::ceil(geometric->tau * std::log(question.B / question.sigma() * unit * geometric->C * T / question.p));
  if (const auto algebraic = question.noise.algebraic())
    return std::ceil(unit * algebraic->C * std::pow(T, 1 / (1 + algebraic->r)));
  throw KeyError(
      "confidence.delay",
      "bad value for confidence.delay: 'paper' (needs noise with a geometric or algebraic certificate); give a "
      "number or auto");
}

}  // namespace

void register_paper_delay() {
  delay_rules().add({.name = "paper",
                     .summary = "the paper's rule for geometric and for algebraic mixing",
                     .formula = "d = ceil(tau log(B C T/p)), or ceil(C T^{1/(1+r)}), B and C in units of sigma; "
                                "clipped to [1,T]; 1 for independent noise",
                     .source = "Corollaries 2 and 3 of the paper; MATHEMATICS.md A.6 no. 19, 23"},
                    {.choose = paper_rule, .growth = [](double r, double) { return 1 / (1 + r); }});
}

}  // namespace mixlab::bandit
