#include "mixlab/engine/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <numbers>

#include "mixlab/bandit/quadric.h"
#include "mixlab/core/stop.h"
#include "mixlab/engine/monitor.h"
#include "stale.h"
#include "visit.h"

namespace mixlab::engine {
namespace {

/// The noise of the process itself: fetched in blocks of rounds, or asked round by round if it looks at what is played.
class NoiseReader final : public NoiseSource {
 public:
  NoiseReader(const Experiment& experiment, std::int64_t trajectory)
      : path_(start_noise(experiment, trajectory)),
        reactive_(start_reactive_noise(experiment, trajectory)),
        scale_(experiment.scale) {}

  double next(std::span<const double> x) override {
    if (reactive_) return scale_ * reactive_->next(x);
    if (used_ == block_.size()) {
      path_->next(block_);
      used_ = 0;
    }
    return scale_ * block_[used_++];
  }

 private:
  std::unique_ptr<noise::Path> path_;
  std::unique_ptr<noise::ReactivePath> reactive_;
  double scale_;
  std::array<double, 256> block_{};
  std::size_t used_ = 256;
};

}  // namespace

class Play::Trajectory {
 public:
  Trajectory(const Experiment& experiment, std::int64_t trajectory, NoiseSource& noise, Trace* trace)
      : e_(experiment),
        number_(trajectory),
        trace_(trace),
        arms_stream_(experiment.instance_stream(trajectory, random::Purpose::arms)),
        instance_(experiment.instance(trajectory)),
        noise_(noise),
        policy_stream_(experiment.stream(trajectory, random::Purpose::policy)),
        data_(experiment.p, experiment.B, experiment.lambdas),
        waiting_(static_cast<std::size_t>(n_waiting(experiment))),
        monitors_(experiment.sets.size()),
        log_p_(experiment.sets.size()) {
    const random::Stream set_stream(experiment.stream(trajectory, random::Purpose::set));
    for (const auto& monitored : e_.sets) started_.push_back(monitored.set->start(set_stream, experiment.T));
    policy_set_ = e_.policy_set->start(set_stream, experiment.T);
    policy_ = e_.policy->start(experiment.T);
    arms_ = instance_.arms;
    if (e_.adversary) adversary_ = e_.adversary->start(instance_.theta, e_.lambdas[e_.policy_ridge]);
    if (trace_) prepare_trace();
    if (trace_) trace_->trajectory = trajectory;
  }

  /// Round t plays with the samples up to t - d(t); the noise of a sample is drawn when somebody sees it, no earlier. After
  /// round T the last samples are drained, so that every C_t, t = 1..T, is looked at, unless `watch` has seen enough before;
  /// another call goes on from there. False if a stop was requested.
  bool run(const Watch* watch = nullptr) {
    Visit visit(e_, number_);
    visit_ = &visit;
    return visit.named([&] {
      for (; t_ <= e_.T; ++t_) {
        if (Stop::requested()) return false;
        visit.enter(t_);
        while (data_.t() < t_ - e_.schedule->at(t_))
          if (!absorb_next(watch)) return true;
        if (changes_arms()) offer(e_.arms->draw(instance_.theta, arms_stream_));
        if (adversary_) restrict_arms(t_);
        play(t_, choose(t_));
      }
      while (data_.t() < e_.T) {
        if (Stop::requested()) return false;
        visit.enter(e_.T);
        if (!absorb_next(watch)) return true;
      }
      return true;
    });
  }

  double log_p_at_centre(std::size_t i) const {
    const bandit::ConfidenceSet& set = started_[i] ? *started_[i] : *e_.sets[i].set;
    return set.log_p(data_.t(), 0, data_.ridge(e_.sets[i].ridge).logdet);
  }

  Row row() const {
    Row row;
    row.regret = regret_at_checkpoints_;
    row.potential = potential_;
    row.fresh_potential = potential_ - stale_potential_;
    row.stale_rounds = stale_rounds_;
    row.first_bound_violation = static_cast<std::int32_t>(first_bound_violation_);
    for (std::size_t i = 0; i < monitors_.size(); ++i) monitors_[i].write(row, i);
    return row;
  }

