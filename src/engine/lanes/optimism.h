// Optimism in the unit ball (MATHEMATICS.md C.5), or over an ellipsoid that is cut with a ball (C.4). Where the solvers in
// lanes do not find what they look for, the lane goes through the eigendecomposition of the reference mathematics.
#pragma once

#include "ball.h"
#include "boundary.h"
#include "cut_ellipsoid.h"
#include "gram.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Optimism {
 public:
  using V = Vec;

  void start(const CutShape& shape) {
    shape_ = shape;
    Lambda_ = {};
    longest_.start(shape.lambda);
    shortest_.start(shape.lambda);
    cut_.start(shape);
  }

  /// The next sample: the ellipsoid is that of all so far.
  void absorb(const V* x) { Lambda_.add(x, 1); }
  /// Call every Schedule::refresh rounds.
  void sum_up() { Lambda_.sum_up(); }

  /// x: the direction of a longest theta within beta of the centre.
  void choose_longest(const V* centre, V beta, V* x) {
    Symmetric<P> Lambda = Lambda_.matrix();
    T_.reduce(Lambda, shape_.p);
    V c[P], theta[P];
    copy<P>(c, centre);
    T_.turn(c);
    for (V& component : theta) component = 0.0;
    Mask found = longest_.find(T_, c, beta, everywhere(), theta);
    const Mask beyond = found & (dot<P>(theta, theta) > V(shape_.B * shape_.B));
    if (any(beyond)) found = found & (!beyond | cut_with_ball(c, beta, beyond, theta));
    T_.turn_back(theta);
    direction_of<P>(theta, x);
    if (__builtin_expect(all(found), 1)) return;
    each_lane(!found, Lambda_.matrix(), centre, beta, [&](int lane, const Belief& belief) {
      double direction[P] = {};
      lanes::choose_longest(belief, direction);
      for (int i = 0; i < P; ++i) x[i].set(lane, direction[i]);
    });
  }

  /// Of n arms those of largest upper confidence bound.
  Choice choose_arms(const V* centre, V beta, const V* arms, int n) {
    const Symmetric<P> Lambda = Lambda_.matrix();
    Choice choice;
    const Mask found = cut_.choose(Lambda, centre, beta, arms, n, factor_, choice);
    each_lane(!found, Lambda, centre, beta, [&](int lane, const Belief& belief) {
      std::vector<double> own;
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < shape_.p; ++i) own.push_back(arms[k * P + i][lane]);
      choice.arm[lane] = choose_arm(belief, own.data(), n);
    });
    return choice;
  }

 private:
  /// theta, which is too long: where the segment to it from the shortest point leaves the ball. As it is where the
  /// ellipsoid does not meet the ball. Says where that was found. All in the axes of T.
  [[gnu::noinline]] Mask cut_with_ball(const V* c, V beta, Mask mask, V* theta) {
    V from[P];
    for (V& component : from) component = 0.0;
    const Mask around = fma(V(shape_.lambda), dot<P>(c, c), T_.weigh(c)) <= beta * beta;
    const Mask found = around | shortest_.find(T_, c, beta, mask & !around, from);
    V step[P];
    for (int i = 0; i < P; ++i) {
      from[i] = select(around, V(0.0), from[i]);
      step[i] = theta[i] - from[i];
    }
    const V a = dot<P>(step, step), b = dot<P>(from, step), d = dot<P>(from, from) - shape_.B * shape_.B;
    const V s = select((d < 0.0) & (a > 0.0), (sqrt(max(fnma(a, d, b * b), V(0.0))) - b) / a, V(1.0));
    for (int i = 0; i < P; ++i) theta[i] = select(mask & found, fma(s, step[i], from[i]), theta[i]);
    return found;
  }

  template <class Use>
  void each_lane(Mask mask, const Symmetric<P>& Lambda, const V* centre, V beta, Use use) const {
    if (__builtin_expect(!any(mask), 1)) return;
    const V asked = select(mask, V(1.0), V(0.0));
    for (int lane = 0; lane < V::width; ++lane) {
      if (asked[lane] == 0) continue;
      double own_Lambda[P * P], own_centre[P];
      for (int i = 0; i < shape_.p; ++i) {
        own_centre[i] = centre[i][lane];
        for (int j = 0; j < shape_.p; ++j) own_Lambda[i * shape_.p + j] = Lambda.get(i, j)[lane];
      }
      use(lane, Belief{shape_.p, own_Lambda, shape_.lambda, own_centre, beta[lane] * beta[lane], shape_.B});
    }
  }

  Gram<P> Lambda_;    ///< of its own: it is summed up a block later than the learner's, and last bits depend on that
  Tridiagonal<P> T_;  ///< Lambda in axes of its own
  LongestPoint<P> longest_;
  ShortestPoint<P> shortest_;
  CutEllipsoid<P> cut_;
  Ldl<P> factor_;
  CutShape shape_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
