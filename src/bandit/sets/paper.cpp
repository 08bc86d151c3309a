#include "paper.h"

#include <algorithm>
#include <cmath>

namespace mixlab::bandit {

// sigma^2 d p log((B/sigma + 1)^2 e max(dp, t+d)/(dp)) + 4 lambda B^2 + 2 t (B + sigma) phi_d + 2 sigma^2 d log d
double Paper::radius2_at_delta_one(std::int64_t t) const {
  const auto& c = constants();
  const double sigma2 = c.sigma * c.sigma;
  const auto d = static_cast<double>(c.d);
  const double dp = d * c.p;
  const double margin = c.B / c.sigma + 1;
  const double regret =
      sigma2 * dp * (2 * std::log(margin) + 1 + std::log(std::max(dp, static_cast<double>(t + c.d)) / dp));
  const double bias = 2 * static_cast<double>(t) * (c.B + c.sigma) * c.phi;
  return regret + 4 * c.lambda * c.B * c.B + bias + 2 * sigma2 * d * std::log(d);
}

double Paper::radius2(std::int64_t t, double) const {
  const auto& c = constants();
  return radius2_at_delta_one(t) - 2 * c.sigma * c.sigma * static_cast<double>(c.d) * std::log(c.delta);
}

double Paper::log_p(std::int64_t t, double q, double) const {
  const auto& c = constants();
  return -(q - radius2_at_delta_one(t)) / (2 * c.sigma * c.sigma * static_cast<double>(c.d));
}

std::string Paper::why_not_guaranteed(const Collection& collection) const {
  const auto& c = constants();
  if (c.d > collection.lag)
    return "delay " + std::to_string(c.d) + " of the set exceeds lag " + std::to_string(collection.lag) +
           " of the policy";
  const double certified = collection.sigma * collection.noise.phi(c.d);
  if (c.phi < certified) return "phi is set below the certified " + study::to_text(study::Value{certified});
  if (c.phi > 0 && c.B > c.sigma + c.phi / 2) return "the constant B+sigma is proved for B <= sigma + phi/2 only (A8)";
  return {};
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
