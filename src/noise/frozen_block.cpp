// Frozen sign and repeated draws together. MATHEMATICS.md W4.
#include "law.h"
#include "repeated.h"

namespace mixlab::noise {

void register_frozen_block() {
  processes().add(
      {.name = "frozen-block",
       .summary = "hidden frozen sign and draws repeated L times: saturates both terms",
       .formula =
           "eps_t = phi S + sqrt(1-phi^2) xi_{floor((t+phase)/L)};  phi_d = phi for d >= L, else phi + sqrt(1-phi^2) "
           "times the largest |xi|",
       .source = "MATHEMATICS.md W4",
       .parameters = {frozen_parameter(), length_parameter(), unit_law_parameter("rademacher", "distribution of xi")}},
      [](const Request& request) {
        return std::make_unique<Repeated>(request.parameters.integer("length"), request.parameters.real("frozen"),
                                          request.parameters.text("law"));
      });
}

}  // namespace mixlab::noise
