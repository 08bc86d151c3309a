// The self-normalised set for mixing noise ("Mixing-OFUL"). MATHEMATICS.md E.3.
#include <algorithm>
#include <cmath>

#include "blocks.h"
#include "mixing.h"

namespace mixlab::bandit {
namespace {

class Selfnorm final : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  Centre centre() const override { return Centre::ridge; }

  double radius2(std::int64_t t, double logdet) const override {
    const auto& c = constants();
    const double inside = at_delta_one(t, logdet) - 2 * c.sigma * c.sigma * n_active_blocks(t, c.d) * std::log(c.delta);
    const double radius = bias(t) + std::sqrt(inside);
    return radius * radius;
  }

  double log_p(std::int64_t t, double q, double logdet) const override {
    const auto& c = constants();
    const double n = std::max(0.0, std::sqrt(q) - bias(t));
    return -(n * n - at_delta_one(t, logdet)) / (2 * c.sigma * c.sigma * n_active_blocks(t, c.d));
  }

  std::string why_not_guaranteed(const Collection& collection) const override {
    return needs_lag_and_phi(constants(), collection);
  }

 private:
  // phi_d sqrt((t-d)_+)
  double bias(std::int64_t t) const {
    const auto& c = constants();
    return t <= c.d ? 0 : c.phi * std::sqrt(static_cast<double>(t - c.d));
  }

  // lambda B^2 + sigma^2 d logdet + 2 sigma^2 (ell_t at delta = 1)
  double at_delta_one(std::int64_t t, double logdet) const {
    const auto& c = constants();
    const double sigma2 = c.sigma * c.sigma;
    return c.lambda * c.B * c.B + sigma2 * static_cast<double>(c.d) * logdet + 2 * sigma2 * cost_of_blocks(t, c.d);
  }
};

}  // namespace

void register_selfnorm() {
  confidence_sets().add(
      {.name = "selfnorm",
       .summary = "self-normalised set for mixing noise: bias phi sqrt t instead of sqrt(t phi)",
       .formula =
           "||theta - theta_ridge||_V <= phi_d sqrt((t-d)_+) + sqrt(lambda B^2 + d log det(I + Lambda/lambda) + 2 "
           "m_t log(1/delta) + 2d)   (sigma = 1, d > 2)",
       .source = "MATHEMATICS.md E.3"},
      {.make = [](const SetConstants& constants) { return std::make_unique<Selfnorm>(constants); },
       .own_lambda = [](const SetConstants& c) { return static_cast<double>(c.d) * c.sigma * c.sigma / (c.B * c.B); }});
}

}  // namespace mixlab::bandit
