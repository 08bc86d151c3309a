// The tightest radius that the paper's own argument proves. MATHEMATICS.md (A4).
#include "block_set.h"

namespace mixlab::bandit {
namespace {

class Proof final : public BlockSet {
 public:
  using BlockSet::BlockSet;

 private:
  double regret(std::int64_t k) const override {
    return block_regret(k, constants().p, constants().B / constants().sigma);
  }
  double cost(std::int64_t t) const override {
    return n_active_blocks(t, constants().d) * std::log(static_cast<double>(constants().d));
  }
};

}  // namespace

void register_proof() {
  confidence_sets().add(
      {.name = "proof",
       .summary = "the tightest set that the paper's own argument proves",
       .formula = "||theta - theta_hat_t||_V^2 <= 2 sum_j r_p(t_j) + 4 lambda B^2 + 2 (t-d)_+ (2B+1) phi_d + 2 m_t "
                  "log(d/delta)   (sigma = 1)",
       .source = "MATHEMATICS.md (A4), with r_p of (A2)"},
      {.make = [](const SetConstants& constants) { return std::make_unique<Proof>(constants); }});
}

}  // namespace mixlab::bandit
