// A group: as many trajectories as a register has lanes, from start to end. What reference.cpp does for one trajectory,
// in blocks of rounds: all samples that a block of rounds needs were played before it began.
#pragma once

#include "absorbed.h"
#include "ball.h"
#include "fresh.h"
#include "least_squares.h"
#include "monitors.h"
#include "optimism.h"
#include "play.h"
#include "ridge.h"
#include "scores.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// When M is made anew (MATHEMATICS.md C.6): at every sample at first, then at the ends of blocks, ever more rarely. A
/// function of the sample's number alone, so that no lane depends on its neighbours.
struct Schedule {
  static constexpr std::int64_t early = 200;
  static bool renew(std::int64_t t, int p) { return t < std::max(40, 2 * p) || (t < early && t % 4 == 0); }
  static std::int64_t interval(std::int64_t t) { return t < 600 ? 10 : 20; }
  /// Rounds between refreshments of V^{-1}.
  static constexpr std::int64_t refresh = 512;
};

template <int P>
class Group {
 public:
  using V = Vec;
  static constexpr int width = V::width;

  /// `first`: trajectory of lane 0.
  Group(const Task& task, std::int64_t first)
      : first_(first), end_(task.first + task.n), tables_(task.tables), e_(task.tables.experiment), watch_(task.watch) {
    std::vector<V> arms;
    for (int lane = 0; lane < width; ++lane) {
      const bandit::Instance instance = e_.instance(first + lane);
      arms.resize(instance.arms.n_cols * P, V(0.0));
      means_.resize(instance.arms.n_cols, V(0.0));
      for (int i = 0; i < P; ++i)
        theta_star_[i].set(lane, i < e_.p ? instance.theta(static_cast<arma::uword>(i)) : 0.0);
      for (arma::uword k = 0; k < instance.arms.n_cols; ++k) {
        means_[k].set(lane, instance.means(k));
        for (int i = 0; i < e_.p; ++i)
          arms[k * P + static_cast<arma::uword>(i)].set(lane, instance.arms(static_cast<arma::uword>(i), k));
      }
      best_.set(lane, instance.best);
      streams_.emplace_back(e_.stream(first + lane, random::Purpose::policy));
    }
    has_fresh_arms_ = e_.arms->kind() == bandit::Arms::Kind::fresh;
    if (has_fresh_arms_) fresh_.start(e_, first);
    scores_.start(std::move(arms), lambda());
    ridge_.start(e_.p, lambda(), theta_star_);
    uses_least_squares_ = tables_.policy.set().centre() == bandit::Centre::least_squares;
    needs_least_squares_ = uses_least_squares_;
    double largest_lambda = 0;
    for (const auto& table : tables_.sets) {
      if (table.set().centre() != bandit::Centre::least_squares) continue;
      needs_least_squares_ = true;
      largest_lambda = std::max(largest_lambda, table.set().constants().lambda);
    }
    least_squares_.start(e_.p, e_.B, e_.sigma, largest_lambda);
    monitors_.start(tables_, theta_star_);
    noise_.start(e_, first);
    regret_.start(e_);
    waiting_.start(e_.lag, tables_.block);
    rule_ = *e_.policy->rule();
    in_ball_ = e_.arms->kind() == bandit::Arms::Kind::ball;
    optimistic_ = rule_ == bandit::Policy::Rule::ucb || rule_ == bandit::Policy::Rule::ucb_in_ball;
    const bool cut = rule_ == bandit::Policy::Rule::ucb_in_ball;
    optimism_.start(e_.p, lambda(), cut ? tables_.policy.set().constants().B : std::numeric_limits<double>::infinity());
    needs_ridge_ =
        rule_ == bandit::Policy::Rule::thompson || task.watch || tables_.policy.set().centre() == bandit::Centre::ridge;
  }

  /// Rounds t..t+n-1 of the start: every arm in turn, in the ball the unit vectors.
  void play_in_turn(std::int64_t t, int n) {
    if (in_ball_) {
      V x[largest_block * P];
      for (int r = 0; r < n; ++r) unit_vector<P>(t + r, e_.p, x + r * P);
      return play(t, n, x);
    }
    Choice choice[largest_block];
    for (int r = 0; r < n; ++r) choice[r] = in_turn(t + r);
    if (has_fresh_arms_) fresh_.draw(theta_star_, means_.data(), best_);
    play(t, n, choice);
  }

