// The same argument with the exact second moment of the prior and without the union bound. MATHEMATICS.md (A6).
#include <cmath>

#include "blocks.h"
#include "mixing.h"

namespace mixlab::bandit {
namespace {

class Tight final : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  Centre centre() const override { return Centre::least_squares; }

  double radius2(std::int64_t t, double) const override {
    const auto& c = constants();
    return at_delta_one(t) - 2 * c.sigma * c.sigma * n_active_blocks(t, c.d) * std::log(c.delta);
  }

  double log_p(std::int64_t t, double q, double) const override {
    const auto& c = constants();
    return -(q - at_delta_one(t)) / (2 * c.sigma * c.sigma * n_active_blocks(t, c.d));
  }

  std::string why_not_guaranteed(const Collection& collection) const override {
    return needs_lag_and_phi(constants(), collection);
  }

 private:
  double at_delta_one(std::int64_t t) const {
    const auto& c = constants();
    const double sigma2 = c.sigma * c.sigma;
    const double regret =
        sum_over_blocks(t, c.d, [&](std::int64_t k) { return tight_block_regret(k, c.p, c.B / c.sigma); });
    return 2 * sigma2 * regret + 4 * c.lambda * c.B * c.B + 2 * (2 * c.B + c.sigma) * total_bias(t, c.d, c.phi) +
           2 * sigma2 * cost_of_blocks(t, c.d);
  }
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
