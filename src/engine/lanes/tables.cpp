#include "tables.h"

#include <algorithm>
#include <cmath>

#include "engine/visit.h"
#include "mixlab/bandit/confidence_set.h"
#include "mixlab/engine/experiment.h"
#include "rules.h"
#include "span.h"

namespace mixlab::engine::lanes {
namespace {

constexpr std::int64_t most_rounds_kept = 1 << 17;

Decisions decisions_of(const bandit::Arms& arms) {
  switch (arms.kind()) {
    case bandit::Arms::Kind::fresh:
      return Decisions::fresh_arms;
    case bandit::Arms::Kind::ball:
      return Decisions::unit_ball;
    default:
      return Decisions::fixed_arms;
  }
}

std::vector<double> numbers_of(const arma::mat& from) {
  return {from.begin(), from.end()};
}

}  // namespace

int rounds_per_block(const Experiment& experiment) {
  if (experiment.arms->kind() == bandit::Arms::Kind::fresh) return 1;
  if (find_traits(experiment.policy->rule().value().name)->pace == Pace::by_round) return 1;
  const std::int64_t lag = experiment.schedule->n_data_free();  // no later one is shorter
  const std::int64_t n_blocks = (lag + largest_block - 1) / largest_block;
  return static_cast<int>(lag / n_blocks);
}

int samples_per_look(const Experiment& experiment) {
  if (experiment.arms->kind() != bandit::Arms::Kind::fixed) return 1;
  if (find_traits(experiment.policy->rule().value().name)->pace == Pace::by_round) return 1;
  const int block = rounds_per_block(experiment);
  return block * (largest_block / block);
}

int n_axes(const Experiment& experiment) {
  const int p = experiment.p, n_arms = experiment.arms->n_arms();
  if (decisions_of(*experiment.arms) != Decisions::fixed_arms || n_arms + 1 >= p) return p;
  const auto rule = experiment.policy->rule();
  if (const auto traits = rule ? find_traits(rule->name) : std::nullopt; !traits || traits->depends_on_axes) return p;
  // Noise of somebody's own may look at what is played.
  const bool looks =
      experiment.noise->reactive() && !dynamic_cast<const noise::ChasingProcess*>(experiment.noise.get());
  return looks ? p : n_arms + 1;
}

int kernel_axes(const Experiment& experiment) {
  const int n = n_axes(experiment);
  return n < experiment.p ? std::max(n, first_with_known_means) : n;
}

RadiusTable::RadiusTable(const bandit::AnalyticSet& set, std::int64_t T)
    : set_(set),
      centre_(set.centre()),
      distance_(set.distance()),
      lambda_(set.constants().lambda),
      log_inverse_delta_(-std::log(set.constants().delta)),
      settled_(T) {
  const bandit::RadiusTerms last = set.terms(T);
  is_deterministic_ = last.bias == 0 && last.per_logdet == 0;
  settled_per_log_delta_ = last.per_log_delta;
  if (T > most_rounds_kept) return;
  rounds_.reserve(static_cast<std::size_t>(T + 1));
  rounds_.push_back(set.terms(1));
  for (std::int64_t t = 1; t <= T; ++t) rounds_.push_back(set.terms(t));
  for (std::int64_t t = 1; t <= T; t += stride) some_rounds_.push_back(at(t));
  while (settled_ > 1 && at(settled_ - 1).per_log_delta == settled_per_log_delta_) --settled_;
}

bandit::RadiusTerms RadiusTable::compute(std::int64_t t) const {
  return set_.terms(t);
}

PolicyTable::PolicyTable(const bandit::AnalyticSet& set, std::int64_t T)
    : RadiusTable(set, T),
      ellipsoid_surplus_(set.ellipsoid_surplus()),
      B_(set.constants().B),
      sigma_(set.constants().sigma) {
  if (!is_deterministic() || T > most_rounds_kept) return;
  betas_.reserve(static_cast<std::size_t>(T + 1));
  for (std::int64_t t = 0; t <= T; ++t) betas_.push_back(compute_beta(t));
}

double PolicyTable::compute_beta(std::int64_t t) const {
  const bandit::RadiusTerms terms = at(t);
  return std::sqrt(terms.constant + terms.per_log_delta * log_inverse_delta() + ellipsoid_surplus());
}

Tables::Tables(const Experiment& e)
    : experiment(e),
      p(lanes::n_axes(e)),
      n_spanned(p < e.p ? p - 1 : p),
      B(e.B),
      sigma(e.sigma),
      noise_scale(e.scale),
      T(e.T),
      lag(e.lag),
      schedule(*e.schedule),
      block(rounds_per_block(e)),
      look(samples_per_look(e)),
      decisions(decisions_of(*e.arms)),
      n_arms(e.arms->n_arms()),
      lambda(e.lambdas[e.policy_ridge]),
      rule(e.policy->rule().value().name),
      rule_parameters(e.policy->rule().value().parameters),
      policy(dynamic_cast<const bandit::AnalyticSet&>(*e.policy_set), e.T),
      checkpoints(e.checkpoints),
      regret_theorem_applies(e.regret_theorem_applies) {
  if (const auto* process = dynamic_cast<const noise::ChasingProcess*>(e.noise.get())) chase = process->chase();
  for (const auto& monitored : e.sets)
    if (const auto* set = dynamic_cast<const bandit::AnalyticSet*>(monitored.set.get())) sets.emplace_back(*set, e.T);
}

double Tables::worst_case_bound(std::int64_t t) const {
  return experiment.worst_case_bound(t);
}

Instance Tables::instance(std::int64_t trajectory) const {
  const bandit::Instance drawn = experiment.instance(trajectory);
  Instance instance{numbers_of(drawn.theta), numbers_of(drawn.arms), numbers_of(drawn.means), drawn.best};
  return p < experiment.p ? on_axes_of_arms(std::move(instance), experiment.p) : instance;
}

std::optional<OldAxes> Tables::old_axes(std::int64_t trajectory) const {
  if (p == experiment.p) return {};
  return OldAxes(numbers_of(experiment.instance(trajectory).arms), instance(trajectory), experiment.p);
}

random::Stream Tables::policy_stream(std::int64_t trajectory) const {
  return random::Stream(experiment.stream(trajectory, random::Purpose::policy));
}

random::Stream Tables::arm_stream(std::int64_t trajectory) const {
  return experiment.instance_stream(trajectory, random::Purpose::arms);
}

random::Stream Tables::noise_stream(std::int64_t trajectory) const {
  return random::Stream(experiment.stream(trajectory, random::Purpose::noise));
}

std::unique_ptr<noise::Path> Tables::start_noise(std::int64_t trajectory) const {
  return engine::start_noise(experiment, trajectory);
}

std::unique_ptr<noise::ReactivePath> Tables::start_reactive_noise(std::int64_t trajectory) const {
  return engine::start_reactive_noise(experiment, trajectory);
}

}  // namespace mixlab::engine::lanes
