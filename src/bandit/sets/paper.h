// The paper's set: Corollary 1, MATHEMATICS.md (A5). Theorem 1 is the same without the term of lambda.
#pragma once

#include "mixlab/bandit/confidence_set.h"

namespace mixlab::bandit {

/// (A5) without 4 lambda B^2.
double theorem1_radius2(const SetConstants& c, std::int64_t t);
double theorem1_log_p(const SetConstants& c, std::int64_t t, double q);
std::string theorem1_why_not(const SetConstants& c, const Collection& collection);

/// Theorem 1 with a distance of its own: no term of lambda in the radius, one in the ellipsoid that contains the set.
class Theorem1Set : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  Centre centre() const final { return Centre::least_squares; }
  double radius2(std::int64_t t, double) const final { return theorem1_radius2(constants(), t); }
  double log_p(std::int64_t t, double q, double) const final { return theorem1_log_p(constants(), t, q); }
  double ellipsoid_radius2(std::int64_t t, double logdet) const final {
    return radius2(t, logdet) + 4 * constants().lambda * constants().B * constants().B;
  }
};

class Paper final : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  Centre centre() const override { return Centre::least_squares; }
  double radius2(std::int64_t t, double logdet) const override;
  double log_p(std::int64_t t, double q, double logdet) const override;
  std::string why_not_guaranteed(const Collection& collection) const override;
};

}  // namespace mixlab::bandit
