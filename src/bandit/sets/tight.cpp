// The same argument with the exact second moment of the prior and without the union bound. MATHEMATICS.md (A6).
#include "block_set.h"

namespace mixlab::bandit {
namespace {

class Tight final : public BlockSet {
 public:
  using BlockSet::BlockSet;

 private:
  double regret(std::int64_t k) const override {
    return tight_block_regret(k, constants().p, constants().B / constants().sigma);
  }
  double cost(std::int64_t t) const override { return cost_of_blocks(t, constants().d); }
};

}  // namespace

void register_tight() {
  confidence_sets().add(
      {.name = "tight",
       .summary = "proof, tightened: exact second moment, no union bound",
       .formula = "||theta - theta_hat_t||_V^2 <= 2 sum_j r~_p(t_j) + 4 lambda B^2 + 2 (t-d)_+ (2B+1) phi_d + 2 m_t "
                  "log(1/delta) + 2d   (sigma = 1, d > 2)",
       .source = "MATHEMATICS.md (A6), with r~_p of (A3) and E.2"},
      {.make = [](const SetConstants& constants) { return std::make_unique<Tight>(constants); }});
}

}  // namespace mixlab::bandit
