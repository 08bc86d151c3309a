#include "mixlab/random/directions.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "philox.h"

namespace mixlab::random {
namespace {

double polynomial(const double (&coefficients)[8], double x) {
  double value = coefficients[7];
  for (int i = 6; i >= 0; --i) value = std::fma(value, x, coefficients[i]);
  return value;
}

class Maker {
 public:
  explicit Maker(int p) : p_(p), n_pairs_(Direction::n_pairs(p)) {}

  /// `words`: Direction::n_words numbers.
  void make(const std::uint32_t* words, double* x) {
    cuts_.assign(1, 0.0);
    for (int i = 1; i < n_pairs_; ++i) cuts_.push_back((*words++ + 0.5) * 0x1p-32);
    cuts_.push_back(1.0);
    std::sort(cuts_.begin(), cuts_.end());
    for (int i = 0; i < n_pairs_; ++i) {
      const std::uint32_t word = words[i];
      const double z = (word & 0x7fffffff) * 0x1p-30 - 1;
      const double radius = (word >> 31 ? -1 : 1) * std::sqrt(cuts_[i + 1] - cuts_[i]);
      x[2 * i] = radius * polynomial(Direction::cosine, z * z);
      if (2 * i + 1 < p_) x[2 * i + 1] = radius * (z * polynomial(Direction::sine, z * z));
    }
    if (p_ % 2) bring_to_length_one(x);
  }

 private:
  void bring_to_length_one(double* x) const {
    double length2 = x[0] * x[0];
    for (int i = 1; i < p_; ++i) length2 = std::fma(x[i], x[i], length2);
    const double factor = 1 / std::sqrt(length2);
    for (int i = 0; i < p_; ++i) x[i] *= factor;
  }

  int p_, n_pairs_;
  std::vector<double> cuts_;
};

}  // namespace

std::array<std::uint32_t, 4> philox32(const std::array<std::uint32_t, 4>& counter,
                                      const std::array<std::uint32_t, 2>& key) {
  return philox10(counter, key);
}

void draw_directions(Stream& stream, int p, int n, double* x) {
  const std::uint64_t key = stream.next(), nonce = stream.next();
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  const int n_words = Direction::n_words(p);
  std::vector<std::uint32_t> words(static_cast<std::size_t>(4 * n_words));
  Maker maker(p);
  std::uint32_t block = 0;
  for (int first = 0; first < n; first += 4) {
    for (int b = 0; b < n_words; ++b) {
      const auto four = philox32({block++, 0, low(nonce), low(nonce >> 32)}, {low(key), low(key >> 32)});
      for (int j = 0; j < 4; ++j) words[static_cast<std::size_t>(j * n_words + b)] = four[static_cast<std::size_t>(j)];
    }
    for (int j = 0; j < std::min(4, n - first); ++j) maker.make(words.data() + j * n_words, x + (first + j) * p);
  }
}

}  // namespace mixlab::random
