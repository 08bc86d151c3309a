// A pack: as many trajectories as there are lanes, in lockstep from start to end. What reference.cpp does for one
// trajectory, in blocks of rounds: all samples that a block of rounds needs were played before it began.
#pragma once

#include "least_squares.h"
#include "monitors.h"
#include "play.h"
#include "ridge.h"
#include "scores.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// When M is made anew (MATHEMATICS.md C.6): at every sample at first, then at the ends of blocks, ever more rarely. A
/// function of the sample's number alone, so that no lane depends on its neighbours.
struct Schedule {
  static constexpr std::int64_t early = 200;
  static bool renew(std::int64_t t, int p) { return t < std::max(40, 2 * p) || (t < early && t % 4 == 0); }
  static std::int64_t interval(std::int64_t t) { return t < 600 ? 10 : t < 2000 ? 20 : t < 5000 ? 30 : 40; }
  /// Rounds between refreshments of V^{-1}.
  static constexpr std::int64_t refresh = 512;
};

template <int P, int N>
class Pack {
 public:
  using V = Vec<N>;
  static constexpr int width = V::width;

  explicit Pack(const Task& task) : tables_(task.tables), e_(task.tables.experiment), task_(task) {
    std::vector<V> arms;
    for (int lane = 0; lane < width; ++lane) {
      const bandit::Instance instance = e_.instance(task.first + lane);
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
      streams_.emplace_back(e_.stream(task.first + lane, random::Purpose::policy));
    }
    scores_.start(std::move(arms), lambda());
    ridge_.start(e_.p, lambda(), theta_star_);
    least_squares_.start(e_.p, e_.B);
    monitors_.start(tables_, theta_star_);
    noise_.start(e_, task.first);
    regret_.start(e_);
    waiting_.start(e_.lag, tables_.block);
    rule_ = *e_.policy->rule();
    needs_ridge_ =
        rule_ == bandit::Policy::Rule::thompson || task.watch || tables_.policy.set().centre() == bandit::Centre::ridge;
    uses_least_squares_ = tables_.policy.set().centre() == bandit::Centre::least_squares;
    needs_least_squares_ = uses_least_squares_;
    for (const auto& table : tables_.sets)
      needs_least_squares_ = needs_least_squares_ || table.set().centre() == bandit::Centre::least_squares;
  }

  /// False if a stop was requested.
  bool run() {
    std::int64_t t = 1;
    while (t <= e_.T) {
      if (Stop::requested()) return false;
      const std::int64_t end = t <= e_.lag ? std::min(e_.lag, e_.T) : e_.T;
      const int n = static_cast<int>(std::min<std::int64_t>(tables_.block, end - t + 1));
      if (t <= e_.lag) {
        play_in_turn(t, n);
      } else {
        absorb(t - e_.lag, n);
        choose_and_play(t, n);
      }
      t += n;
    }
    return drain();
  }

  std::vector<Row> rows() const {
    std::vector<Row> rows(static_cast<std::size_t>(width));
    for (int lane = 0; lane < width; ++lane) {
      Row& row = rows[static_cast<std::size_t>(lane)];
      regret_.write(lane, row);
      monitors_.write(lane, row);
      row.potential = potential_[lane];
    }
    return rows;
  }

 private:
  double lambda() const { return e_.lambdas[e_.policy_ridge]; }

  /// The last samples, so that every C_t, t = 1..T, is looked at.
  bool drain() {
    for (std::int64_t t = e_.T - e_.lag + 1; t <= e_.T;) {
      if (Stop::requested()) return false;
      const std::int64_t aligned = tables_.block - (t - 1) % tables_.block;
      const int n = static_cast<int>(std::min(aligned, e_.T - t + 1));
      absorb(t, n);
      t += n;
    }
    return true;
  }

