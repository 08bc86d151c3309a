// Watches the confidence sets: for each, the largest ratio q_t/beta_t^2, the smallest p-value and the first escape of
// theta*. A block of rounds is inspected only where one of these can change: terms of a radius never fall, nor does
// log det, so there is a q below which nothing happens for a while, and mostly the largest q of a block is below it.
#pragma once

#include "absorbed.h"
#include "gram.h"
#include "ldl.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// Ridge regression at a lambda that is not the policy's, for the sets that are centred there. Between blocks only bounds
/// are known of it; q and log det are computed, from scratch, where the bounds do not decide.
template <int P>
class OtherRidge {
 public:
  using V = Vec;

  OtherRidge(double lambda, double policy_lambda, int p, const V* theta_star)
      : p_(p), lambda_(lambda), policy_lambda_(policy_lambda), theta_star_(theta_star) {
    const double ratio = lambda / policy_lambda;
    stretch_ = std::max(1.0, 1 / std::sqrt(ratio));
    logdet_loss_ = p * std::max(0.0, std::log(ratio));
    offset_ = std::abs(lambda - policy_lambda) / std::sqrt(lambda) * sqrt(dot<P>(theta_star, theta_star));
  }

  /// Bounds over the block, and where the rounds below are exact.
  V largest_q() const { return largest_q_; }
  V logdet_floor() const { return logdet_floor_; }
  Mask exact() const { return exact_; }
  V q(int r) const { return q_[r]; }
  V logdet(int r) const { return logdet_[r]; }

  // With c' = c + (lambda - lambda') theta* and V' = Lambda + lambda' I: the norm of c' in V'^{-1} is at most
  // max(1, sqrt(lambda/lambda')) sqrt q + |lambda - lambda'| ||theta*||/sqrt(lambda'), and
  // log det(I + Lambda/lambda') >= log det(I + Lambda/lambda) - p log^+(lambda'/lambda). A round raises q by eps^2 at most.
  void open(const Absorbed<P>& block, V largest_q_ridge) {
    const V norm = fma(V(stretch_), sqrt(largest_q_ridge), offset_);
    V eps2 = q_ceiling_;
    each_round(block.n, [&](int r) { eps2 = fma(block.eps[r], block.eps[r], eps2); });
    q_ceiling_ = eps2;
    largest_q_ = min(norm * norm, q_ceiling_);
    logdet_floor_ = max(block.logdet_then - logdet_loss_, last_logdet_);
    exact_ = nowhere();
  }

  /// Better bounds in these lanes, from what was true before the block.
  void tighten_bounds(const Absorbed<P>& block, const Symmetric<P>& Lambda, Mask lanes) {
    V c[P], q, logdet;
    c_before(block, c);
    evaluate(Lambda, c, q, logdet);
    for (int r = 0; r < block.n; ++r) q = fma(block.eps[r], block.eps[r], q);
    q_ceiling_ = select(lanes, q, q_ceiling_);
    last_logdet_ = select(lanes, logdet, last_logdet_);
    largest_q_ = select(lanes, min(q, largest_q_), largest_q_);
    logdet_floor_ = select(lanes, max(logdet, logdet_floor_), logdet_floor_);
  }

  void make_exact(const Absorbed<P>& block, const Symmetric<P>& Lambda, Mask lanes) {
    Symmetric<P> A = Lambda;
    V c[P];
    c_before(block, c);
    for (int r = 0; r < block.n; ++r) {
      A.add_products(block.x + r * P, 1);
      add<P>(c, block.eps[r], block.x + r * P);
      evaluate(A, c, q_[r], logdet_[r]);
    }
    last_logdet_ = select(lanes, logdet_[block.n - 1], last_logdet_);
    q_ceiling_ = select(lanes, q_[block.n - 1], q_ceiling_);
    exact_ = exact_ | lanes;
  }

 private:
  /// q and log det from scratch; c = sum of X_s eps_s - lambda theta*.
  void evaluate(const Symmetric<P>& A, const V* c, V& q, V& logdet) const {
    V half[P];
    factor_->factor(A, V(lambda_), V(0.0), p_);
    factor_->forward(c, half);
    q = factor_->weigh(half);
    logdet = 0.0;
    for (int first = 0; first < p_; first += n_in_a_product) {
      V shrinkage = 1.0;
      for (int i = first; i < std::min(first + n_in_a_product, p_); ++i)
        shrinkage = shrinkage * (lambda_ * factor_->inverse_pivot(i));
      logdet = logdet + log_above_one(max(1.0 / shrinkage, V(1.0)));
    }
  }

  void c_before(const Absorbed<P>& block, V* c) const {
    for (int i = 0; i < P; ++i) c[i] = fma(V(policy_lambda_ - lambda_), theta_star_[i], block.c_before[i]);
  }

  static constexpr int n_in_a_product = 10;  // of pivots, before a logarithm is taken

