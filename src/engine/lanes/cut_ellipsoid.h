// Upper confidence bounds over an ellipsoid {theta : ||theta - c||_V <= beta} that is cut with the ball of radius B
// (MATHEMATICS.md C.4). For every k >= 0
//   u(k) = <a, x> + r ||x||_{(V+kI)^{-1}},   a = (V + k I)^{-1} V c,   r^2 = beta^2 + k (B^2 - <c, a>),
// is an upper bound, attained at theta(k) = a + rho (V + k I)^{-1} x, rho = r/||x||_{(V+kI)^{-1}}. The lowest one is the
// value: there k = 0, or ||theta(k)|| = B, or k is infinite, where B x/||x|| lies in the ellipsoid. k is found by Newton's
// method, from that of the round before. The last arm chosen comes first; its k gives bounds on all others, and mostly
// none of them reaches its value.
#pragma once

#include "choice.h"
#include "ldl.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// Ellipsoids in p dimensions, V = Lambda + lambda I, and the ball they are cut with: B is infinite if they are not.
struct CutShape {
  int p = 1;
  double lambda = 1, B = 1;
};

template <int P>
class CutEllipsoid {
 public:
  using V = Vec;

  void start(const CutShape& shape) {
    shape_ = shape;
    for (auto& arm : last_.arm) arm = 0;
    k_.clear();
  }

  /// Of n arms those of largest upper confidence bound. Says where they were found; elsewhere (the ellipsoid does not meet
  /// the ball, or hardly) it takes an eigendecomposition. V = Lambda + lambda I. `factor`: room.
  [[gnu::noinline]] Mask choose(const Symmetric<P>& Lambda, const V* c, V beta, const V* arms, int n, Ldl<P>& factor,
                                Choice& choice) {
    factor_ = &factor;
    k_.resize(static_cast<std::size_t>(n), V(shape_.lambda));
    value_.resize(k_.size());
    open_.assign(k_.size(), V(1.0));
    Lambda_ = &Lambda;
    c_ = c;
    beta2_ = beta * beta;
    lost_ = nowhere();
    V trace = 0.0;
    for (int i = 0; i < shape_.p; ++i) trace = trace + Lambda.get(i, i);
    largest_start_ = 1e3 * (trace + shape_.lambda);
    V k, best = value_of_last(arms, k);
    bound_others(arms, n, best, k);
    for (int lane = 0; lane < V::width; ++lane) settle(static_cast<std::size_t>(last_.arm[lane]), lane, best[lane]);
    settle_on_sphere(arms, n, best);
    while (settle_next(arms, n, best)) {
    }
    choose_lowest_near_best(value_.data(), n, best, everywhere(), choice);
    last_ = choice;
    return !lost_;
  }

 private:
  static constexpr int most_steps = 30;
  static constexpr double rounding = 1e-13;  // of a value, relative to max(1, value)
  static constexpr double largest_gap =
      1e-11;  // between u(k) and its minimum, relative to max(1, u), second order left out

  static V enough(V best) { return fnma(V(tie), max(abs(best), V(1.0)), best); }
  Mask is_open(int arm, V best) const { return (open_[arm] > 0.0) & (value_[arm] >= enough(best)); }
  void settle(std::size_t arm, int lane, double value) {
    value_[arm].set(lane, value);
    open_[arm].set(lane, 0.0);
  }

  /// u at a k, of one x per lane.
  struct Bound {
    V u;
    V excess;  ///< ||theta||^2 - B^2
    V step;    ///< of Newton's method, for k
    V gap;     ///< by which it lowers u
  };

  /// V + k I, a and r. Lanes out of `wanted` may hold anything.
  MIXLAB_INLINE void shift(V k, Mask wanted) {
    factor_->factor(*Lambda_, shape_.lambda + k, V(0.0), shape_.p);
    V half[P];
    factor_->forward(c_, half);
    factor_->backward(half, a_);
    MIXLAB_UNROLL(32)
    for (int i = 0; i < P; ++i) a_[i] = fnma(k, a_[i], c_[i]);
    r2_ = fma(k, shape_.B * shape_.B - dot<P>(c_, a_), beta2_);
    lost_ = lost_ | (wanted & !(r2_ >= 0.0));
  }

