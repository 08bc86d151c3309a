// Optimism that takes an eigendecomposition: in the unit ball (MATHEMATICS.md C.5), or over an ellipsoid that is cut with
// a ball (C.4). Each lane goes through the reference mathematics.
#pragma once

#include "choice.h"
#include "gram.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Optimism {
 public:
  using V = Vec;

  /// `B`: of the ball that the ellipsoid is cut with; infinite if it is not.
  void start(int p, double lambda, double B) {
    p_ = p;
    lambda_ = lambda;
    B_ = B;
    Lambda_ = {};
  }

  /// The next sample: the ellipsoid is that of all so far.
  void absorb(const V* x) { Lambda_.add(x, 1); }
  /// Call every Schedule::refresh rounds.
  void sum_up() { Lambda_.sum_up(); }

  /// x: the direction of a longest theta within beta of the centre.
  void choose_longest(const V* centre, V beta, V* x) const {
    const Symmetric<P> Lambda = Lambda_.matrix();
    for (int lane = 0; lane < V::width; ++lane) {
      double direction[P] = {};
      with_belief(lane, Lambda, centre, beta, [&](const Belief& belief) { lanes::choose_longest(belief, direction); });
      for (int i = 0; i < P; ++i) x[i].set(lane, direction[i]);
    }
  }

  /// Of n arms those of largest upper confidence bound.
  Choice choose_arms(const V* centre, V beta, const V* arms, int n) {
    arms_.resize(static_cast<std::size_t>(n * p_));
    const Symmetric<P> Lambda = Lambda_.matrix();
    Choice choice;
    for (int lane = 0; lane < V::width; ++lane) {
      double* to = arms_.data();
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < p_; ++i) *to++ = arms[k * P + i][lane];
      with_belief(lane, Lambda, centre, beta,
                  [&](const Belief& belief) { choice.arm[lane] = choose_arm(belief, arms_.data(), n); });
    }
    return choice;
  }

 private:
  template <class Use>
  void with_belief(int lane, const Symmetric<P>& Lambda, const V* centre, V beta, Use use) const {
    double own_Lambda[P * P], own_centre[P];
    for (int i = 0; i < p_; ++i) {
      own_centre[i] = centre[i][lane];
      for (int j = 0; j < p_; ++j) own_Lambda[i * p_ + j] = Lambda.get(i, j)[lane];
    }
    use(Belief{p_, own_Lambda, lambda_, own_centre, beta[lane] * beta[lane], B_});
  }

  Gram<P> Lambda_;  ///< of its own: it is summed up a block later than the learner's, and last bits depend on that
  std::vector<double> arms_;  ///< of one lane
  int p_ = P;
  double lambda_ = 1;
  double B_ = 1;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
