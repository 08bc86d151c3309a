// Tight-kappa with the bias summed by Cauchy-Schwarz: phi sqrt t beside the root, as in selfnorm, and no B in it.
// MATHEMATICS.md (F13).
#include <algorithm>
#include <cmath>

#include "blocks.h"
#include "mixing.h"

namespace mixlab::bandit {
namespace {

class TightRoot final : public AnalyticSet {
 public:
  explicit TightRoot(const SetConstants& constants) : AnalyticSet(constants) {
    if (constants.T == 0) return;
    margin_ = best_margin([&](double margin) {
      margin_ = margin;
      return radius2(constants.T, 0);
    });
  }
  Centre centre() const override { return Centre::least_squares; }

  // b_t + sqrt(b_t^2 + 2 sigma^2 (G_t + m_t log(1/delta)) + 2 sigma b_t e_t + 4 lambda B^2)
  RadiusTerms terms(std::int64_t t) const override {
    const auto& c = constants();
    const double sigma2 = c.sigma * c.sigma;
    const double bias = t <= c.d ? 0 : c.phi * std::sqrt(static_cast<double>(t - c.d));
    const double G = sum_over_blocks(t, c.d, [&](std::int64_t k) { return regret(k); }) + cost_of_blocks(t, c.d);
    const double spread = sum_over_blocks(t, c.d, [&](std::int64_t k) { return spread_of_block(k); });
    const double e = std::sqrt(2 * G + spread) - std::sqrt(2 * G);
    return {.bias = bias,
            .constant = bias * bias + 2 * sigma2 * G + 2 * c.sigma * bias * e + 4 * c.lambda * c.B * c.B,
            .per_log_delta = 2 * sigma2 * n_active_blocks(t, c.d)};
  }

  std::string why_not_guaranteed(const Collection& collection) const override {
    return needs_lag_and_phi(constants(), collection);
  }

 private:
  double regret(std::int64_t k) const {
    return margin_block_regret(k, constants().p, constants().B / constants().sigma, margin_);
  }
  /// Sum over k rounds of the variance of <U, X_s>, U uniform on the ball of the comparators.
  double spread_of_block(std::int64_t k) const {
    const double p = constants().p;
    return std::min(static_cast<double>(k) * margin_ * margin_ / (p + 2), p);
  }

  double margin_ = 1;  ///< m: the prior is uniform on the ball of radius B + m sigma
};

}  // namespace

void register_tight_root() {
  confidence_sets().add(
      {.name = "tight-root",
       .summary = "tight-kappa with bias phi sqrt t instead of sqrt(t phi): smaller at shorter delays",
       .formula =
           "||theta - theta_hat_t||_V <= b_t + sqrt(b_t^2 + 2 G_t + 2 m_t log(1/delta) + 2 b_t e_t + 4 lambda B^2), "
           " b_t = phi_d sqrt((t-d)_+), G_t = sum_j r_p(t_j; m) + d, e_t = sqrt(2 G_t + v_t) - sqrt(2 G_t), v_t = "
           "sum_j min(t_j m^2/(p+2), p)   (sigma = 1, d > 2);  m the best prior margin at T",
       .source = "MATHEMATICS.md (F13)"},
      {.make = [](const SetConstants& constants) { return std::make_unique<TightRoot>(constants); },
       // beta_T ~ sqrt(d) + phi_d sqrt(T)
       .radius_exponent = [](double g, double r) { return std::max(g / 2, 0.5 - r * g); },
       .best_delay_growth = [](double r) { return 1 / (1 + 2 * r); }});
}

}  // namespace mixlab::bandit