  /// At the last shift.
  MIXLAB_INLINE Bound bound(const V* x) const {
    V half[P], h[P], theta[P];
    factor_->forward(x, half);
    const V width2 = factor_->weigh(half), rho2 = r2_ / width2, rho = sqrt(rho2);
    factor_->backward(half, h);
    MIXLAB_UNROLL(32)
    for (int i = 0; i < P; ++i) theta[i] = fma(rho, h[i], a_[i]);
    factor_->forward(theta, half);
    const V length2 = dot<P>(theta, theta), B2 = shape_.B * shape_.B;
    // of ||theta||^2 in k, half: theta' = -(V + k I)^{-1} theta + rho' h
    const V rho_slope = 0.5 * rho * ((B2 - dot<P>(a_, a_)) / r2_ + dot<P>(h, h) / width2);
    const V slope = fma(rho_slope, dot<P>(theta, h), -factor_->weigh(half));
    Bound found;
    found.u = dot<P>(theta, x);
    found.excess = length2 - B2;
    found.step = length2 * (1.0 - sqrt(length2) / shape_.B) / slope;
    found.gap = 0.25 * found.excess * found.step / rho;
    return found;
  }

  /// Where B x/||x|| lies in the ellipsoid, or x is 0. `value`: B ||x||.
  MIXLAB_INLINE Mask reaches_sphere(const V* x, V& value) const {
    const V length = sqrt(dot<P>(x, x));
    value = shape_.B * length;
    V off[P], V_off[P];
    MIXLAB_UNROLL(32)
    for (int i = 0; i < P; ++i) off[i] = fma(shape_.B / length, x[i], -c_[i]);
    Lambda_->multiply(off, V_off);
    return (fma(V(shape_.lambda), dot<P>(off, off), dot<P>(off, V_off)) <= beta2_) | (length <= 0.0);
  }

  /// The value of x in the lanes of `wanted`, or an upper bound below `needed`. In and out: k.
  V solve(const V* x, V needed, Mask wanted, V& k) {
    k = min(k, largest_start_);
    V value = 0.0, low = -1.0, high = std::numeric_limits<double>::infinity();
    for (int step = 0; step < most_steps && any(wanted); ++step) {
      shift(k, wanted);
      const Bound found = bound(x);
      wanted = wanted & !lost_;
      const Mask near =
          (abs(found.gap) <= largest_gap * max(abs(found.u), V(1.0))) | ((k <= 0.0) & (found.excess <= 0.0));
      const Mask done = wanted & (near | (found.u < needed));
      value = select(done, select(near & (k > 0.0), found.u - found.gap, found.u), value);
      low = select(found.excess > 0.0, k, low);
      high = select(found.excess > 0.0, high, k);
      wanted = wanted & !done;
      const V aim = min(max(k + found.step, V(0.0)), 16.0 * k + shape_.lambda);
      const V middle = 0.5 * (max(low, V(0.0)) + min(high, 16.0 * k + shape_.lambda));
      k = select(wanted, select((aim > low) & (aim < high), aim, middle), k);
    }
    lost_ = lost_ | wanted;
    return value;
  }

  V value_of_last(const V* arms, V& k) {
    V x[P], value;
    last_.take<P>(arms, x);
    last_.take<1>(k_.data(), &k);
    const Mask on_sphere = reaches_sphere(x, value);
    if (all(on_sphere)) return value;
    V own_k = k;
    value = select(on_sphere, value, solve(x, V(-std::numeric_limits<double>::infinity()), !on_sphere, own_k));
    k = select(on_sphere | lost_, k, own_k);
    keep(last_, k, everywhere());
    return value;
  }

