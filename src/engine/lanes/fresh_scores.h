// Scores of arms that are new every round, <theta, x> + beta ||x||_{V^{-1}}.
#pragma once

#include "fresh_arms.h"
#include "singles.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class FreshScores {
 public:
  using V = Vec;

  void start(int n_arms) {
    K_ = n_arms;
    const auto room = static_cast<std::size_t>(FreshArms<P>::room_for(n_arms));
    width2_.resize(room);
    mean_.resize(room);
  }

  /// The arm to play, unless it is given, and its ||x||^2_{V^{-1}}.
  [[gnu::noinline]] void choose(const V* arms, const V* theta, V beta, const Symmetric<P>& inverse, ArmSource source,
                                Choice& choice, V& width2) {
    const Form form(inverse);
    BestTwo best;
    const Singles both_beta = pair(beta, beta);
    Indices index = even_and_odd();
    for (int first = 0; first < K_; first += 4) {
      four_products<P>(theta, arms + first * P, &mean_[first]);
      form.four(arms + first * P, &width2_[first]);
      for (int k = K_; k < first + 4; ++k) mean_[k] = -std::numeric_limits<double>::infinity();  // nobody's
      MIXLAB_UNROLL(2)
      for (int k = first; k < first + 4; k += 2, index += 2)
        best.see(fma(both_beta, sqrt(pair(width2_[k], width2_[k + 1])), pair(mean_[k], mean_[k + 1])), index);
    }
    if (source == ArmSource::policy) {
      const Mask clear = choose_better_half<P>(best, V(1.0), theta, beta, V(1.0), choice);
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

  int K_ = 0;
  std::vector<V> width2_;
  std::vector<V> mean_;  ///< <theta, x>; the score, where that is in doubt
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
