// Arms that are new every round: independent uniform directions, their means and their scores,
// <theta, x> + beta ||x||_{V^{-1}}.
#pragma once

#include "directions.h"
#include "singles.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class FreshArms {
 public:
  using V = Vec;

  /// `first`: trajectory of lane 0.
  void start(const Experiment& e, std::int64_t first) {
    p_ = e.p;
    K_ = e.arms->n_arms();
    const auto room = static_cast<std::size_t>((K_ + 3) / 4 * 4);
    arms_.assign(room * P, V(0.0));
    width2_.resize(room);
    mean_.resize(room);
    for (int lane = 0; lane < V::width; ++lane)
      streams_.push_back(e.instance_stream(first + lane, random::Purpose::arms));
  }

  const V* arms() const { return arms_.data(); }

  /// The arms of the next round: `mean` <theta*, x> of each, `best` the largest.
  [[gnu::noinline]] void draw(const V* theta_star, V* mean, V& best) {
    directions_.draw(streams_.data(), p_, K_, arms_.data());
    V largest = -std::numeric_limits<double>::infinity();
    for (int first = 0; first < K_; first += 4) {
      V product[4];
      four_products(theta_star, arm(first), product);
      for (int k = first; k < std::min(first + 4, K_); ++k) {
        mean[k] = product[k - first];
        largest = max(largest, mean[k]);
      }
    }
    best = largest;
  }

  /// The arm to play, unless it is given, and its ||x||^2_{V^{-1}}.
  [[gnu::noinline]] void choose(const V* theta, V beta, const Symmetric<P>& inverse, Index wanted, Choice& choice,
                                V& width2) {
    const Form form(inverse);
    BestTwo best;
    const Singles both_beta = pair(beta, beta);
    Indices index = even_and_odd();
    for (int first = 0; first < K_; first += 4) {
      four_products(theta, arm(first), &mean_[first]);
      form.four(arm(first), &width2_[first]);
      for (int k = K_; k < first + 4; ++k) mean_[k] = -std::numeric_limits<double>::infinity();  // nobody's
      MIXLAB_UNROLL(2)
      for (int k = first; k < first + 4; k += 2, index += 2)
        best.see(fma(both_beta, sqrt(pair(width2_[k], width2_[k + 1])), pair(mean_[k], mean_[k + 1])), index);
    }
    if (wanted == Index::best) {
      const Mask clear = choose_better_half<P>(best, V(1.0), theta, beta, choice);
      if (!all(clear)) compare_closely(beta, clear, choice);
    }
    choice.take<1>(width2_.data(), &width2);
  }

 private:
  /// Scores in full precision where the best two are close.
  [[gnu::noinline]] void compare_closely(V beta, Mask clear, Choice& choice) {
    V best = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < K_; ++k) {
      mean_[k] = fma(beta, sqrt(width2_[k]), mean_[k]);
      best = max(best, mean_[k]);
    }
    choose_lowest_near_best(mean_.data(), K_, best, !clear, choice);
  }

  /// <a, x> of four vectors x.
  MIXLAB_INLINE static void four_products(const V* a, const V* x, V* out) {
    V sum[4];
    MIXLAB_UNROLL(4)
    for (int k = 0; k < 4; ++k) sum[k] = a[0] * x[k * P];
    MIXLAB_UNROLL(12)
    for (int i = 1; i < P; ++i) {
      MIXLAB_UNROLL(4)
      for (int k = 0; k < 4; ++k) sum[k] = fma(a[i], x[k * P + i], sum[k]);
    }
    copy<4>(out, sum);
  }

  /// x' A x = 2 sum over i of x_i (a_ii x_i/2 + sum over j < i of a_ij x_j), of four vectors at a time.
  class Form {
   public:
    explicit Form(const Symmetric<P>& A) : A_(A) {
      for (int i = 0; i < P; ++i) half_[i] = 0.5 * A.get(i, i);
    }
    MIXLAB_INLINE void four(const V* x, V* out) const {
      V sum[4] = {0.0, 0.0, 0.0, 0.0};
      MIXLAB_UNROLL(12)
      for (int i = 0; i < P; ++i) {
        V row[4];
        MIXLAB_UNROLL(4)
        for (int k = 0; k < 4; ++k) row[k] = half_[i] * x[k * P + i];
        MIXLAB_UNROLL(12)
        for (int j = 0; j < i; ++j) {
          const V a = A_.get(i, j);
          MIXLAB_UNROLL(4)
          for (int k = 0; k < 4; ++k) row[k] = fma(a, x[k * P + j], row[k]);
        }
        MIXLAB_UNROLL(4)
        for (int k = 0; k < 4; ++k) sum[k] = fma(x[k * P + i], row[k], sum[k]);
      }
      for (int k = 0; k < 4; ++k) out[k] = abs(sum[k] + sum[k]);  // rounding may have made it negative
    }

   private:
    const Symmetric<P>& A_;
    V half_[P];
  };

  const V* arm(int k) const { return arms_.data() + k * P; }

  int p_ = P, K_ = 0;
  std::vector<random::Stream> streams_;
  Directions<P> directions_;
  std::vector<V> arms_, width2_;
  std::vector<V> mean_;  ///< <theta, x>; the score, where that is in doubt
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