  int p_;
  double lambda_, policy_lambda_;
  const V* theta_star_;
  double stretch_, logdet_loss_;  ///< against the policy's ridge
  V offset_;                      ///< likewise
  V largest_q_, logdet_floor_;
  Mask exact_ = everywhere();
  std::unique_ptr<Ldl<P>> factor_ = std::make_unique<Ldl<P>>();  ///< too large for the stack of a thread
  V q_[largest_block], logdet_[largest_block];                   ///< where exact
  V last_logdet_ = 0.0;                                          ///< where it was last exact
  V q_ceiling_ = std::numeric_limits<double>::infinity();        ///< last exact q and eps^2 of all rounds since
};

template <int P>
class Monitors {
 public:
  using V = Vec;

  Monitors(const Tables& tables, const V* theta_star) : tables_(tables) {
    copy<P>(theta_star_, theta_star);
    for (const auto& table : tables.sets) {
      group_for(table).monitors.push_back(monitors_.size());
      monitors_.emplace_back();
    }
  }

  /// `gram`: before the block.
  void see(const Absorbed<P>& block, const Gram<P>& gram) {
    const Rounds rounds = block.first + block.n > tables_.T ? Rounds::last : Rounds::more;
    for (auto& group : groups_) {
      open(group, block);
      if (block.first + block.n > group.safe_until) update_safe_level(group, block);
      if (rounds == Rounds::last || any(group.largest_q > group.safe_below)) inspect(group, block, gram, rounds);
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
  /// A safe level is computed for so many rounds: longer ones are lower, shorter ones computed more often.
  static constexpr std::int64_t safe_rounds = 160;

  enum class Rounds { more, last };
  enum class Source { least_squares, policy_ridge, other_ridge };

  /// Sets with the same distance from the same centre share it.
  struct DistanceGroup {
    DistanceGroup() {}
    Source source = Source::least_squares;
    bandit::Distance distance = bandit::Distance::in_V;
    double lambda = 1;
    std::unique_ptr<OtherRidge<P>> other_ridge;  ///< of that source
    std::vector<std::size_t> monitors;
    V safe_below = 0.0;           ///< nothing happens to its monitors below this q,
    std::int64_t safe_until = 0;  ///< before this round
    V largest_q;                  ///< over the block, at most
    V logdet_floor;               ///< log det is at least this over the block
    Mask exact() const { return other_ridge ? other_ridge->exact() : everywhere(); }
  };

  struct Monitor {
    Monitor() {}
    V sup_ratio = 0.0;
    V log_p = std::numeric_limits<double>::infinity();
    V last_log_p = 0.0;
    V first_violation = 0.0;
  };

  DistanceGroup& group_for(const RadiusTable& table) {
    const Source source = table.centre() == bandit::Centre::least_squares ? Source::least_squares
                          : table.lambda() == tables_.lambda              ? Source::policy_ridge
                                                                          : Source::other_ridge;
    for (DistanceGroup& known : groups_)
      if (known.source == source && known.distance == table.distance() && known.lambda == table.lambda()) return known;
    DistanceGroup& group = groups_.emplace_back();
    group.source = source;
    group.distance = table.distance();
    group.lambda = table.lambda();
    if (source == Source::other_ridge)
      group.other_ridge = std::make_unique<OtherRidge<P>>(group.lambda, tables_.lambda, tables_.p, theta_star_);
    return group;
  }

  /// Of q(0), ..., q(n - 1).
  template <class Q>
  MIXLAB_INLINE static V largest_of(int n, Q q) {
    V found = q(0);
    each_round(n, [&](int r) { found = max(found, q(r)); });
    return found;
  }
  static V largest(const V* q, int n) {
    return largest_of(n, [q](int r) { return q[r]; });
  }

  /// Where exact.
  MIXLAB_INLINE static V q_of(const DistanceGroup& group, const Absorbed<P>& block, int r) {
    if (group.source == Source::other_ridge) return group.other_ridge->q(r);
    if (group.source == Source::policy_ridge) return block.q_ridge[r];
    if (group.distance == bandit::Distance::in_Lambda) return block.q_Lambda[r];
    if (group.distance == bandit::Distance::in_loss) return block.q_loss[r];
    return fma(V(group.lambda), block.error2[r], block.q_Lambda[r]);
  }

  void open(DistanceGroup& group, const Absorbed<P>& block) {
    if (group.source == Source::other_ridge) {
      group.other_ridge->open(block, largest(block.q_ridge, block.n));
      return take_bounds(group);
    }
    if (group.source == Source::least_squares && group.distance == bandit::Distance::in_V) {
      const V lambda = group.lambda;
      group.largest_q = largest_of(block.n, [&](int r) { return fma(lambda, block.error2[r], block.q_Lambda[r]); });
    } else {
      group.largest_q = largest(group.source == Source::policy_ridge            ? block.q_ridge
                                : group.distance == bandit::Distance::in_Lambda ? block.q_Lambda
                                                                                : block.q_loss,
                                block.n);
    }
    group.logdet_floor = block.logdet_then;
  }

  static void take_bounds(DistanceGroup& group) {
    group.largest_q = group.other_ridge->largest_q();
    group.logdet_floor = group.other_ridge->logdet_floor();
  }

  /// The q below which nothing can happen to the monitor in the rounds first, ..., end - 1.
  V safe_level(const Monitor& monitor, const RadiusTable& table, V logdet_floor, std::int64_t first,
               std::int64_t end) const {
    const bandit::RadiusTerms terms = table.floor(first);
    const double last_cost = table.per_log_delta(std::min(end - 1, tables_.T));
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

  [[gnu::noinline]] void update_safe_level(DistanceGroup& group, const Absorbed<P>& block) const {
    group.safe_until = block.first + safe_rounds;
    group.safe_below = std::numeric_limits<double>::infinity();
    for (const std::size_t s : group.monitors)
      group.safe_below = min(group.safe_below, safe_level(monitors_[s], tables_.sets[s], group.logdet_floor,
                                                          block.first, group.safe_until));
  }

  [[gnu::noinline]] void inspect(DistanceGroup& group, const Absorbed<P>& block, const Gram<P>& gram, Rounds rounds) {
    const auto safe = [&](std::size_t s) {
      return rounds == Rounds::last
                 ? V(-std::numeric_limits<double>::infinity())
                 : safe_level(monitors_[s], tables_.sets[s], group.logdet_floor, block.first, block.first + block.n);
    };
    for (const std::size_t s : group.monitors) {
      V level = safe(s);
      Mask lanes = group.largest_q > level;
      if (any(lanes & !group.exact())) {
        group.other_ridge->tighten_bounds(block, gram.matrix(), lanes & !group.exact());
        take_bounds(group);
        level = safe(s);
        lanes = group.largest_q > level;
        if (any(lanes & !group.exact())) group.other_ridge->make_exact(block, gram.matrix(), lanes & !group.exact());
      }
      if (any(lanes)) inspect_rounds(monitors_[s], tables_.sets[s], group, block, lanes, level);
      if (rounds == Rounds::last) keep_last(monitors_[s], tables_.sets[s], group, block);
    }
    group.safe_until = 0;
  }

  /// What a round means for a set.
  struct Verdict {
    V q, radius2;
    V excess;  ///< log p times the cost
    double cost;
  };
  MIXLAB_INLINE static Verdict judge(const RadiusTable& table, const DistanceGroup& group, const Absorbed<P>& block,
                                     int r, V q) {
    const bandit::RadiusTerms terms = table.at(block.first + r);
    V constant = terms.constant, radius2, beyond2 = q;
    if (!table.is_deterministic()) {
      const V logdet = group.other_ridge ? group.other_ridge->logdet(r) : block.logdet(r);
      constant = fma(V(terms.per_logdet), logdet, constant);
    }
    radius2 = constant + terms.per_log_delta * table.log_inverse_delta();
    if (terms.bias != 0) {
      const V radius = terms.bias + sqrt(radius2);
      const V beyond = max(sqrt(q) - terms.bias, V(0.0));
      radius2 = radius * radius;
      beyond2 = beyond * beyond;
    }
    return {q, radius2, constant - beyond2, terms.per_log_delta};
  }

  /// In these lanes, the rounds in which q is above the level.
  void inspect_rounds(Monitor& monitor, const RadiusTable& table, const DistanceGroup& group, const Absorbed<P>& block,
                      Mask lanes, V level) {
    for (int r = 0; r < block.n; ++r) {
      const V q = q_of(group, block, r);
      const Mask needed = lanes & (q > level);
      if (!any(needed)) continue;
      const Verdict found = judge(table, group, block, r, q);
      const Mask escaped = needed & (q > found.radius2) & (monitor.first_violation <= 0.0);
      const Mask larger = needed & (q > monitor.sup_ratio * found.radius2);
      const Mask unlikelier = needed & (found.excess < monitor.log_p * found.cost);
      if (!any(escaped | larger | unlikelier)) continue;  // saves the divisions
      const V log_p = found.excess / found.cost;
      monitor.first_violation = select(escaped, V(static_cast<double>(block.first + r)), monitor.first_violation);
      monitor.sup_ratio = select(larger, max(q / found.radius2, monitor.sup_ratio), monitor.sup_ratio);
      monitor.log_p = select(unlikelier, min(log_p, monitor.log_p), monitor.log_p);
    }
  }

  void keep_last(Monitor& monitor, const RadiusTable& table, const DistanceGroup& group,
                 const Absorbed<P>& block) const {
    const int r = block.n - 1;
    const Verdict found = judge(table, group, block, r, q_of(group, block, r));
    monitor.last_log_p = found.excess / found.cost;
  }

  const Tables& tables_;
  V theta_star_[P];
  std::vector<DistanceGroup> groups_;
  std::vector<Monitor> monitors_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
