// Tight with the penalty inside the integral, which costs kappa, about 2B, per round, and with a prior as wide as the
// horizon asks for. MATHEMATICS.md (A9), F.6.
#include "block_set.h"

namespace mixlab::bandit {
namespace {

class TightKappa final : public BlockSet {
 public:
  explicit TightKappa(const SetConstants& constants) : BlockSet(constants) {
    if (constants.T == 0) return;
    margin_ = best_margin([&](double margin) {
      margin_ = margin;
      return radius2(constants.T, 0);
    });
  }

 private:
  double regret(std::int64_t k) const override {
    return margin_block_regret(k, constants().p, constants().B / constants().sigma, margin_);
  }
  double kappa() const override {
    return constants().sigma * bias_constant(constants().p, constants().B / constants().sigma, margin_);
  }
  double cost(std::int64_t t) const override { return cost_of_blocks(t, constants().d); }

  double margin_ = 1;  ///< m: the prior is uniform on the ball of radius B + m sigma
};

}  // namespace

void register_tight_kappa() {
  confidence_sets().add(
      {.name = "tight-kappa",
       .summary = "tight with the smaller bias constant of (A9) and a prior that fits the horizon",
       .formula = "||theta - theta_hat_t||_V^2 <= 2 sum_j r_p(t_j; m) + 4 lambda B^2 + 2 (t-d)_+ kappa phi_d + 2 m_t "
                  "log(1/delta) + 2d   (sigma = 1, d > 2);  kappa = 2B if 2B >= m, m the best prior margin at T",
       .source = "MATHEMATICS.md F.6"},
      {.make = [](const SetConstants& constants) { return std::make_unique<TightKappa>(constants); }});
}

}  // namespace mixlab::bandit
