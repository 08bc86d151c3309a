// Theorem 1 of the paper: the same statement in the norm of Lambda, so without the term of lambda.
#include "paper.h"

namespace mixlab::bandit {
namespace {

class Theorem1 final : public Theorem1Set {
 public:
  using Theorem1Set::Theorem1Set;
  Distance distance() const override { return Distance::in_Lambda; }
  std::string why_not_guaranteed(const Collection& collection) const override {
    return theorem1_why_not(constants(), collection);
  }
};

}  // namespace

void register_theorem1() {
  confidence_sets().add(
      {.name = "theorem1",
       .summary = "the paper's Theorem 1, in the norm of Lambda",
       .formula = "||theta - theta_hat_t||_Lambda^2 <= d p log((B+1)^2 e max(dp,t+d)/(dp)) + 2 t (B+1) phi_d + 2 d "
                  "log(d/delta)   (sigma = 1)",
       .source = "Theorem 1 of the paper; MATHEMATICS.md (A5) without 4 lambda B^2"},
      {.make = [](const SetConstants& constants) { return std::make_unique<Theorem1>(constants); }});
}

}  // namespace mixlab::bandit
