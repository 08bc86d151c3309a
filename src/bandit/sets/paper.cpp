#include "paper.h"

#include <algorithm>
#include <cmath>

#include "mixing.h"

namespace mixlab::bandit {

// sigma^2 d p log((B/sigma + 1)^2 e max(dp, t+d)/(dp)) + 2 t (B + sigma) phi_d + 2 sigma^2 d log(d/delta)
RadiusTerms theorem1_terms(const SetConstants& c, std::int64_t t) {
  const double sigma2 = c.sigma * c.sigma;
  const auto d = static_cast<double>(c.d);
  const double dp = d * c.p;
  const double growth = std::log(std::max(dp, static_cast<double>(t + c.d)) / dp);
  const double regret = sigma2 * dp * (2 * std::log(c.B / c.sigma + 1) + 1 + growth);
  const double bias = 2 * static_cast<double>(t) * (c.B + c.sigma) * c.phi;
  return {.constant = regret + bias + 2 * sigma2 * d * std::log(d), .per_log_delta = 2 * sigma2 * d};
}

std::string theorem1_why_not(const SetConstants& c, const Collection& collection) {
  const std::string reason = needs_lag_and_phi(c, collection);
  return reason.empty() ? needs_small_B(c) : reason;
}

RadiusTerms Paper::terms(std::int64_t t) const {
  RadiusTerms terms = theorem1_terms(constants(), t);
  terms.constant += 4 * constants().lambda * constants().B * constants().B;
  return terms;
}

std::string Paper::why_not_guaranteed(const Collection& collection) const {
  return theorem1_why_not(constants(), collection);
}

void register_paper() {
  confidence_sets().add(
      {.name = "paper",
       .summary = "the set of the paper, valid under mixing noise",
       .formula = "||theta - theta_hat_t||_V^2 <= d p log((B+1)^2 e max(dp,t+d)/(dp)) + 4 lambda B^2 + 2 t (B+1) phi_d "
                  "+ 2 d log(d/delta)   (sigma = 1)",
       .source = "Corollary 1 of the paper; MATHEMATICS.md (A5), valid for B <= sigma + phi_d/2 by (A8)"},
      {.make = [](const SetConstants& constants) { return std::make_unique<Paper>(constants); }});
}

}  // namespace mixlab::bandit
