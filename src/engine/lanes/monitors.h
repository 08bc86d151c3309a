// Watches the confidence sets: for each, the largest ratio q_t/beta_t^2, the smallest p-value and the first escape of
// theta*. A block of rounds is looked at closely only where one of these can change: terms of a radius never fall, nor
// does log det, so there is a q below which nothing happens for a while, and mostly the largest q of a block is below it.
#pragma once

#include "absorbed.h"
#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Monitors {
 public:
  using V = Vec;

  void start(const Tables& tables, const V* theta_star) {
    tables_ = &tables;
    const Experiment& e = tables.experiment;
    copy<P>(theta_star_, theta_star);
    const double policy_lambda = e.lambdas[e.policy_ridge];
    for (const auto& table : tables.sets) {
      channel_for(table.set(), policy_lambda).monitors.push_back(monitors_.size());
      monitors_.emplace_back();
    }
  }

  /// `Lambda()`: before the block.
  template <class Matrix>
  void see(const Absorbed<P>& block, const Matrix& Lambda) {
    const bool last = block.first + block.n > tables_->experiment.T;
    for (auto& channel : channels_) {
      open(channel, block);
      if (block.first + block.n > channel.quiet_until) make_quiet(channel, block);
      if (last || any(channel.largest_q > channel.quiet)) look(channel, block, Lambda, last);
    }
  }

  void write(int lane, Row& row) const {
    row.first_violation.reserve(monitors_.size());
    for (auto* values : {&row.sup_ratio, &row.log10_p, &row.horizon_log10_p}) values->reserve(monitors_.size());
    for (const auto& monitor : monitors_) {
      row.first_violation.push_back(static_cast<std::int32_t>(monitor.first_violation[lane]));
      row.sup_ratio.push_back(monitor.sup_ratio[lane]);
      row.log10_p.push_back(monitor.log_p[lane] * std::numbers::log10e);
      row.horizon_log10_p.push_back(monitor.last_log_p[lane] * std::numbers::log10e);
    }
  }

 private:
  static constexpr std::int64_t quiet_rounds = 160;

  enum class Source { least_squares, policy_ridge, other_ridge };

  /// Sets with the same distance from the same centre share it.
  struct Channel {
    Channel() {}
    Source source = Source::least_squares;
    bandit::Distance distance = bandit::Distance::in_V;
    double lambda = 1;
    std::vector<std::size_t> monitors;
    V quiet = 0.0;                 ///< nothing happens to its monitors below this q,
    std::int64_t quiet_until = 0;  ///< before this round
    V largest_q;
    V logdet_floor;                             ///< log det is at least this over the block
    Mask exact = everywhere();                  ///< q and log det are known; else only the bounds
    double stretch = 1, logdet_loss = 0;        ///< of other_ridge, against the policy's ridge
    V offset = 0.0;                             ///< likewise
    V q[largest_block], logdet[largest_block];  ///< of other_ridge, where exact
    V last_logdet = 0.0;                        ///< of other_ridge, where it was last exact
    V q_ceiling =
        std::numeric_limits<double>::infinity();  ///< of other_ridge: last exact q and eps^2 of all rounds since
  };

  struct Monitor {
    Monitor() {}
    V sup_ratio = 0.0;
    V log_p = std::numeric_limits<double>::infinity();
    V last_log_p = 0.0;
    V first_violation = 0.0;
  };

  Channel& channel_for(const bandit::AnalyticSet& set, double policy_lambda) {
    Channel channel;
    channel.distance = set.distance();
    channel.lambda = set.constants().lambda;
    channel.source = set.centre() == bandit::Centre::least_squares ? Source::least_squares
                     : channel.lambda == policy_lambda             ? Source::policy_ridge
                                                                   : Source::other_ridge;
    policy_lambda_ = policy_lambda;
    const double ratio = channel.lambda / policy_lambda;
    channel.stretch = std::max(1.0, 1 / std::sqrt(ratio));
    channel.logdet_loss = tables_->experiment.p * std::max(0.0, std::log(ratio));
    channel.offset =
        std::abs(channel.lambda - policy_lambda) / std::sqrt(channel.lambda) * sqrt(dot<P>(theta_star_, theta_star_));
    for (Channel& known : channels_)
      if (known.source == channel.source && known.distance == channel.distance && known.lambda == channel.lambda)
        return known;
    return channels_.emplace_back(channel);
  }

  static V largest(const V* q, int n) {
    V found = q[0];
    MIXLAB_UNROLL(4)
    for (int r = 1; r < n; ++r) found = max(found, q[r]);
    return found;
  }

  /// Where exact.
  MIXLAB_INLINE static V q_of(const Channel& channel, const Absorbed<P>& block, int r) {
    if (channel.source == Source::other_ridge) return channel.q[r];
    if (channel.source == Source::policy_ridge) return block.q_ridge[r];
    if (channel.distance == bandit::Distance::in_Lambda) return block.q_Lambda[r];
    if (channel.distance == bandit::Distance::in_loss) return block.q_loss[r];
    return fma(V(channel.lambda), block.error2[r], block.q_Lambda[r]);
  }

  void open(Channel& channel, const Absorbed<P>& block) {
    if (channel.source == Source::other_ridge) return open_other_ridge(channel, block);
    if (channel.source == Source::least_squares && channel.distance == bandit::Distance::in_V) {
      channel.largest_q = -std::numeric_limits<double>::infinity();
      for (int r = 0; r < block.n; ++r) channel.largest_q = max(q_of(channel, block, r), channel.largest_q);
    } else {
      channel.largest_q = largest(channel.source == Source::policy_ridge            ? block.q_ridge
                                  : channel.distance == bandit::Distance::in_Lambda ? block.q_Lambda
                                                                                    : block.q_loss,
                                  block.n);
    }
    channel.logdet_floor = block.logdet_then;
  }

  // With c' = c + (lambda - lambda') theta* and V' = Lambda + lambda' I: the norm of c' in V'^{-1} is at most
  // max(1, sqrt(lambda/lambda')) sqrt q + |lambda - lambda'| ||theta*||/sqrt(lambda'), and
  // log det(I + Lambda/lambda') >= log det(I + Lambda/lambda) - p log^+(lambda'/lambda). A round raises q by eps^2 at most.
  void open_other_ridge(Channel& channel, const Absorbed<P>& block) {
    const V norm = fma(V(channel.stretch), sqrt(largest(block.q_ridge, block.n)), channel.offset);
    V eps2 = channel.q_ceiling;
    for (int r = 0; r < block.n; ++r) eps2 = fma(block.eps[r], block.eps[r], eps2);
    channel.q_ceiling = eps2;
    channel.largest_q = min(norm * norm, channel.q_ceiling);
    channel.logdet_floor = max(block.logdet_then - channel.logdet_loss, channel.last_logdet);
    channel.exact = nowhere();
  }

  /// q and log det of another ridge from scratch; c = sum of X_s eps_s - lambda theta*.
  void evaluate(const Channel& channel, const Symmetric<P>& A, const V* c, V& q, V& logdet) const {
    const int p = tables_->experiment.p;
    Factor<P> factor;
    V half[P];
    factor.factor(A, channel.lambda, p);
    factor.forward(c, half);
    q = dot<P>(half, half);
    logdet = 0.0;
    for (int i = 0; i < p; ++i) logdet = logdet + log_above_one(max(factor.pivots()[i] / channel.lambda, V(1.0)));
  }

  void c_before(const Channel& channel, const Absorbed<P>& block, V* c) const {
    for (int i = 0; i < P; ++i) c[i] = fma(V(policy_lambda_ - channel.lambda), theta_star_[i], block.c_before[i]);
  }

  /// Better bounds, from what was true before the block.
  void sharpen(Channel& channel, const Absorbed<P>& block, const Symmetric<P>& Lambda, Mask lanes) {
    V c[P], q, logdet;
    c_before(channel, block, c);
    evaluate(channel, Lambda, c, q, logdet);
    for (int r = 0; r < block.n; ++r) q = fma(block.eps[r], block.eps[r], q);
    channel.q_ceiling = select(lanes, q, channel.q_ceiling);
    channel.last_logdet = select(lanes, logdet, channel.last_logdet);
    channel.largest_q = select(lanes, min(q, channel.largest_q), channel.largest_q);
    channel.logdet_floor = select(lanes, max(logdet, channel.logdet_floor), channel.logdet_floor);
  }

  void make_exact(Channel& channel, const Absorbed<P>& block, const Symmetric<P>& Lambda, Mask lanes) {
    Symmetric<P> A = Lambda;
    V c[P];
    c_before(channel, block, c);
    for (int r = 0; r < block.n; ++r) {
      A.add_products(block.x + r * P, 1);
      add<P>(c, block.eps[r], block.x + r * P);
      evaluate(channel, A, c, channel.q[r], channel.logdet[r]);
    }
    channel.last_logdet = select(lanes, channel.logdet[block.n - 1], channel.last_logdet);
    channel.q_ceiling = select(lanes, channel.q[block.n - 1], channel.q_ceiling);
    channel.exact = channel.exact | lanes;
  }

  /// The q below which nothing can happen to the monitor in the rounds first, ..., end - 1.
  V quiet_below(const Monitor& monitor, const RadiusTable& table, V logdet_floor, std::int64_t first,
                std::int64_t end) const {
    const bandit::RadiusTerms terms = table.floor(first);
    const double last_cost = table.per_log_delta(std::min(end - 1, tables_->experiment.T));
    const V constant = fma(V(terms.per_logdet), logdet_floor, V(terms.constant));
    const V radius = terms.bias + sqrt(constant + terms.per_log_delta * table.log_inverse_delta());
    const V radius2 = radius * radius;
    // log p = (constant - (sqrt q - bias)_+^2)/cost is no new record if (sqrt q - bias)_+^2 <= slack
    const V slack = constant - max(monitor.log_p * terms.per_log_delta, monitor.log_p * last_cost);
    const V root = terms.bias + sqrt(max(slack, V(0.0)));
    const V by_p = select(slack >= 0.0, root * root, V(-1.0));
    const V by_escape = select(monitor.first_violation <= 0.0, radius2, V(std::numeric_limits<double>::infinity()));
    return (1 - 1e-9) * min(min(monitor.sup_ratio * radius2, by_p), by_escape);
  }

  [[gnu::noinline]] void make_quiet(Channel& channel, const Absorbed<P>& block) const {
    channel.quiet_until = block.first + quiet_rounds;
    channel.quiet = std::numeric_limits<double>::infinity();
    for (const std::size_t s : channel.monitors)
      channel.quiet = min(channel.quiet, quiet_below(monitors_[s], tables_->sets[s], channel.logdet_floor, block.first,
                                                     channel.quiet_until));
  }

  template <class Matrix>
  [[gnu::noinline]] void look(Channel& channel, const Absorbed<P>& block, const Matrix& Lambda, bool last) {
    const auto needed = [&](std::size_t s) {
      return last ? everywhere()
                  : channel.largest_q > quiet_below(monitors_[s], tables_->sets[s], channel.logdet_floor, block.first,
                                                    block.first + block.n);
    };
    for (const std::size_t s : channel.monitors) {
      Mask lanes = needed(s);
      if (any(lanes & !channel.exact)) {
        sharpen(channel, block, Lambda(), lanes & !channel.exact);
        lanes = needed(s);
        if (any(lanes & !channel.exact)) make_exact(channel, block, Lambda(), lanes & !channel.exact);
      }
      if (any(lanes)) look_closely(monitors_[s], tables_->sets[s], channel, block, lanes, last);
    }
    channel.quiet_until = 0;
  }

  void look_closely(Monitor& monitor, const RadiusTable& table, const Channel& channel, const Absorbed<P>& block,
                    Mask needed, bool last) {
    for (int r = 0; r < block.n; ++r) {
      const bandit::RadiusTerms terms = table.at(block.first + r);
      const V q = q_of(channel, block, r);
      V constant = terms.constant, radius2, beyond2 = q;
      if (!table.plain()) {
        const V logdet = channel.source == Source::other_ridge ? channel.logdet[r] : block.logdet(r);
        constant = fma(V(terms.per_logdet), logdet, constant);
      }
      radius2 = constant + terms.per_log_delta * table.log_inverse_delta();
      if (terms.bias != 0) {
        const V radius = terms.bias + sqrt(radius2);
        const V beyond = max(sqrt(q) - terms.bias, V(0.0));
        radius2 = radius * radius;
        beyond2 = beyond * beyond;
      }
      const V excess = constant - beyond2;
      const Mask escaped = needed & (q > radius2) & (monitor.first_violation <= 0.0);
      const Mask larger = needed & (q > monitor.sup_ratio * radius2);
      const Mask unlikelier = needed & (excess < monitor.log_p * terms.per_log_delta);
      if (any(escaped | larger | unlikelier)) {  // or save the divisions
        const V log_p = excess / terms.per_log_delta;
        monitor.first_violation = select(escaped, V(static_cast<double>(block.first + r)), monitor.first_violation);
        monitor.sup_ratio = select(larger, max(q / radius2, monitor.sup_ratio), monitor.sup_ratio);
        monitor.log_p = select(unlikelier, min(log_p, monitor.log_p), monitor.log_p);
      }
      if (last) monitor.last_log_p = excess / terms.per_log_delta;
    }
  }

  const Tables* tables_ = nullptr;
  V theta_star_[P];
  double policy_lambda_ = 1;
  std::vector<Channel> channels_;
  std::vector<Monitor> monitors_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