 private:
  struct Action {
    arma::vec x;
    double mean = 0;         ///< <theta*, x>
    arma::sword index = -1;  ///< of the arm; -1 in the ball
  };
  /// What a round was played with.
  struct InUse {
    double width2 = 0;  ///< of its action, at most 1
    double logdet = 0;
  };
  struct Sample {
    arma::vec x;
    double mean = 0;  ///< <theta*, x>
    double noise = 0;
  };

  /// The policy's samples, and those that the adversary has yet to see.
  static std::int64_t n_waiting(const Experiment& e) {
    return e.adversary ? std::max(e.lag, e.adversary->lag()) : e.lag;
  }
  bool changes_arms() const { return e_.arms->kind() == bandit::Arms::Kind::fresh; }

  Sample& sample(std::int64_t t) { return waiting_[static_cast<std::size_t>(t) % waiting_.size()]; }

  void offer(arma::mat arms) {
    if (adversary_) arms_ = arms;
    bandit::change_arms(instance_, std::move(arms));
  }

  /// The adversary of round t knows the samples up to t - K.
  void restrict_arms(std::int64_t t) {
    while (n_shown_ < t - e_.adversary->lag()) {
      draw_noise(++n_shown_);
      const Sample& shown = sample(n_shown_);
      adversary_->see(shown.x, shown.mean + shown.noise, shown.noise);
    }
    offered_ = adversary_->offer(arms_);
    bandit::change_arms(instance_, arms_.cols(offered_));
  }

  /// Of the rounds up to t.
  void draw_noise(std::int64_t t) {
    while (n_drawn_ < t) {
      Sample& next = sample(++n_drawn_);
      next.noise = noise_.next({next.x.memptr(), next.x.n_elem});
    }
  }

  /// The k-th on offer.
  Action arm(arma::uword k) const {
    if (k >= instance_.arms.n_cols)
      visit_->fail("the policy chose arm " + std::to_string(k) + " of 0.." + std::to_string(instance_.arms.n_cols - 1));
    return {instance_.arms.col(k), instance_.means(k), static_cast<arma::sword>(adversary_ ? offered_(k) : k)};
  }
  Action vector(const arma::vec& x) const {
    if (visit_->is_watched() && (x.n_elem != instance_.theta.n_elem || !(arma::norm(x) <= 1 + 1e-9)))
      visit_->fail("the policy chose a vector outside the unit ball");
    return {x, arma::dot(instance_.theta, x), -1};
  }

  Action choose(std::int64_t t) {
    if (data_.t() == 0) return in_turn(t);
    const bandit::Ridge& ridge = data_.ridge(e_.policy_ridge);
    const bandit::ConfidenceSet& set = policy_set_ ? *policy_set_ : *e_.policy_set;
    const bandit::Policy& policy = policy_ ? *policy_ : *e_.policy;
    const bandit::View view{t, instance_.arms, data_, ridge, set, instance_.theta};
    Action action = e_.arms->kind() == bandit::Arms::Kind::ball ? vector(policy.choose_in_ball(view, policy_stream_))
                                                                : arm(policy.choose(view, policy_stream_));
    const double width2 = std::min(1.0, ridge.V.inverse_norm2(action.x.memptr()));
    potential_ += width2;
    in_use_.push_back({width2, ridge.logdet});
    return action;
  }

  /// The first rounds know nothing: the arms in turn, in the ball the unit vectors.
  Action in_turn(std::int64_t t) const {
    const auto turn = static_cast<arma::uword>(t - 1);
    if (instance_.arms.n_cols > 0) return arm(turn % instance_.arms.n_cols);
    arma::vec x(instance_.theta.n_elem, arma::fill::zeros);
    x(turn % x.n_elem) = 1;
    return vector(x);
  }

