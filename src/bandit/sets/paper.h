// The paper's set: Corollary 1, MATHEMATICS.md (A5). Theorem 1 is the same without the term of lambda.
#pragma once

#include "mixlab/bandit/confidence_set.h"

namespace mixlab::bandit {

/// (A5) without 4 lambda B^2.
RadiusTerms theorem1_terms(const SetConstants& c, std::int64_t t);
std::string theorem1_why_not(const SetConstants& c, const Collection& collection);

/// Theorem 1 with a distance of its own: no term of lambda in the radius, one in the ellipsoid that contains the set.
class Theorem1Set : public AnalyticSet {
 public:
  using AnalyticSet::AnalyticSet;
  Centre centre() const final { return Centre::least_squares; }
  RadiusTerms terms(std::int64_t t) const final { return theorem1_terms(constants(), t); }
  double ellipsoid_surplus() const final { return 4 * constants().lambda * constants().B * constants().B; }
};

class Paper final : public AnalyticSet {
 public:
  using AnalyticSet::AnalyticSet;
  Centre centre() const override { return Centre::least_squares; }
  RadiusTerms terms(std::int64_t t) const override;
  std::string why_not_guaranteed(const Collection& collection) const override;
};

}  // namespace mixlab::bandit
