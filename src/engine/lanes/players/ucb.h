// Optimism over the set's ellipsoid: theta the centre of the set, beta its radius.
#pragma once

#include "engine/lanes/optimism.h"
#include "engine/lanes/player.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Ucb : public Player<P> {
 public:
  using V = Vec;
  static constexpr std::string_view rule = "ucb";

  Ucb(const Tables& tables, std::int64_t) : Ucb(tables, std::numeric_limits<double>::infinity()) {}

  Aim<P> aim(const Learner<P>& learner, const Environment<P>&, int n) override {
    const Absorbed<P>& block = learner.block();
    if (const double* betas = table_.betas(block.first + block.entered))
      each_round(n, [&](int r) { this->beta_[r] = betas[r]; });
    else
      for (int r = 0; r < n; ++r) this->beta_[r] = radius(block, block.entered + r);
    if (learner.has_new_inverse()) optimism_.sum_up();
    return {learner.centre(), this->beta_};
  }

  void choose_in_ball(const Round<P>& round, V* x) override {
    if (!round.again) optimism_.absorb(round.x());
    optimism_.choose_longest(round.theta(), round.beta(), x);
  }

 protected:
  /// `B`: of the ball that the ellipsoid is cut with; infinite if it is not.
  Ucb(const Tables& tables, double B) : table_(tables.policy) { optimism_.start({tables.p, tables.lambda, B}); }

  Optimism<P> optimism_;  ///< fed only if the decision set, or the cut, asks for it

 private:
  /// beta of the policy's set after sample r of the block.
  V radius(const Absorbed<P>& block, int r) const {
    if (table_.is_deterministic()) return V(table_.beta(block.first + r));
    const bandit::RadiusTerms terms = table_.at(block.first + r);
    const double fixed = terms.constant + terms.per_log_delta * table_.log_inverse_delta();
    const double surplus = table_.ellipsoid_surplus();
    const V radius = terms.bias + sqrt(fma(V(terms.per_logdet), block.logdet(r), V(fixed)));
    return surplus == 0 ? radius : sqrt(radius * radius + surplus);
  }

  const PolicyTable& table_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
