#include "tables.h"

#include <algorithm>
#include <cmath>

namespace mixlab::engine::lanes {
namespace {

constexpr std::int64_t most_rounds_kept = 1 << 17;

}  // namespace

int rounds_a_block(const Experiment& experiment) {
  if (experiment.arms->kind() == bandit::Arms::Kind::fresh) return 1;
  if (experiment.policy->rule() == bandit::Policy::Rule::thompson) return 1;
  const std::int64_t n_blocks = (experiment.lag + largest_block - 1) / largest_block;
  return static_cast<int>(experiment.lag / n_blocks);
}

RadiusTable::RadiusTable(const bandit::AnalyticSet& set, std::int64_t T)
    : set_(set), log_inverse_delta_(-std::log(set.constants().delta)), settled_(T) {
  const bandit::RadiusTerms last = set.terms(T);
  plain_ = last.bias == 0 && last.per_logdet == 0;
  settled_per_log_delta_ = last.per_log_delta;
  if (T > most_rounds_kept) return;
  rounds_.reserve(static_cast<std::size_t>(T + 1));
  rounds_.push_back(set.terms(1));
  for (std::int64_t t = 1; t <= T; ++t) rounds_.push_back(set.terms(t));
  for (std::int64_t t = 1; t <= T; t += stride) some_rounds_.push_back(at(t));
  while (settled_ > 1 && at(settled_ - 1).per_log_delta == settled_per_log_delta_) --settled_;
}

PolicyTable::PolicyTable(const bandit::AnalyticSet& set, std::int64_t T) : RadiusTable(set, T) {
  if (!plain() || T > most_rounds_kept) return;
  betas_.reserve(static_cast<std::size_t>(T + 1));
  for (std::int64_t t = 0; t <= T; ++t) betas_.push_back(compute_beta(t));
}

double PolicyTable::compute_beta(std::int64_t t) const {
  const bandit::RadiusTerms terms = at(t);
  return std::sqrt(terms.constant + terms.per_log_delta * log_inverse_delta() + set().ellipsoid_surplus());
}

Tables::Tables(const Experiment& e)
    : experiment(e), block(rounds_a_block(e)), policy(dynamic_cast<const bandit::AnalyticSet&>(*e.policy_set), e.T) {
  for (const auto& monitored : e.sets)
    if (const auto* set = dynamic_cast<const bandit::AnalyticSet*>(monitored.set.get())) sets.emplace_back(*set, e.T);
}

}  // namespace mixlab::engine::lanes
