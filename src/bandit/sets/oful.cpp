// OFUL, Abbasi-Yadkori, Pal and Szepesvari 2011, Theorem 2: the standard set for conditionally centred noise.
#include <algorithm>
#include <cmath>

#include "needs_independence.h"

namespace mixlab::bandit {
namespace {

class Oful final : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  Centre centre() const override { return Centre::ridge; }

  double radius2(std::int64_t, double logdet) const override {
    const auto& c = constants();
    const double radius = c.sigma * std::sqrt(logdet - 2 * std::log(c.delta)) + std::sqrt(c.lambda) * c.B;
    return radius * radius;
  }

  double log_p(std::int64_t, double q, double logdet) const override {
    const auto& c = constants();
    const double n = std::max(0.0, std::sqrt(q) - std::sqrt(c.lambda) * c.B);
    return -(n * n - c.sigma * c.sigma * logdet) / (2 * c.sigma * c.sigma);
  }

  std::string why_not_guaranteed(const Collection& collection) const override { return needs_independence(collection); }
};

}  // namespace

void register_oful() {
  confidence_sets().add(
      {.name = "oful",
       .summary = "self-normalised set for conditionally centred noise (OFUL)",
       .formula =
           "||theta - theta_ridge||_V <= sigma sqrt(log det(I + Lambda/lambda) + 2 log(1/delta)) + sqrt(lambda) B",
       .source = "Abbasi-Yadkori, Pal, Szepesvari 2011, Theorem 2"},
      {.make = [](const SetConstants& constants) { return std::make_unique<Oful>(constants); }});
}

}  // namespace mixlab::bandit
