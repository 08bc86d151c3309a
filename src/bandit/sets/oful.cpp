// OFUL, Abbasi-Yadkori, Pal and Szepesvari 2011, Theorem 2: the standard set for conditionally centred noise.
#include <cmath>

#include "needs_independence.h"

namespace mixlab::bandit {
namespace {

class Oful final : public AnalyticSet {
 public:
  using AnalyticSet::AnalyticSet;
  Centre centre() const override { return Centre::ridge; }

  // sigma sqrt(logdet + 2 log(1/delta)) + sqrt(lambda) B
  RadiusTerms terms(std::int64_t) const override {
    const auto& c = constants();
    const double sigma2 = c.sigma * c.sigma;
    return {.bias = std::sqrt(c.lambda) * c.B, .per_logdet = sigma2, .per_log_delta = 2 * sigma2};
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
