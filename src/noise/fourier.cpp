#include "fourier.h"

#include <cmath>
#include <utility>

namespace mixlab::noise {
namespace {

/// Stockham's transform of n = radix x m numbers that lie `stride` apart, for all `stride` offsets: one step of radix 4. What
/// belongs together afterwards lies 4 stride apart.
void step_of_four(std::size_t m, std::size_t stride, const ComplexVector& roots, const ComplexVector& x,
                  ComplexVector& y) {
  const std::size_t quarter = m * stride;
  for (std::size_t p = 0; p < m; ++p) {
    const std::size_t at = p * stride;
    const double w1r = roots.re[at], w1i = roots.im[at];
    const double w2r = roots.re[2 * at], w2i = roots.im[2 * at];
    const double w3r = roots.re[3 * at], w3i = roots.im[3 * at];
    const double *xr = &x.re[at], *xi = &x.im[at];
    double *yr = &y.re[4 * at], *yi = &y.im[4 * at];
#pragma omp simd
    for (std::size_t q = 0; q < stride; ++q) {
      const double acr = xr[q] + xr[q + 2 * quarter], aci = xi[q] + xi[q + 2 * quarter];
      const double a_cr = xr[q] - xr[q + 2 * quarter], a_ci = xi[q] - xi[q + 2 * quarter];
      const double bdr = xr[q + quarter] + xr[q + 3 * quarter], bdi = xi[q + quarter] + xi[q + 3 * quarter];
      const double b_dr = xr[q + quarter] - xr[q + 3 * quarter], b_di = xi[q + quarter] - xi[q + 3 * quarter];
      const double u1r = a_cr + b_di, u1i = a_ci - b_dr;  // a - c - i(b - d)
      const double u2r = acr - bdr, u2i = aci - bdi;
      const double u3r = a_cr - b_di, u3i = a_ci + b_dr;
      yr[q] = acr + bdr;
      yi[q] = aci + bdi;
      yr[q + stride] = w1r * u1r - w1i * u1i;
      yi[q + stride] = w1r * u1i + w1i * u1r;
      yr[q + 2 * stride] = w2r * u2r - w2i * u2i;
      yi[q + 2 * stride] = w2r * u2i + w2i * u2r;
      yr[q + 3 * stride] = w3r * u3r - w3i * u3i;
      yi[q + 3 * stride] = w3r * u3i + w3i * u3r;
    }
  }
}

/// The last step where n is not a power of four.
void step_of_two(std::size_t stride, const ComplexVector& x, ComplexVector& y) {
  for (std::size_t q = 0; q < stride; ++q) {
    y.re[q] = x.re[q] + x.re[q + stride];
    y.im[q] = x.im[q] + x.im[q + stride];
    y.re[q + stride] = x.re[q] - x.re[q + stride];
    y.im[q + stride] = x.im[q] - x.im[q + stride];
  }
}

}  // namespace

Fourier::Fourier(std::size_t n) : roots_(n) {
  roots_.re[0] = 1;
  // By halving the angle: exp(-i angle), the angle pi at first, belongs at k = n/2, then at n/4, and so on.
  double cosine = -1, sine = 0;
  for (std::size_t half = n / 2; half > 0; half /= 2) {
    // What is known lies at multiples of 2 half; between them, the products with exp(-2 pi i half/n).
    for (std::size_t k = half; k < n; k += 2 * half) {
      const double re = roots_.re[k - half], im = roots_.im[k - half];
      roots_.re[k] = re * cosine + im * sine;
      roots_.im[k] = im * cosine - re * sine;
    }
    const double next = std::sqrt((1 + cosine) / 2);
    sine = cosine == -1 ? 1 : sine / (2 * next);
    cosine = next;
  }
}

void Fourier::transform(ComplexVector& x, ComplexVector& room) const {
  std::size_t n = size(), stride = 1;
  for (; n >= 4; n /= 4, stride *= 4) {
    step_of_four(n / 4, stride, roots_, x, room);
    std::swap(x, room);
  }
  if (n == 2) {
    step_of_two(stride, x, room);
    std::swap(x, room);
  }
}

void Fourier::transform_back(ComplexVector& x, ComplexVector& room) const {
  std::swap(x.re, x.im);
  transform(x, room);
  std::swap(x.re, x.im);
}

}  // namespace mixlab::noise