  void keep(const Choice& arm, V k, Mask lanes) {
    const V kept = select(lanes, k, V(-1.0));
    for (int lane = 0; lane < V::width; ++lane)
      if (kept[lane] >= 0) k_[static_cast<std::size_t>(arm.arm[lane])].set(lane, kept[lane]);
  }

  /// An upper bound on the arms that could be chosen instead of the last one, of value `best`, by one k. Those that come
  /// after it are not if they are no better.
  void bound_others(const V* arms, int n, V best, V k) {
    V last;
    for (int lane = 0; lane < V::width; ++lane) last.set(lane, static_cast<double>(last_.arm[lane]));
    const V better = fma(V(rounding), max(abs(best), V(1.0)), best);
    bool shifted = false;
    V r;
    for (int arm = 0; arm < n; ++arm) {
      const V* x = arms + arm * P;
      const V most = shape_.B * sqrt(dot<P>(x, x));
      const V needed = select(last > static_cast<double>(arm), enough(best), better);
      const Mask asked = (most >= needed) & !lost_;
      value_[arm] = -std::numeric_limits<double>::infinity();
      if (!any(asked)) continue;
      if (!shifted) {
        shift(k, !lost_);
        r = sqrt(max(r2_, V(0.0)));
        shifted = true;
      }
      V half[P];
      factor_->forward(x, half);
      const V u = min(fma(r, sqrt(factor_->weigh(half)), dot<P>(a_, x)), most);
      value_[arm] = select(asked & (u >= needed), u, value_[arm]);
    }
  }

  /// Settles the arms that reach the sphere.
  void settle_on_sphere(const V* arms, int n, V& best) {
    for (int arm = 0; arm < n; ++arm) {
      const Mask asked = is_open(arm, best);
      if (!any(asked)) continue;
      V value;
      const Mask settled = asked & reaches_sphere(arms + arm * P, value);
      value_[arm] = select(settled, value, value_[arm]);
      open_[arm] = select(settled, V(0.0), open_[arm]);
      best = select(settled, max(value, best), best);
    }
  }

  /// Settles the most promising arm of every lane. False if there is none left.
  bool settle_next(const V* arms, int n, V& best) {
    V top = -std::numeric_limits<double>::infinity(), index = -1.0;
    for (int arm = 0; arm < n; ++arm) {
      const Mask better = is_open(arm, best) & (value_[arm] > top);
      top = select(better, value_[arm], top);
      index = select(better, V(static_cast<double>(arm)), index);
    }
    index = select(lost_, V(-1.0), index);
    const Mask asked = index >= 0.0;
    if (!any(asked)) return false;
    Choice next;
    for (int lane = 0; lane < V::width; ++lane) next.arm[lane] = static_cast<std::int64_t>(std::max(index[lane], 0.0));
    V x[P], k;
    next.take<P>(arms, x);
    next.take<1>(k_.data(), &k);
    const V value = solve(x, enough(best), asked, k);
    const Mask settled = asked & !lost_;
    keep(next, k, settled);
    best = select(settled, max(value, best), best);
    for (int lane = 0; lane < V::width; ++lane)
      if (index[lane] >= 0) settle(static_cast<std::size_t>(next.arm[lane]), lane, value[lane]);
    return true;
  }

  const Symmetric<P>* Lambda_ = nullptr;
  const V* c_ = nullptr;
  V beta2_;
  V largest_start_;  ///< for k: far above the solution u hardly changes any more, as it does at the solution
  Ldl<P>* factor_ = nullptr;
  V a_[P], r2_;  ///< at the last shift
  Choice last_;
  std::vector<V> k_;      ///< of every arm, when it was last asked for
  std::vector<V> value_;  ///< of every arm, or an upper bound
  std::vector<V> open_;   ///< 1 where it is no more than a bound
  Mask lost_;
  CutShape shape_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