  void play(std::int64_t t, const Action& action) {
    noise_.announce({action.x.memptr(), action.x.n_elem});
    sample(t) = {action.x, action.mean, 0};
    regret_ += instance_.best - action.mean;
    if (e_.regret_theorem_applies && first_bound_violation_ == 0 && regret_ > last_bound_) {
      last_bound_ = e_.worst_case_bound(t);  // non-decreasing in t: needed again only when regret passes it
      if (regret_ > last_bound_) first_bound_violation_ = t;
    }
    const std::size_t n_kept = regret_at_checkpoints_.size();
    if (n_kept < e_.checkpoints.size() && e_.checkpoints[n_kept] == t) regret_at_checkpoints_.push_back(regret_);
    if (trace_) trace_round(t, action);
  }

  /// Before sample t enters, V_{t-1} is known: was round t played with less than half of its determinant?
  void look_back(std::int64_t t) {
    if (t <= e_.schedule->n_data_free()) return;
    const auto [width2, logdet] = in_use_.front();
    in_use_.pop_front();
    if (data_.ridge(e_.policy_ridge).logdet - logdet <= largest_fresh_growth) return;
    ++stale_rounds_;
    stale_potential_ += width2;
  }

  bool absorb_next(const Watch* watch) {
    look_back(data_.t() + 1);
    draw_noise(data_.t() + 1);
    const Sample& next = sample(data_.t() + 1);
    const double reward = next.mean + next.noise;
    data_.absorb(next.x, reward);
    for (const auto& set : started_)
      if (set) set->absorb(next.x, reward);
    if (policy_set_) policy_set_->absorb(next.x, reward);
    if (policy_) policy_->absorb(next.x, reward);
    const std::int64_t t = data_.t();
    for (std::size_t i = 0; i < monitors_.size(); ++i) {
      const bandit::ConfidenceSet& set = started_[i] ? *started_[i] : *e_.sets[i].set;
      const bandit::Ridge& ridge = data_.ridge(e_.sets[i].ridge);
      const double q = set.distance2(instance_.theta, data_, ridge);
      const double radius2 = set.radius2(t, ridge.logdet);
      log_p_[i] = set.log_p(t, q, ridge.logdet);
      if (visit_->is_watched() && (std::isnan(q) || std::isnan(radius2) || std::isnan(log_p_[i])))
        visit_->fail("distance, radius or p-value of set " + e_.sets[i].name + " is nan");
      monitors_[i].see(t, q, radius2, log_p_[i]);
      if (trace_) {
        trace_->q(i, static_cast<arma::uword>(t - 1)) = q;
        trace_->radius2(i, static_cast<arma::uword>(t - 1)) = radius2;
        trace_quadric(t, i, set, ridge);
      }
    }
    if (trace_) {
      trace_->reward(static_cast<arma::uword>(t - 1)) = reward;
      trace_->noise(static_cast<arma::uword>(t - 1)) = next.noise;
      trace_->theta_hat.col(static_cast<arma::uword>(t - 1)) = data_.theta_hat();
      trace_->theta_ridge.col(static_cast<arma::uword>(t - 1)) = data_.ridge(e_.sets.front().ridge).theta;
    }
    return !watch || (*watch)(t, log_p_);
  }

  void prepare_trace() {
    const auto p = static_cast<arma::uword>(e_.p);
    const auto T = static_cast<arma::uword>(e_.T);
    trace_->cell = e_.cell.index;
    trace_->seed = e_.seed;
    for (const auto& monitored : e_.sets) trace_->lambda.push_back(e_.lambdas[monitored.ridge]);
    trace_->theta_star = instance_.theta;
    const arma::uword n_arms = instance_.arms.n_cols;
    if (n_arms > 0) trace_->arms.set_size(p, n_arms, changes_arms() || adversary_ ? T : 1);
    if (n_arms > 0) trace_->arms.slice(0) = instance_.arms;
    trace_->action.set_size(p, T);
    trace_->action_index.set_size(T);
    trace_->reward.set_size(T);
    trace_->noise.set_size(T);
    trace_->theta_hat.set_size(p, T);
    trace_->theta_ridge.set_size(p, T);
    trace_->q.set_size(e_.sets.size(), T);
    trace_->radius2.set_size(e_.sets.size(), T);
    trace_->regret.set_size(T);
    if (p == 2) trace_->quadric.set_size(std::tuple_size_v<bandit::Quadric>, e_.sets.size(), T);
  }

