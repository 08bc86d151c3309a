// The inverse of A = sum of x_s x_s' + shift I, sample by sample, where the same x comes again and again. After n samples x
// that follow one another, a run,
//   (A + n x x')^{-1} = A^{-1} - g u u',   u = A^{-1} x,   g = n/(1 + n x' u),
// so the matrix is left alone until the run ends, and takes one step for all of it. Runs end in each lane by themselves: a
// step of length 0 in the others leaves them as they are, to the bit.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class InverseInRuns {
 public:
  using V = Vec;

  InverseInRuns() {
    for (V& component : u_) component = 0.0;
  }

  /// A^{-1} before the runs; who replaces it in some lanes calls restart for them.
  Symmetric<P>& before() { return before_; }
  const Symmetric<P>& before() const { return before_; }

  /// The next sample begins a run. For all lanes: by the number of the sample alone, because last bits depend on it.
  void restart() {
    restart(everywhere());
    at_rest_ = true;
  }
  void restart(Mask lanes) {
    going_ = going_ & !lanes;
    gain_ = select(lanes, V(0.0), gain_);
  }
  /// Brings before() up to date, by the number of the sample alone.
  void end() {
    if (!at_rest_) before_.subtract(u_, gain_);
    restart();
  }

  /// A sample of a run.
  struct Step {
    bool begins;                  ///< in some lane:
    Mask begun;                   ///< where, and
    V ended;                      ///< g of the run that ended there; 0 elsewhere
    V growth_before, growth;      ///< 1 + n x' u, without and with the sample
    V inverse_before, shrinkage;  ///< one over them; A^{-1} x is `shrinkage` times u now
  };

  /// The next sample is x; where `again`, as the one before.
  MIXLAB_INLINE Step take(const V* x, Mask again) {
    Step step;
    step.begun = !(again & going_);
    step.begins = any(step.begun);
    step.ended = 0.0;
    if (step.begins) step.ended = begin(x, step.begun);
    n_ = n_ + 1.0;
    step.growth_before = growth_;
    step.inverse_before = shrinkage_;
    step.growth = growth_ = fma(n_, xu_, V(1.0));
    step.shrinkage = shrinkage_ = 1.0 / growth_;
    gain_ = n_ * shrinkage_;
    return step;
  }

  // Of the run, the last sample included.
  const V* u() const { return u_; }
  V xu() const { return xu_; }
  V gain() const { return gain_; }

  /// y = the inverse times v
  MIXLAB_INLINE void multiply(const V* v, V* y) const {
    before_.multiply(v, y);
    add<P>(y, -(gain_ * dot<P>(u_, v)), u_);
  }

 private:
  /// In these lanes; returns g of the runs that end there.
  MIXLAB_INLINE V begin(const V* x, Mask lanes) {
    V u[P];
    const V ended = select(lanes, gain_, V(0.0));
    if (at_rest_)
      before_.multiply(x, u);
    else
      before_.subtract_and_multiply(u_, ended, x, u);
    at_rest_ = false;
    if (all(lanes)) {
      copy<P>(u_, u);
    } else {
      MIXLAB_UNROLL(32)
      for (int i = 0; i < P; ++i) u_[i] = select(lanes, u[i], u_[i]);
    }
    xu_ = dot<P>(x, u_);
    n_ = select(lanes, V(0.0), n_);
    growth_ = select(lanes, V(1.0), growth_);
    shrinkage_ = select(lanes, V(1.0), shrinkage_);
    going_ = everywhere();
    return ended;
  }

  Symmetric<P> before_;
  V u_[P], xu_ = 0.0;
  V n_ = 0.0, gain_ = 0.0, growth_ = 1.0, shrinkage_ = 1.0;
  Mask going_ = nowhere();
  bool at_rest_ = true;  ///< before() is up to date in all lanes
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
