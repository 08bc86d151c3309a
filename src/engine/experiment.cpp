#include "mixlab/engine/experiment.h"

#include <algorithm>
#include <cmath>

#include "mixlab/bandit/delay.h"
#include "mixlab/bandit/schedule_rule.h"
#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/study/plan.h"

namespace mixlab::engine {
namespace {

constexpr std::int64_t longest_tuning = 10000;  ///< rounds that sets without a horizon may tune themselves for
constexpr double not_applicable = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void bad_value(const std::string& key, const std::string& value, const std::string& rule,
                            const std::string& remedy) {
  throw KeyError(key, "bad value for " + key + ": '" + value + "' (must be " + rule + "); " + remedy);
}

const bandit::SetMaker& set_maker(const char* key, const std::string& name) {
  const bandit::SetMaker* maker = bandit::confidence_sets().find(name);
  if (!maker) throw KeyError(key, std::string("bad value for ") + key + ": " + unknown_name(Kind::sets, name));
  return *maker;
}

// V = Lambda + lambda I, where Lambda has eigenvalues from 0 to T: a lambda beyond these is lost in rounding, or all else.
constexpr double least_lambda = 1e-12, largest_lambda = 1e12;
/// sigma against sqrt(lambda) B, the terms of a radius: below this the noise is lost in rounding.
constexpr double least_share_of_noise = 1e-9;

/// `default` or a positive number, such that neither lambda nor the noise is lost in rounding.
double resolve_lambda(const std::string& key, const std::string& text, const bandit::SetMaker& maker,
                      const bandit::SetConstants& constants) {
  const auto lambda = text == study::default_word ? maker.default_lambda(constants) : parse_real(text);
  if (!lambda || *lambda <= 0) bad_value(key, text, "default or a number above 0", "leave it out for the default");
  if (!(*lambda >= least_lambda && *lambda <= largest_lambda))
    bad_value(key, text,
              "from " + to_text(least_lambda) + " to " + to_text(largest_lambda) + ", not " + to_text(*lambda),
              "give another lambda, or bring noise.sigma and problem.norm_bound closer together");
  if (!(constants.sigma >= least_share_of_noise * std::sqrt(*lambda) * constants.B))
    bad_value(key, text, "such that sigma is at least 1e-9 sqrt(lambda) B",
              "lower it, or bring noise.sigma and problem.norm_bound closer together");
  return *lambda;
}

/// What the sets assume of the noise: `certified`, a number for the bias, or xFACTOR.
std::unique_ptr<const bandit::LagCertificate> resolve_phi(const std::string& text, const noise::Process& noise,
                                                          double scale) {
  if (text == "certified") return std::make_unique<bandit::LagCertificate>(noise, scale);
  const bool is_factor = text.starts_with("x");
  const auto number = parse_real(is_factor ? text.substr(1) : text);
  if (!number || *number < 0)
    bad_value("confidence.phi", text, "certified, a number at least 0, or xFACTOR", "for instance x0.5");
  if (is_factor) return std::make_unique<bandit::LagCertificate>(noise, scale, *number);
  return std::make_unique<bandit::LagCertificate>(noise, scale, 1, *number);
}

/// `default`, `auto` (the delay of the sets) or a number.
std::int64_t resolve_lag(const std::string& text, const bandit::PolicyMaker& maker, std::int64_t d) {
  if (text == study::default_word) return maker.default_lag == bandit::DefaultLag::one ? 1 : d;
  if (text == "auto") return d;
  const auto lag = parse_integer(text);
  if (!lag || *lag < 1)
    bad_value("policy.delay", text,
              "default, auto, a whole number, at least 1, or a schedule such as schedule:geometric",
              "leave it out for the default");
  return *lag;
}

/// Builds one experiment step by step.
class Builder {
 public:
  Builder(const study::Study& study, const study::Cell& cell) : study_(study), values_(cell.values) {
    experiment_.cell = cell;
    experiment_.seed = study.seed();
    experiment_.environment = study::environment_hash(cell);
    for (const Entry* entry : study.entries()) experiment_.has_own_code |= !entry->is_builtin;
  }

  Experiment build() {
    build_problem();
    build_noise();
    build_delays();
    build_policy();
    build_monitored_sets();
    experiment_.checkpoints = study::checkpoints(experiment_.T, study_.n_checkpoints());
    experiment_.instance(0);  // fail here rather than in a worker thread
    return std::move(experiment_);
  }