  void trace_quadric(std::int64_t t, std::size_t i, const bandit::ConfidenceSet& set, const bandit::Ridge& ridge) {
    if (trace_->quadric.is_empty()) return;
    const bandit::Quadric quadric = bandit::quadric_of(set, data_, ridge, instance_.theta);
    std::copy(quadric.begin(), quadric.end(), trace_->quadric.slice_colptr(static_cast<arma::uword>(t - 1), i));
  }

  void trace_round(std::int64_t t, const Action& action) {
    const auto column = static_cast<arma::uword>(t - 1);
    trace_->action.col(column) = action.x;
    trace_->action_index(column) = action.index;
    trace_->regret(column) = regret_;
    if (adversary_) {
      trace_->arms.slice(column).fill(arma::datum::nan);
      trace_->arms.slice(column).cols(offered_) = instance_.arms;
    } else if (changes_arms()) {
      trace_->arms.slice(column) = instance_.arms;
    }
  }

  const Experiment& e_;
  std::int64_t number_;
  Visit* visit_ = nullptr;  ///< while it runs
  Trace* trace_;
  random::Stream arms_stream_;
  bandit::Instance instance_;
  NoiseSource& noise_;
  random::Stream policy_stream_;
  bandit::Regression data_;
  std::vector<Sample> waiting_;  ///< the last samples, as many as the largest lag: played, not yet seen by all
  std::int64_t t_ = 1;           ///< the next round to play
  std::int64_t n_drawn_ = 0;     ///< samples whose noise is drawn
  std::unique_ptr<bandit::Policy> policy_;                       ///< of a policy with a memory
  std::unique_ptr<bandit::Adversary> adversary_;                 ///< if there is one
  std::int64_t n_shown_ = 0;                                     ///< samples that it has seen
  arma::mat arms_;                                               ///< that it chooses from
  arma::uvec offered_;                                           ///< those that it offers
  std::vector<std::unique_ptr<bandit::ConfidenceSet>> started_;  ///< of sets with a memory or randomness of their own
  std::unique_ptr<bandit::ConfidenceSet> policy_set_;            ///< the same
  std::vector<Monitor> monitors_;
  std::vector<double> log_p_;  ///< of each set, now
  std::vector<double> regret_at_checkpoints_;
  double regret_ = 0;
  double last_bound_ = 0;
  double potential_ = 0;
  double stale_potential_ = 0;
  std::int32_t stale_rounds_ = 0;
  std::deque<InUse> in_use_;  ///< of the rounds whose samples have not entered
  std::int64_t first_bound_violation_ = 0;
};

Play::Play(const Experiment& experiment, std::int64_t trajectory, NoiseSource& noise, Trace* trace)
    : trajectory_(Visit(experiment, trajectory).named([&] {
        return std::make_unique<Trajectory>(experiment, trajectory, noise, trace);
      })) {}

Play::~Play() = default;

bool Play::go_on(const Watch& watch) {
  return trajectory_->run(watch ? &watch : nullptr);
}

double Play::log_p_at_centre(std::size_t set) const {
  return trajectory_->log_p_at_centre(set);
}

Row Play::row() const {
  return trajectory_->row();
}

std::optional<Row> run_reference(const Experiment& experiment, std::int64_t trajectory, Trace* trace) {
  const auto noise =
      Visit(experiment, trajectory).named([&] { return std::make_unique<NoiseReader>(experiment, trajectory); });
  Play play(experiment, trajectory, *noise, trace);
  if (!play.go_on({})) return std::nullopt;
  return play.row();
}

}  // namespace mixlab::engine
