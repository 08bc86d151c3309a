#include "paper.h"

#include <algorithm>
#include <cmath>

#include "mixing.h"

namespace mixlab::bandit {

// sigma^2 d p log((B/sigma + 1)^2 e max(dp, t+d)/(dp)) + 2 t (B + sigma) phi_d + 2 sigma^2 d log d
double theorem1_radius2_at_delta_one(const SetConstants& c, std::int64_t t) {
  const double sigma2 = c.sigma * c.sigma;
  const auto d = static_cast<double>(c.d);
  const double dp = d * c.p;
  const double growth = std::log(std::max(dp, static_cast<double>(t + c.d)) / dp);
  const double regret = sigma2 * dp * (2 * std::log(c.B / c.sigma + 1) + 1 + growth);
  const double bias = 2 * static_cast<double>(t) * (c.B + c.sigma) * c.phi;
  return regret + bias + 2 * sigma2 * d * std::log(d);
}

double theorem1_radius2(const SetConstants& c, std::int64_t t) {
  return theorem1_radius2_at_delta_one(c, t) - 2 * c.sigma * c.sigma * static_cast<double>(c.d) * std::log(c.delta);
}

double theorem1_log_p(const SetConstants& c, std::int64_t t, double q) {
  return -(q - theorem1_radius2_at_delta_one(c, t)) / (2 * c.sigma * c.sigma * static_cast<double>(c.d));
}

std::string theorem1_why_not(const SetConstants& c, const Collection& collection) {
  const std::string reason = needs_lag_and_phi(c, collection);
  return reason.empty() ? needs_small_B(c) : reason;
}

double Paper::radius2(std::int64_t t, double) const {
  const auto& c = constants();
  return theorem1_radius2(c, t) + 4 * c.lambda * c.B * c.B;
}

double Paper::log_p(std::int64_t t, double q, double) const {
  const auto& c = constants();
  return theorem1_log_p(c, t, q - 4 * c.lambda * c.B * c.B);
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