  /// Samples first..first+n-1 enter: open_block, then absorb, first_sweep, second_sweep and settle for each, close_block.
  void open_block(std::int64_t first, int n) {
    block_.first = first;
    block_.n = n;
    const std::int64_t place = waiting_.place(first);
    block_.x = waiting_.x(place);
    block_.y = waiting_.y(place);
    block_.eps = waiting_.eps(place);
    block_.logdet_then = ridge_.logdet_then();
    copy<P>(block_.c_before, ridge_.c());
    ridge_.open_block(block_.x, block_.vx);
  }

  MIXLAB_INLINE void absorb(int r) {
    V growth;
    ridge_.absorb(block_.x, block_.vx, block_.eps[r], r, block_.n, block_.gain[r], growth);
    block_.growth[r] = (r == 0 ? ridge_.growth() : block_.growth[r - 1]) * growth;
    block_.q_ridge[r] = ridge_.q();
    if (needs_ridge_) {
      ridge_.estimate(block_.x + r * P, block_.vx + r * P, block_.y[r], block_.gain[r]);
      copy<P>(block_.theta_ridge + r * P, ridge_.theta());
    }
    if (needs_least_squares_) least_squares_.absorb(block_.x, block_.y, r, Schedule::renew(block_.first + r, e_.p));
  }

  MIXLAB_INLINE void first_sweep() {
    if (needs_least_squares_) least_squares_.first_sweep();
  }
  MIXLAB_INLINE void second_sweep() {
    if (needs_least_squares_) least_squares_.second_sweep();
  }
  MIXLAB_INLINE void settle(int r) {
    if (!needs_least_squares_) return;
    least_squares_.settle(block_.x, r);
    measure(r);
  }

  void close_block() {
    const int n = block_.n;
    monitors_.see(block_, [this] { return least_squares_.Lambda(); });
    if (watch_) show_block();
    ridge_.close_block(block_.growth[n - 1], n);
    least_squares_.close_block(block_.x, n);
    keep_fresh(block_.first + n - 1, n);
  }

  /// Rounds t..t+n-1, for which the last block was absorbed.
  void choose_and_play(std::int64_t t, int n) {
    V beta[largest_block];
    const V* theta = uses_least_squares_ ? block_.theta_hat : block_.theta_ridge;
    V other[largest_block * P];
    using Rule = bandit::Policy::Rule;
    for (int r = 0; r < n; ++r) beta[r] = optimistic_ ? radius(r) : V(0.0);
    if (rule_ == Rule::thompson) {
      draw_posterior(other);
      theta = other;
    } else if (rule_ == Rule::oracle) {
      for (int r = 0; r < n; ++r) copy<P>(other + r * P, theta_star_);
      theta = other;
    }
    if (in_ball_) return choose_in_ball(t, n, theta, beta);
    Choice choice[largest_block];
    V width2[largest_block];
    if (has_fresh_arms_) fresh_.draw(theta_star_, means_.data(), best_);
    const bool given = rule_ == Rule::in_turn || rule_ == Rule::random || rule_ == Rule::ucb_in_ball;
    for (int r = 0; given && r < n; ++r)
      choice[r] = rule_ == Rule::in_turn  ? in_turn(t + r)
                  : rule_ == Rule::random ? draw_arm()
                                          : choose_in_cut(r, theta + r * P, beta[r]);
    const Index wanted = given ? Index::given : Index::best;
    if (has_fresh_arms_)
      fresh_.choose(theta, beta[0], ridge_.inverse(), wanted, choice[0], width2[0]);
    else
      scores_.choose({n, theta, beta, block_.vx, block_.gain}, wanted, choice, width2);
    for (int r = 0; r < n; ++r) potential_ = potential_ + min(width2[r], V(1.0));
    play(t, n, choice);
    if (refreshed_ && !has_fresh_arms_) scores_.refresh(ridge_.inverse());
  }