 private:
  void build_problem() {
    experiment_.p = static_cast<int>(values_.integer("problem.dimension"));
    experiment_.B = values_.real("problem.norm_bound");
    experiment_.T = values_.integer("study.horizon");
    experiment_.delta = values_.real("confidence.delta");
    experiment_.arms = bandit::make_arms(values_.text("problem.arms"), experiment_.p, study_.files());
    if (!values_.has("problem.adversary")) return;
    experiment_.adversary = bandit::parse_adversary(values_.text("problem.adversary"));
    if (experiment_.adversary && experiment_.arms->kind() == bandit::Arms::Kind::ball)
      bad_value("problem.adversary", values_.text("problem.adversary"), "none in the ball, which has no arms",
                "choose other arms");
  }

  void build_noise() {
    const Values parameters = values_.section("noise");
    experiment_.noise =
        (*noise::processes().find(values_.text("noise.process")))({parameters, experiment_.T, study_.files()});
    experiment_.caveat = experiment_.noise->caveat(study_.trajectories());
    if (!experiment_.caveat.empty()) experiment_.notes.push_back(experiment_.caveat);
    experiment_.scale = values_.real("noise.sigma");
    experiment_.lags = resolve_phi(values_.text("confidence.phi"), *experiment_.noise, experiment_.scale);
    experiment_.sigma = experiment_.lags->sigma();
  }

  void build_delays() {
    Experiment& e = experiment_;
    policy_maker_ = bandit::policies().find(values_.text("policy.name"));
    const std::string written = values_.text("policy.set");
    policy_set_name_ = written == study::default_word ? policy_maker_->default_set : written;
    policy_set_maker_ = &set_maker("policy.set", policy_set_name_);
    const auto final_radius2 = [&](std::int64_t d) {
      const bandit::SetConstants c = policy_constants(d);
      return policy_set_maker_->make(c)->ellipsoid_radius2(e.T, bandit::largest_logdet(e.p, c.lambda, e.T));
    };
    const bandit::Delay delay =
        bandit::choose_delay(values_.text("confidence.delay"), {e.p, e.B, e.scale, e.T, *e.noise, final_radius2});
    e.d = delay.d;
    delay_rule_ = delay.rule;
    if (!delay.note.empty()) e.notes.push_back(delay.note);
    e.phi = phi_at(e.d);
    if (const std::string& phi = values_.text("confidence.phi"); phi.starts_with("x") && !std::isfinite(e.phi))
      bad_value("confidence.phi", phi, "certified or a number where phi_d is infinite", "raise the delay");
    build_schedule();
    build_arm_schedule();
    if (!std::isfinite(e.phi))
      e.notes.push_back("phi_d is infinite at delay " + std::to_string(e.d) +
                        ": sets with a bias term are the whole space; raise confidence.delay");
    e.cell.values.set("noise.subgaussian", e.sigma);
    e.cell.values.set("confidence.delay", e.d);
    e.cell.values.set("confidence.phi", e.phi);
    e.cell.values.set("policy.delay", e.lag);
  }

  void build_schedule() {
    Experiment& e = experiment_;
    const std::string& text = values_.text("policy.delay");
    if (bandit::is_schedule(text)) {
      e.schedule = std::make_unique<bandit::LagSchedule>(
          bandit::make_schedule(text, {*e.lags, schedule_step(), 2 * std::max(e.T, longest_tuning)}));
      e.lag = e.schedule->at(e.T);
      e.cell.values.set("policy.schedule", text);
      return;
    }
    e.lag = resolve_lag(text, *policy_maker_, e.d);
    if (e.lag > e.T) {
      e.notes.push_back("policy delay " + std::to_string(e.lag) + " cut to the horizon " + std::to_string(e.T));
      e.lag = e.T;
    }
    e.schedule = std::make_unique<bandit::LagSchedule>(e.lag);
  }

  void build_arm_schedule() {
    Experiment& e = experiment_;
    const bandit::LagSchedule& data = *e.schedule;
    if (!e.adversary) {
      e.arm_schedule = std::make_unique<bandit::LagSchedule>(data);
      return;
    }
    const auto shorter = [&](std::int64_t t) { return static_cast<double>(std::min(data.at(t), e.adversary->lag())); };
    e.arm_schedule = std::make_unique<bandit::LagSchedule>(shorter, 2 * std::max(e.T, longest_tuning));
  }

