// The tightest radius that the paper's own argument proves. MATHEMATICS.md (A4).
#include <cmath>

#include "blocks.h"
#include "mixing.h"

namespace mixlab::bandit {
namespace {

class Proof final : public ConfidenceSet {
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
  // 2 sigma^2 sum_j r_p(t_j; B/sigma) + 4 lambda B^2 + 2 (t-d)_+ (2B + sigma) phi_d + 2 sigma^2 m_t log d
  double at_delta_one(std::int64_t t) const {
    const auto& c = constants();
    const double sigma2 = c.sigma * c.sigma;
    const double regret = sum_over_blocks(t, c.d, [&](std::int64_t k) { return block_regret(k, c.p, c.B / c.sigma); });
    const double union_bound = n_active_blocks(t, c.d) * std::log(static_cast<double>(c.d));
    return 2 * sigma2 * regret + 4 * c.lambda * c.B * c.B + 2 * (2 * c.B + c.sigma) * total_bias(t, c.d, c.phi) +
           2 * sigma2 * union_bound;
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
