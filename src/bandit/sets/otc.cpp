// The set for independent noise of which the paper's is the extension: (A5) with d = 1 and phi = 0.
#include "needs_independence.h"
#include "paper.h"

namespace mixlab::bandit {
namespace {

SetConstants independent(SetConstants constants) {
  constants.d = 1;
  constants.phi = 0;
  return constants;
}

class Otc final : public AnalyticSet {
 public:
  explicit Otc(const SetConstants& constants) : AnalyticSet(independent(constants)), paper_(independent(constants)) {}
  Centre centre() const override { return paper_.centre(); }
  RadiusTerms terms(std::int64_t t) const override { return paper_.terms(t); }
  std::string why_not_guaranteed(const Collection& collection) const override { return needs_independence(collection); }

 private:
  Paper paper_;
};

}  // namespace

void register_otc() {
  confidence_sets().add(
      {.name = "otc",
       .summary = "online-to-confidence set for conditionally centred noise",
       .formula =
           "||theta - theta_hat_t||_V^2 <= p log((B+1)^2 e max(p,t+1)/p) + 4 lambda B^2 + 2 log(1/delta)   (sigma = 1)",
       .source = "MATHEMATICS.md (A5) with d = 1, phi = 0"},
      {.make = [](const SetConstants& constants) { return std::make_unique<Otc>(constants); }});
}

}  // namespace mixlab::bandit
