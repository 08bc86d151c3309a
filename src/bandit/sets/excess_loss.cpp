// The set that Theorem 1 relaxes: all theta of the ball with small excess loss. MATHEMATICS.md E.4 (b).
#include "mixing.h"
#include "paper.h"

namespace mixlab::bandit {
namespace {

class ExcessLoss final : public Theorem1Set {
 public:
  using Theorem1Set::Theorem1Set;
  Distance distance() const override { return Distance::in_loss; }
  std::string why_not_guaranteed(const Collection& collection) const override {
    const auto& c = constants();
    const std::string reason = needs_lag_and_phi(c, collection);
    if (!reason.empty() || c.phi == 0 || c.B <= c.sigma) return reason;
    return "the constant B + sigma is proved for B <= sigma only (A9)";
  }
};

}  // namespace

void register_excess_loss() {
  confidence_sets().add(
      {.name = "excess-loss",
       .summary = "points of the ball whose loss is close to the least: inside theorem1",
       .formula = "2 (L_t(theta) - L_t(theta_hat_t)) <= d p log((B+1)^2 e max(dp,t+d)/(dp)) + 2 t (B+1) phi_d + 2 d "
                  "log(d/delta)   (sigma = 1)",
       .source = "MATHEMATICS.md E.4 (b)"},
      {.make = [](const SetConstants& constants) { return std::make_unique<ExcessLoss>(constants); }});
}

}  // namespace mixlab::bandit
