// The paper's set: Corollary 1, MATHEMATICS.md (A5).
#pragma once

#include "mixlab/bandit/confidence_set.h"

namespace mixlab::bandit {

class Paper final : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  Centre centre() const override { return Centre::least_squares; }
  double radius2(std::int64_t t, double logdet) const override;
  double log_p(std::int64_t t, double q, double logdet) const override;
  std::string why_not_guaranteed(const Collection& collection) const override;

 private:
  double radius2_at_delta_one(std::int64_t t) const;
};

}  // namespace mixlab::bandit
