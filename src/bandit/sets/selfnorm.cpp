// The self-normalised set for mixing noise ("Mixing-OFUL"). MATHEMATICS.md E.3.
#include <cmath>

#include "blocks.h"
#include "dispersed.h"
#include "mixing.h"

namespace mixlab::bandit {
namespace {

class Selfnorm final : public AnalyticSet {
 public:
  using AnalyticSet::AnalyticSet;
  Centre centre() const override { return Centre::ridge; }

  // phi_d sqrt((t-d)_+) + sqrt(lambda B^2 + sigma^2 d logdet + 2 sigma^2 (cost + m_t log(1/delta)))
  RadiusTerms terms(std::int64_t t) const override {
    const auto& c = constants();
    const double sigma2 = c.sigma * c.sigma;
    return {.bias = t <= c.d ? 0 : c.phi * std::sqrt(static_cast<double>(t - c.d)),
            .constant = c.lambda * c.B * c.B + 2 * sigma2 * cost_of_blocks(t, c.d),
            .per_logdet = sigma2 * static_cast<double>(c.d),
            .per_log_delta = 2 * sigma2 * n_active_blocks(t, c.d)};
  }

  std::string why_not_guaranteed(const Collection& collection) const override {
    return needs_lag_and_phi(constants(), collection);
  }
};

std::unique_ptr<const ConfidenceSet> make_selfnorm(const SetConstants& c) {
  if (!asks_for_dispersion(c)) return std::make_unique<Selfnorm>(c);
  const LagPath path{.levels = {{.lag = 0, .width = c.d, .proxy = c.sigma}}, .end = c.d};
  return make_dispersed(c, TelescopeRadius(path, c.phi));
}

}  // namespace

void register_selfnorm() {
  confidence_sets().add(
      {.name = "selfnorm",
       .summary = "self-normalised set for mixing noise: bias phi sqrt t instead of sqrt(t phi)",
       .formula = std::string("||theta - theta_ridge||_V <= phi_d sqrt((t-d)_+) + sqrt(lambda B^2 + d log det(I + "
                              "Lambda/lambda) + 2 m_t log(1/delta) + 2d)   (sigma = 1, d > 2)") +
                  dispersion_formula + ", g = d",
       .source = "MATHEMATICS.md E.3",
       .parameters = {dispersion_parameter()}},
      {.make = make_selfnorm,
       .default_lambda =
           [](const SetConstants& c) { return static_cast<double>(c.d) * c.sigma * c.sigma / (c.B * c.B); },
       // beta_T ~ sqrt(d) + phi_d sqrt(T)
       .radius_exponent = [](double g, double r) { return std::max(g / 2, 0.5 - r * g); },
       .best_delay_growth = [](double r) { return 1 / (1 + 2 * r); }});
}

}  // namespace mixlab::bandit
