#include "mixlab/bandit/confidence_set.h"

#include <algorithm>
#include <cmath>

namespace mixlab::bandit {

Registry<SetMaker>& confidence_sets() {
  static Registry<SetMaker> registry(Kind::sets);
  return registry;
}

double radius2_of(const RadiusTerms& c, double logdet, double delta) {
  const double inside = c.constant + c.per_logdet * logdet - c.per_log_delta * std::log(delta);
  if (c.bias == 0) return inside;
  const double radius = c.bias + std::sqrt(inside);
  return radius * radius;
}

double log_p_of(const RadiusTerms& c, double q, double logdet) {
  const double n = std::max(0.0, std::sqrt(q) - c.bias);
  return (c.constant + c.per_logdet * logdet - (c.bias == 0 ? q : n * n)) / c.per_log_delta;
}

double AnalyticSet::radius2(std::int64_t t, double logdet) const {
  return radius2_of(terms(t), logdet, constants().delta);
}

double AnalyticSet::log_p(std::int64_t t, double q, double logdet) const {
  return log_p_of(terms(t), q, logdet);
}

double AnalyticSet::distance2(const arma::vec& theta, const Regression& data, const Ridge& ridge) const {
  const arma::vec& centre = centre_of(data, ridge);
  const arma::vec error = theta - centre;
  if (distance() == Distance::in_V) return norm2(error, data.Lambda(), constants().lambda);
  const double in_Lambda = norm2(error, data.Lambda(), 0);
  if (distance() == Distance::in_Lambda) return in_Lambda;
  const arma::vec gradient = data.Lambda() * centre - data.b();
  return in_Lambda + 2 * arma::dot(gradient, error);
}

double largest_logdet(int p, double lambda, std::int64_t t) {
  return p * std::log1p(static_cast<double>(t) / (p * lambda));
}

}  // namespace mixlab::bandit
