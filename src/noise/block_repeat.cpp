// The same draw repeated L times. MATHEMATICS.md B.5, W1.
#include "law.h"
#include "repeated.h"

namespace mixlab::noise {

void register_block_repeat() {
  processes().add({.name = "block-repeat",
                   .summary = "every draw repeated L times, random phase: saturates the factor d",
                   .formula = "eps_t = xi_{floor((t+phase)/L)};  phi_d = 0 for d >= L, else the largest |xi|",
                   .source = "MATHEMATICS.md B.5, W1",
                   .parameters = {length_parameter(), unit_law_parameter("rademacher", "distribution of xi")}},
                  [](const Request& request) {
                    return std::make_unique<Repeated>(request.parameters.integer("length"), 0,
                                                      request.parameters.text("law"));
                  });
}

}  // namespace mixlab::noise