  /// A row a trajectory.
  void write(std::vector<Row>& rows) const {
    for (int lane = 0; lane < width && first_ + lane < end_; ++lane) {
      Row& row = rows.emplace_back();
      regret_.write(lane, row);
      monitors_.write(lane, row);
      row.potential = potential_[lane];
    }
  }

 private:
  const V* arms() const { return has_fresh_arms_ ? fresh_.arms() : scores_.arm(0); }
  double lambda() const { return e_.lambdas[e_.policy_ridge]; }

  // With e = theta_hat - theta* and a = sum of X_s eps_s: Lambda e = a - mu theta_hat, so
  //   ||e||_Lambda^2 = <e, a> - mu <e, theta_hat>   and   2 (L_t(theta*) - L_t(theta_hat)) = <e, a> + mu <e, theta_hat>.
  MIXLAB_INLINE void measure(int r) {
    const V* theta = least_squares_.theta();
    copy<P>(block_.theta_hat + r * P, theta);
    V error[P];
    MIXLAB_UNROLL(32)
    for (int i = 0; i < P; ++i) error[i] = theta[i] - theta_star_[i];
    const V with_star = dot<P>(error, theta_star_), with_hat = dot<P>(error, theta);
    const V with_a = fma(V(lambda()), with_star, dot<P>(error, ridge_.c()));
    const V mu = least_squares_.mu();
    block_.mu[r] = mu;
    block_.error2[r] = with_hat - with_star;
    least_squares_.weigh(block_.error2[r]);
    block_.q_Lambda[r] = fnma(mu, with_hat, with_a);
    block_.q_loss[r] = fma(mu, with_hat, with_a);
  }

  void keep_fresh(std::int64_t t, int n) {
    if (needs_least_squares_ && t >= Schedule::early && t - last_recentred_ >= Schedule::interval(t)) {
      least_squares_.recentre();
      last_recentred_ = t;
    }
    refreshed_ = t / Schedule::refresh != (t - n) / Schedule::refresh;
    if (!refreshed_) return;
    least_squares_.sum_up();
    optimism_.sum_up();
    ridge_.refresh(least_squares_.Lambda(), theta_star_);
  }

  /// beta of the policy's set after sample r of the block.
  V radius(int r) const {
    const PolicyTable& table = tables_.policy;
    if (table.plain()) return V(table.beta(block_.first + r));
    const bandit::RadiusTerms terms = table.at(block_.first + r);
    const double fixed = terms.constant + terms.per_log_delta * table.log_inverse_delta();
    const double surplus = table.set().ellipsoid_surplus();
    const V radius = terms.bias + sqrt(fma(V(terms.per_logdet), block_.logdet(r), V(fixed)));
    return surplus == 0 ? radius : sqrt(radius * radius + surplus);
  }

  /// theta_ridge + inflation sigma L'^{-1} g
  void draw_posterior(V* theta) {
    V g[P], step[P];
    for (int lane = 0; lane < width; ++lane)
      for (int i = 0; i < P; ++i)
        g[i].set(lane, i < e_.p ? random::normal(streams_[static_cast<std::size_t>(lane)].next()) : 0.0);
    Factor<P> factor;
    factor.factor(least_squares_.Lambda(), lambda(), e_.p);
    factor.backward(g, step);
    copy<P>(theta, ridge_.theta());
    add<P>(theta, V(e_.policy->inflation() * tables_.policy.set().constants().sigma), step);
  }

  /// The best action of the ball under theta, unless the rule does not go by theta.
  void choose_in_ball(std::int64_t t, int n, const V* theta, const V* beta) {
    using Rule = bandit::Policy::Rule;
    V x[largest_block * P];
    for (int r = 0; r < n; ++r) {
      V* action = x + r * P;
      optimism_.absorb(block_.x + r * P);
      if (rule_ == Rule::in_turn)
        unit_vector<P>(t + r, e_.p, action);
      else if (rule_ == Rule::random)
        draw_directions<P>(e_.p, streams_, action);
      else if (optimistic_)
        optimism_.choose_longest(theta + r * P, beta[r], action);
      else
        direction_of<P>(theta + r * P, action);
      potential_ = potential_ + min(width2_after<P>(r, block_, ridge_.inverse(), action), V(1.0));
    }
    play(t, n, x);
  }

