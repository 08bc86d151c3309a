// A hidden sign that never changes: phi_d = phi for every d. MATHEMATICS.md W2.
#include "law.h"
#include "repeated.h"

namespace mixlab::noise {

void register_frozen_sign() {
  processes().add({.name = "frozen-sign",
                   .summary = "a hidden sign that never changes: saturates the bias",
                   .formula = "eps_t = phi S + sqrt(1-phi^2) xi_t, S a hidden fair sign;  phi_d = phi for all d",
                   .source = "MATHEMATICS.md W2",
                   .parameters = {frozen_parameter(), unit_law_parameter("gaussian", "distribution of xi")}},
                  [](const Request& request) {
                    return std::make_unique<Repeated>(1, request.parameters.real("frozen"),
                                                      request.parameters.text("law"));
                  });
}

}  // namespace mixlab::noise
