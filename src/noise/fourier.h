// Discrete Fourier transforms of 2^k numbers. Our own, so that the bits of a trajectory depend on no library: the roots of
// unity come from square roots and products alone.
#pragma once

#include <cstddef>
#include <vector>

namespace mixlab::noise {

/// Complex numbers, their parts apart.
struct ComplexVector {
  std::vector<double> re, im;

  explicit ComplexVector(std::size_t n) : re(n), im(n) {}
};

class Fourier {
 public:
  /// n: a power of two.
  explicit Fourier(std::size_t n);

  std::size_t size() const { return roots_.re.size(); }
  /// x_k becomes sum_j x_j exp(-2 pi i jk/n). `room` is overwritten.
  void transform(ComplexVector& x, ComplexVector& room) const;
  /// x_k becomes sum_j x_j exp(2 pi i jk/n): n times the inverse.
  void transform_back(ComplexVector& x, ComplexVector& room) const;

 private:
  ComplexVector roots_;  ///< exp(-2 pi i k/n)
};

}  // namespace mixlab::noise
