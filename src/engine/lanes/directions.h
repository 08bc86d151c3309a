// random::draw_directions in lockstep, four vectors at a time.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// Philox4x32-10 with one key and one nonce per lane. Only the lower halves of all words count.
class Philox32 {
 public:
  void start(Words key, Words nonce) {
    for (int half = 0; half < 2; ++half, key >>= 32)
      for (std::uint64_t i = 0; i < n_rounds; ++i) keys_[i][half] = key + i * step[half];
    const Words second = multiply_low(nonce, Words{} + factor[1]);
    const Words first = multiply_low((second >> 32) ^ keys_[0][0], Words{} + factor[0]);
    early_[0] = (nonce >> 32) ^ keys_[0][1];
    early_[1] = second ^ keys_[1][0];
    early_[2] = (first >> 32) ^ keys_[1][1];
    early_[3] = first;
  }

  /// Blocks number, ..., number + n - 1, which are below 2^32, side by side: a round of one waits for the one before.
  template <int n>
  MIXLAB_INLINE void blocks(std::uint64_t number, Words (*out)[4]) const {
    Words c[n][4];
    MIXLAB_UNROLL(2)
    for (int b = 0; b < n; ++b) {
      const std::uint64_t product = (number + static_cast<std::uint64_t>(b)) * factor[0];
      const Words early = multiply_low((Words{} + (product >> 32)) ^ early_[0], Words{} + factor[1]);
      c[b][0] = (early >> 32) ^ early_[1];
      c[b][1] = early;
      c[b][2] = (Words{} + product) ^ early_[2];
      c[b][3] = early_[3];
    }
    MIXLAB_UNROLL(8)
    for (int i = 2; i < n_rounds; ++i) {
      MIXLAB_UNROLL(2)
      for (int b = 0; b < n; ++b) {
        const Words first = multiply_low(c[b][0], Words{} + factor[0]);
        const Words second = multiply_low(c[b][2], Words{} + factor[1]);
        c[b][0] = (second >> 32) ^ c[b][1] ^ keys_[i][0];
        c[b][1] = second;
        c[b][2] = (first >> 32) ^ c[b][3] ^ keys_[i][1];
        c[b][3] = first;
      }
    }
    for (int b = 0; b < n; ++b)
      for (int i = 0; i < 4; ++i) out[b][i] = c[b][i];
  }

 private:
  static constexpr int n_rounds = 10;
  static constexpr std::uint64_t factor[2] = {0xD2511F53, 0xCD9E8D57};
  static constexpr std::uint64_t step[2] = {0x9E3779B9, 0xBB67AE85};
  Words keys_[n_rounds][2];
  Words early_[4];  ///< what two rounds make of key and nonce alone
};

template <int P>
class Directions {
 public:
  using V = Vec;

  /// `streams`: one per lane. n vectors of P components of which p count; the others are left alone, and there must be
  /// room for the next multiple of four.
  void draw(random::Stream* streams, int p, int n, V* x) {
    Words key{}, nonce{};
    for (int lane = 0; lane < V::width; ++lane) {
      key[lane] = streams[lane].next();
      nonce[lane] = streams[lane].next();
    }
    philox_.start(key, nonce);
    std::uint64_t block = 0;
    for (int first = 0; first < n; first += 4) {
      if (p == P)
        draw_four(P, block, x + first * P);
      else
        draw_four(p, block, x + first * P);
    }
  }

 private:
  static constexpr int n_pairs = random::Direction::n_pairs(P);

  MIXLAB_INLINE void draw_four(int p, std::uint64_t& block, V* x) const {
    Words words[random::Direction::n_words(P)][4];
    const int n_words = random::Direction::n_words(p);
    int b = 0;
    if constexpr (n_pairs > 1)
      for (; b + 2 <= n_words; b += 2) philox_.template blocks<2>(block + static_cast<std::uint64_t>(b), words + b);
    philox_.template blocks<1>(block + static_cast<std::uint64_t>(b), words + b);  // the number of words is odd
    block += static_cast<std::uint64_t>(n_words);
    for (int j = 0; j < 4; ++j) make(p, words, j, x + j * P);
  }

  /// The j-th direction of four.
  MIXLAB_INLINE static void make(int p, const Words (*words)[4], int j, V* x) {
    const int m = random::Direction::n_pairs(p);
    V cuts[n_pairs + 1];
    cuts[0] = 0.0;
    MIXLAB_UNROLL(16)
    for (int i = 1; i < m; ++i) cuts[i] = uniform(words[i - 1][j]);
    MIXLAB_UNROLL(16)
    for (int end = 2; end < m; ++end) {
      MIXLAB_UNROLL(16)
      for (int i = end; i > 1; --i) {
        const V smaller = min(cuts[i - 1], cuts[i]);
        cuts[i] = max(cuts[i - 1], cuts[i]);
        cuts[i - 1] = smaller;
      }
    }
    cuts[m] = 1.0;
    MIXLAB_UNROLL(16)
    for (int i = 0; i < m; ++i) {
      const Words word = words[m - 1 + i][j];
      const V z = angle(word);
      const V radius = with_sign(sqrt(cuts[i + 1] - cuts[i]), word);
      const V z2 = z * z;
      x[2 * i] = radius * polynomial(random::Direction::cosine, z2);
      if (2 * i + 1 < p) x[2 * i + 1] = radius * (z * polynomial(random::Direction::sine, z2));
    }
    if (p % 2) bring_to_length_one(p, x);
  }

  /// (word + 1/2) 2^{-32}
  MIXLAB_INLINE static V uniform(Words word) {
    constexpr double two20 = 0x1p20;  // its last bit counts 2^{-32}
    const Words upper = Words{} + std::bit_cast<std::uint64_t>(two20);
    return V(reinterpret_cast<Register>(with_low(upper, word))) - (two20 - 0x1p-33);
  }

  /// The lower 31 bits, from -1 to 1.
  MIXLAB_INLINE static V angle(Words word) {
    constexpr double two22 = 0x1p22;  // its last bit counts 2^{-30}
    return V(reinterpret_cast<Register>((word & 0x7fffffff) | std::bit_cast<std::uint64_t>(two22))) - (two22 + 1);
  }

  /// x >= 0 with the sign of bit 31.
  MIXLAB_INLINE static V with_sign(V x, Words word) {
    return V(reinterpret_cast<Register>(reinterpret_cast<Words>(x.r[0]) | ((word << 32) & (std::uint64_t{1} << 63))));
  }

  MIXLAB_INLINE static V polynomial(const double (&coefficients)[8], V x) {
    V value = coefficients[7];
    MIXLAB_UNROLL(8)
    for (int i = 6; i >= 0; --i) value = fma(value, x, V(coefficients[i]));
    return value;
  }

  static void bring_to_length_one(int p, V* x) {
    V length2 = x[0] * x[0];
    for (int i = 1; i < p; ++i) length2 = fma(x[i], x[i], length2);
    const V factor = 1.0 / sqrt(length2);
    for (int i = 0; i < p; ++i) x[i] = x[i] * factor;
  }

  Philox32 philox_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