  Choice in_turn(std::int64_t t) const {
    Choice choice;
    for (auto& arm : choice.arm) arm = (t - 1) % scores_.n_arms();
    return choice;
  }
  Choice choose_in_cut(int r, const V* theta, V beta) {
    optimism_.absorb(block_.x + r * P);
    return optimism_.choose_arms(theta, beta, arms(), scores_.n_arms());
  }
  Choice draw_arm() {
    Choice choice;
    for (int lane = 0; lane < width; ++lane)
      choice.arm[lane] = static_cast<std::int64_t>(random::uniform(streams_[static_cast<std::size_t>(lane)].next()) *
                                                   scores_.n_arms());
    return choice;
  }

  void play(std::int64_t t, int n, const Choice* choice) {
    V loss[largest_block], mean;
    std::int64_t place = waiting_.place(t);
    for (int r = 0; r < n; ++r, place = waiting_.after(place)) {
      choice[r].template take<P>(arms(), waiting_.x(place));
      if constexpr (P < 4)  // the same bits, and cheaper than to fetch them
        mean = dot<P>(theta_star_, waiting_.x(place));
      else
        choice[r].template take<1>(means_.data(), &mean);
      loss[r] = reward(place, mean);
    }
    regret_.add(t, n, loss);
  }
  void play(std::int64_t t, int n, const V* x) {
    V loss[largest_block];
    std::int64_t place = waiting_.place(t);
    for (int r = 0; r < n; ++r, place = waiting_.after(place)) {
      copy<P>(waiting_.x(place), x + r * P);
      loss[r] = reward(place, dot<P>(theta_star_, x + r * P));
    }
    regret_.add(t, n, loss);
  }

  /// Of the action in this place, with this mean. Returns its regret.
  MIXLAB_INLINE V reward(std::int64_t place, V mean) {
    const V eps = noise_.next(waiting_.x(place));
    *waiting_.eps(place) = eps;
    *waiting_.y(place) = mean + eps;
    return best_ - mean;
  }

  [[gnu::noinline]] void show_block() const {
    for (int r = 0; r < block_.n; ++r)
      for (int lane = 0; lane < width && first_ + lane < end_; ++lane) {
        const auto vector = [&](const V* v) {
          std::vector<double> out;
          for (int i = 0; i < e_.p; ++i) out.push_back(v[r * P + i][lane]);
          return out;
        };
        (*watch_)({first_ + lane, block_.first + r, vector(block_.x), block_.y[r][lane], block_.eps[r][lane],
                   vector(block_.theta_hat), block_.mu[r][lane], vector(block_.theta_ridge), block_.q_Lambda[r][lane],
                   block_.q_loss[r][lane], block_.error2[r][lane], block_.q_ridge[r][lane], block_.logdet(r)[lane]});
      }
  }

  std::int64_t first_, end_;  ///< trajectory of lane 0; lanes from the end on belong to nobody
  const Tables& tables_;
  const Experiment& e_;
  const Watch* watch_;
  bandit::Policy::Rule rule_;
  bool in_ball_ = false;              ///< the decision set is the ball
  bool optimistic_ = false;           ///< the rule goes by the radius
  bool uses_least_squares_ = false;   ///< the policy
  bool needs_least_squares_ = false;  ///< the policy or a monitored set
  bool needs_ridge_ = false;          ///< the ridge estimate itself, not only its distance from theta*
  bool refreshed_ = false;
  std::int64_t last_recentred_ = 0;
  V theta_star_[P];
  V best_;
  V potential_ = 0.0;
  std::vector<V> means_;
  std::vector<random::Stream> streams_;
  bool has_fresh_arms_ = false;
  FreshArms<P> fresh_;
  Scores<P> scores_;
  Ridge<P> ridge_;
  LeastSquares<P> least_squares_;
  Absorbed<P> block_;
  Monitors<P> monitors_;
  Noise noise_;
  Regret regret_;
  Waiting<P> waiting_;
  Optimism<P> optimism_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