  /// That of the policy's set or, if it does not care, of the first monitored one that does.
  std::int64_t schedule_step() const {
    const bandit::SetConstants c = constants(experiment_.d);
    std::int64_t step = policy_set_maker_->schedule_step(c);
    for (const auto& name : experiment_.cell.monitor())
      if (step == 1) step = set_maker("confidence.monitor", name).schedule_step(c);
    return step;
  }

  double phi_at(std::int64_t d) const { return experiment_.lags->bias(d); }

  bandit::SetConstants constants(std::int64_t d) const {
    const Experiment& e = experiment_;
    return {.p = e.p,
            .B = e.B,
            .sigma = e.sigma,
            .phi = phi_at(d),
            .d = d,
            .delta = e.delta,
            .lambda = 0,
            .parameters = values_.section("confidence"),
            .T = e.T,
            .schedule = e.arm_schedule.get(),
            .lags = e.lags.get()};
  }

  bandit::SetConstants policy_constants(std::int64_t d) const {
    bandit::SetConstants c = constants(d);
    c.lambda = resolve_lambda("policy.lambda", values_.text("policy.lambda"), *policy_set_maker_, c);
    return c;
  }

  std::string why_not_guaranteed(const bandit::ConfidenceSet& set) const {
    const Experiment& e = experiment_;
    const std::string reason = set.why_not_guaranteed({*e.noise, e.scale, *e.arm_schedule});
    if (reason.empty()) return e.noise->outside_assumption();
    const bool but_for_adversary = e.adversary && set.why_not_guaranteed({*e.noise, e.scale, *e.schedule}).empty();
    return but_for_adversary ? "the adversary of lag " + std::to_string(e.adversary->lag()) +
                                   " knows newer samples than the set allows for"
                             : reason;
  }

  std::size_t ridge_for(double lambda) {
    auto& lambdas = experiment_.lambdas;
    const auto found = std::find(lambdas.begin(), lambdas.end(), lambda);
    if (found != lambdas.end()) return static_cast<std::size_t>(found - lambdas.begin());
    lambdas.push_back(lambda);
    return lambdas.size() - 1;
  }

  void build_policy() {
    Experiment& e = experiment_;
    const bandit::SetConstants c = policy_constants(e.d);
    e.policy_set = policy_set_maker_->make(c);
    e.policy_ridge = ridge_for(c.lambda);
    e.policy = policy_maker_->make(values_.section("policy"));
    e.regret_theorem_applies = policy_maker_->optimistic && why_not_guaranteed(*e.policy_set).empty();
    find_exponents();
    e.cell.values.set("policy.set", policy_set_name_);
    e.cell.values.set("policy.lambda", c.lambda);
  }

  /// (F8) is of order d + sqrt(T) beta_T. Where the bias is bounded, B T phi_d <= sigma^2 p, or d is of the order of tau
  /// log T, that is sqrt(d T) at most.
  void find_exponents() {
    Experiment& e = experiment_;
    e.exponent_in_horizon = e.exponent_in_memory = not_applicable;
    if (!e.regret_theorem_applies) return;
    const bool follows_tau = (delay_rule_ || !e.has_constant_lag()) && e.noise->geometric();
    const bool no_bias = e.phi * static_cast<double>(e.T) * e.B <= e.sigma * e.sigma * e.p * (1 + 1e-9);
    if (follows_tau) e.exponent_in_memory = 0.5;
    if (no_bias || follows_tau) {
      e.exponent_in_horizon = 0.5;
    } else if (const auto algebraic = e.noise->algebraic()) {
      const double r = algebraic->r;
      const double g = !e.has_constant_lag() ? 1 / std::max(1 + r, 2 * r)
                       : delay_rule_         ? delay_rule_->growth(r, policy_set_maker_->best_delay_growth(r))
                                             : 0;
      e.exponent_in_horizon = std::max(g, 0.5 + policy_set_maker_->radius_exponent(g, r));
    } else if (!delay_rule_) {
      e.exponent_in_horizon = 1;
    }
  }

  void build_monitored_sets() {
    Experiment& e = experiment_;
    const std::string lambda_text = values_.text("confidence.lambda");
    for (const auto& name : e.cell.monitor()) {
      const bandit::SetMaker& maker = set_maker("confidence.monitor", name);
      bandit::SetConstants c = constants(e.d);
      c.lambda = resolve_lambda("confidence.lambda", lambda_text, maker, c);
      MonitoredSet monitored;
      monitored.name = name;
      monitored.set = maker.make(c);
      monitored.ridge = ridge_for(c.lambda);
      monitored.why_not_guaranteed = why_not_guaranteed(*monitored.set);
      if (e.sets.empty()) e.cell.values.set("confidence.lambda", c.lambda);
      e.sets.push_back(std::move(monitored));
    }
    for (auto& monitored : e.sets) {
      const auto fallback = monitored.why_not_guaranteed.empty() ? study::Expected::holds : study::Expected::any;
      const study::Expectation* expectation = study_.expectation(monitored.name);
      monitored.expected = expectation ? expectation->in(e.cell.values, fallback) : fallback;
    }
  }