  /// Samples first..first+n-1 enter.
  void absorb(std::int64_t first, int n) {
    block_.first = first;
    block_.n = n;
    block_.x = waiting_.x(first);
    block_.y = waiting_.y(first);
    block_.eps = waiting_.eps(first);
    block_.logdet_before = ridge_.logdet();
    copy<P>(block_.c_before, ridge_.c());
    estimate(n);
    monitors_.see(block_, least_squares_.Lambda());
    if (task_.watch) show_block();
    ridge_.close_block(block_.growth[n - 1]);
    least_squares_.close_block(block_.x, block_.y, n);
    keep_fresh(first + n - 1, n);
  }

  void estimate(int n) {
    ridge_.open_block(block_.x, block_.vx);
    for (int r = 0; r < n; ++r) {
      V growth;
      ridge_.absorb(block_.x, block_.vx, block_.eps[r], r, n, block_.gain[r], growth);
      block_.growth[r] = r == 0 ? growth : block_.growth[r - 1] * growth;
      block_.q_ridge[r] = ridge_.q();
      if (needs_ridge_) {
        ridge_.estimate(block_.x + r * P, block_.vx + r * P, block_.y[r], block_.gain[r]);
        copy<P>(block_.theta_ridge + r * P, ridge_.theta());
      }
      if (needs_least_squares_) {
        least_squares_.absorb(block_.x, block_.y, r, Schedule::renew(block_.first + r, e_.p));
        measure(r);
      }
    }
  }

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
    block_.q_Lambda[r] = fnma(mu, with_hat, with_a);
    block_.q_loss[r] = fma(mu, with_hat, with_a);
  }

  void keep_fresh(std::int64_t t, int n) {
    if (needs_least_squares_ && t >= Schedule::early && t - last_recentred_ >= Schedule::interval(t)) {
      least_squares_.recentre();
      last_recentred_ = t;
    }
    refreshed_ = t / Schedule::refresh != (t - n) / Schedule::refresh;
    if (refreshed_) ridge_.refresh(least_squares_.Lambda(), least_squares_.b());
  }

  void choose_and_play(std::int64_t t, int n) {
    V beta[largest_block];
    const V* theta = uses_least_squares_ ? block_.theta_hat : block_.theta_ridge;
    V other[largest_block * P];
    using Rule = bandit::Policy::Rule;
    for (int r = 0; r < n; ++r) beta[r] = rule_ == Rule::ucb ? radius(r) : V(0.0);
    if (rule_ == Rule::thompson) {
      draw_posterior(other);
      theta = other;
    } else if (rule_ == Rule::oracle) {
      for (int r = 0; r < n; ++r) copy<P>(other + r * P, theta_star_);
      theta = other;
    }
    V index[largest_block], width2[largest_block];
    const bool given = rule_ == Rule::in_turn || rule_ == Rule::random;
    for (int r = 0; given && r < n; ++r) index[r] = rule_ == Rule::in_turn ? in_turn(t + r) : draw_index();
    scores_.choose({n, theta, beta, block_.vx, block_.gain},
                   given ? Scores<P, N>::Index::given : Scores<P, N>::Index::best, index, width2);
    for (int r = 0; r < n; ++r) {
      potential_ = potential_ + min(width2[r], V(1.0));
      play(t + r, index[r]);
    }
    if (refreshed_) scores_.refresh(ridge_.inverse());
  }

  /// beta of the policy's set after sample r of the block.
  V radius(int r) const {
    const RadiusTable& table = tables_.policy;
    const bandit::RadiusTerms terms = table.at(block_.first + r);
    const double fixed = terms.constant + terms.per_log_delta * table.log_inverse_delta();
    const double surplus = table.set().ellipsoid_surplus();
    if (table.plain()) return V(std::sqrt(fixed + surplus));
    const V radius = terms.bias + sqrt(fma(V(terms.per_logdet), block_.logdet(r), V(fixed)));
    return surplus == 0 ? radius : sqrt(radius * radius + surplus);
  }

  /// theta_ridge + inflation sigma L'^{-1} g
  void draw_posterior(V* theta) {
    V g[P], step[P];
    for (int lane = 0; lane < width; ++lane)
      for (int i = 0; i < P; ++i)
        g[i].set(lane, i < e_.p ? random::normal(streams_[static_cast<std::size_t>(lane)].next()) : 0.0);
    Factor<P, N> factor;
    factor.factor(least_squares_.Lambda(), lambda(), e_.p);
    factor.backward(g, step);
    copy<P>(theta, ridge_.theta());
    add<P>(theta, V(e_.policy->inflation() * tables_.policy.set().constants().sigma), step);
  }

  V in_turn(std::int64_t t) const { return V(static_cast<double>((t - 1) % scores_.n_arms())); }
  V draw_index() {
    V index;
    for (int lane = 0; lane < width; ++lane)
      index.set(lane, std::floor(random::uniform(streams_[static_cast<std::size_t>(lane)].next()) * scores_.n_arms()));
    return index;
  }

  void play_in_turn(std::int64_t t, int n) {
    for (int r = 0; r < n; ++r) play(t + r, in_turn(t + r));
  }

  void play(std::int64_t t, V index) {
    const V eps = noise_.next();
    V mean;
    V* x = waiting_.x(t);
    for (int lane = 0; lane < width; ++lane) {
      const int k = static_cast<int>(index[lane]);
      mean.set(lane, means_[static_cast<std::size_t>(k)][lane]);
      for (int i = 0; i < P; ++i) x[i].set(lane, scores_.component(k, i, lane));
    }
    *waiting_.y(t) = mean + eps;
    *waiting_.eps(t) = eps;
    regret_.add(t, best_ - mean);
  }

  [[gnu::noinline]] void show_block() const {
    for (int r = 0; r < block_.n; ++r)
      for (int lane = 0; lane < width; ++lane) {
        const auto vector = [&](const V* v) {
          std::vector<double> out;
          for (int i = 0; i < e_.p; ++i) out.push_back(v[r * P + i][lane]);
          return out;
        };
        (*task_.watch)({task_.first + lane, block_.first + r, vector(block_.x), block_.y[r][lane], block_.eps[r][lane],
                        vector(block_.theta_hat), block_.mu[r][lane], vector(block_.theta_ridge),
                        block_.q_Lambda[r][lane], block_.q_loss[r][lane], block_.error2[r][lane],
                        block_.q_ridge[r][lane], block_.logdet(r)[lane]});
      }
  }

  const Tables& tables_;
  const Experiment& e_;
  const Task& task_;
  bandit::Policy::Rule rule_;
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
  Scores<P, N> scores_;
  Ridge<P, N> ridge_;
  LeastSquares<P, N> least_squares_;
  Absorbed<P, N> block_;
  Monitors<P, N> monitors_;
  Noise<N> noise_;
  Regret<N> regret_;
  Waiting<P, N> waiting_;
};

/// One register a variable: two or three were slower at every p (the registers run out).
inline constexpr int n_registers = 1;

template <int P>
bool run_pack(const Task& task, std::vector<Row>& rows) {
  const auto pack = std::make_unique<Pack<P, n_registers>>(task);
  if (!pack->run()) return false;
  rows = pack->rows();
  return true;
}

template <int P>
Kernel kernel() {
  return {Vec<n_registers>::width, run_pack<P>};
}

/// The dimensions that kernels are built for; what lies between is filled up with zeros.
inline Kernel kernel_of(int p) {
  if (p <= 6) {
    constexpr Kernel (*exact[])() = {kernel<2>, kernel<2>, kernel<3>, kernel<4>, kernel<5>, kernel<6>};
    return exact[p - 1]();
  }
  if (p <= 12) {
    constexpr Kernel (*even[])() = {kernel<8>, kernel<10>, kernel<12>};
    return even[(p - 7) / 2]();
  }
  constexpr Kernel (*tiled[])() = {kernel<16>, kernel<20>, kernel<24>, kernel<28>, kernel<32>};
  return tiled[(p - 13) / 4]();
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
