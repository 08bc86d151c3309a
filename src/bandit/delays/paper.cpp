#include <cmath>

#include "mixlab/bandit/delay.h"
#include "mixlab/error.h"

namespace mixlab::bandit {
namespace {

// ceil(tau log(B C T/p)) in units of sigma, so that phi_d <= sigma p/((B/sigma) T)
double paper_rule(const DelayQuestion& question) {
  if (question.noise.phi(1) == 0) return 1;
  const auto certificate = question.noise.geometric();
  if (!certificate)
    throw KeyError("confidence.delay",
                   "bad value for confidence.delay: 'paper' (needs noise with a geometric "
                   "certificate phi_d <= C exp(-d/tau)); give a number");
  const double BCT_over_p = question.B / question.sigma * certificate->C * static_cast<double>(question.T) / question.p;
  return std::max(1.0, std::ceil(certificate->tau * std::log(BCT_over_p)));
}

}  // namespace

void register_paper_delay() {
  delay_rules().add({.name = "paper",
                     .summary = "the paper's rule for geometric mixing",
                     .formula = "d = ceil(tau log(B C T/p)), clipped to [1,T]; 1 for independent noise",
                     .source = "Corollary 2 of the paper; MATHEMATICS.md A.6 no. 19"},
                    paper_rule);
}

}  // namespace mixlab::bandit