  const study::Study& study_;
  const Values& values_;
  const bandit::PolicyMaker* policy_maker_ = nullptr;
  const bandit::SetMaker* policy_set_maker_ = nullptr;
  const bandit::DelayRule* delay_rule_ = nullptr;  ///< none: a number
  std::string policy_set_name_;
  Experiment experiment_;
};

arma::vec given_theta(const std::string& text) {
  const auto pieces = split_blanks(text);
  arma::vec theta(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) theta(i) = parse_real(pieces[i]).value();
  return theta;
}

}  // namespace

bandit::BoundConstants Experiment::bound_constants(std::int64_t t) const {
  return {p, B, lambdas[policy_ridge], has_constant_lag() ? lag : schedule->at(t)};
}

double Experiment::largest_radius2(const bandit::ConfidenceSet& set, std::int64_t t) const {
  return set.radius2(t, bandit::largest_logdet(p, set.constants().lambda, t));
}

double Experiment::largest_policy_radius2(std::int64_t t) const {
  return policy_set->ellipsoid_radius2(t, bandit::largest_logdet(p, policy_set->constants().lambda, t));
}

double Experiment::worst_case_bound(std::int64_t t) const {
  if (!regret_theorem_applies) return not_applicable;
  const double radius2 = largest_policy_radius2(t),
               additive = bandit::additive_delay_bound(bound_constants(t), t, radius2);
  return has_constant_lag() ? std::min(additive, bandit::worst_case_bound(bound_constants(t), t, radius2)) : additive;
}

double Experiment::gap_bound(std::int64_t t) const {
  if (!regret_theorem_applies || adversary) return not_applicable;  // the gap is that of all arms
  const double gap = arms->minimum_gap() > 0 ? arms->minimum_gap()
                     : one_instance()        ? bandit::minimum_gap(instance(0))
                                             : 0;
  if (gap <= 0) return not_applicable;
  const double radius2 = largest_policy_radius2(t);
  const double additive = bandit::additive_delay_gap_bound(bound_constants(t), t, radius2, gap);
  return has_constant_lag() ? std::min(additive, bandit::gap_bound(bound_constants(t), t, radius2, gap)) : additive;
}

double Experiment::potential_bound(std::int64_t t) const {
  return has_constant_lag() ? bandit::potential_bound(bound_constants(t), t) : not_applicable;
}

bool Experiment::one_instance() const {
  if (arms->kind() != bandit::Arms::Kind::fixed) return false;
  return cell.values.text("problem.draw") == "cell" ||
         (cell.values.text("problem.theta") != "random" && !arms->random());
}

random::StreamId Experiment::stream(std::int64_t trajectory, random::Purpose purpose) const {
  return {seed, environment, static_cast<std::uint64_t>(trajectory), purpose};
}

random::Stream Experiment::instance_stream(std::int64_t trajectory, random::Purpose purpose) const {
  const bool per_cell = cell.values.text("problem.draw") == "cell";
  return random::Stream(stream(per_cell ? static_cast<std::int64_t>(random::whole_cell) : trajectory, purpose));
}

arma::vec Experiment::draw_theta(std::int64_t trajectory) const {
  const std::string& theta = cell.values.text("problem.theta");
  if (theta != "random") return given_theta(theta);
  random::Stream stream = instance_stream(trajectory, random::Purpose::theta);
  return cell.values.real("problem.theta_norm") * bandit::draw_direction(p, stream);
}

bandit::Instance Experiment::instance(std::int64_t trajectory) const {
  random::Stream arms_stream = instance_stream(trajectory, random::Purpose::arms);
  const arma::vec theta = draw_theta(trajectory);
  return bandit::make_instance(theta, arms->draw(theta, arms_stream));
}

std::vector<Experiment> make_experiments(const study::Study& study) {
  std::vector<Experiment> experiments;
  try {
    for (const auto& cell : study.cells()) experiments.push_back(Builder(study, cell).build());
  } catch (const KeyError& error) {
    study.rethrow(error);
  }
  return experiments;
}

}  // namespace mixlab::engine
