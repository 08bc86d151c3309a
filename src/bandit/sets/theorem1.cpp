// Theorem 1 of the paper: the same statement in the norm of Lambda, so without the term of lambda.
#include "paper.h"

namespace mixlab::bandit {
namespace {

class Theorem1 final : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  Centre centre() const override { return Centre::least_squares; }
  double radius2(std::int64_t t, double) const override { return theorem1_radius2(constants(), t); }
  double log_p(std::int64_t t, double q, double) const override { return theorem1_log_p(constants(), t, q); }
  double distance2(const arma::vec& theta, const Regression& data, const Ridge&) const override {
    return norm2(theta - data.theta_hat(), data.Lambda(), 0);
  }
  double ellipsoid_radius2(std::int64_t t, double logdet) const override {
    return radius2(t, logdet) + 4 * constants().lambda * constants().B * constants().B;
  }
  std::string why_not_guaranteed(const Collection& collection) const override {
    return theorem1_why_not(constants(), collection);
  }
};

}  // namespace

void register_theorem1() {
  confidence_sets().add(
      {.name = "theorem1",
       .summary = "the paper's Theorem 1, in the norm of Lambda",
       .formula = "||theta - theta_hat_t||_Lambda^2 <= d p log((B+1)^2 e max(dp,t+d)/(dp)) + 2 t (B+1) phi_d + 2 d "
                  "log(d/delta)   (sigma = 1)",
       .source = "Theorem 1 of the paper; MATHEMATICS.md (A5) without 4 lambda B^2"},
      {.make = [](const SetConstants& constants) { return std::make_unique<Theorem1>(constants); }});
}

}  // namespace mixlab::bandit
