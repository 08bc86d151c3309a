#include "convolution.h"

#include <algorithm>
#include <bit>

namespace mixlab::noise {
namespace {

constexpr std::size_t smallest_block = 256;
constexpr std::size_t largest_block = 2048;  // spectra of two blocks fit into the second cache

/// Frequencies 0..n/2 of two real sequences x and y whose transform z is that of x + i y.
void separate_spectra(const ComplexVector& z, ComplexVector& x, ComplexVector& y) {
  const std::size_t n = z.re.size();
  for (std::size_t k = 0; k <= n / 2; ++k) {
    const std::size_t mirror = (n - k) % n;
    x.re[k] = (z.re[k] + z.re[mirror]) / 2;
    x.im[k] = (z.im[k] - z.im[mirror]) / 2;
    y.re[k] = (z.im[k] + z.im[mirror]) / 2;
    y.im[k] = (z.re[mirror] - z.re[k]) / 2;
  }
}

/// The other way round.
void unite_spectra(const ComplexVector& x, const ComplexVector& y, ComplexVector& z) {
  const std::size_t n = z.re.size();
  for (std::size_t k = 0; k <= n / 2; ++k) {
    z.re[k] = x.re[k] - y.im[k];
    z.im[k] = x.im[k] + y.re[k];
    if (k == 0 || k == n / 2) continue;
    z.re[n - k] = x.re[k] + y.im[k];
    z.im[n - k] = y.re[k] - x.im[k];
  }
}

}  // namespace

ConvolutionWeights::ConvolutionWeights(std::span<const double> a, std::size_t block)
    : memory_(a.size() - 1),
      fourier_(2 * (block > 0 ? block : std::clamp(std::bit_ceil(a.size()), smallest_block, largest_block))) {
  const std::size_t size = this->block();
  ComplexVector work(2 * size), room(2 * size);
  for (std::size_t first = 0; first < a.size(); first += size) {
    const auto part = a.subspan(first, std::min(size, a.size() - first));
    work = ComplexVector(2 * size);
    std::ranges::copy(part, work.re.begin());
    fourier_.transform(work, room);
    spectra_.push_back(work);
    spectra_.back().re.resize(size + 1);
    spectra_.back().im.resize(size + 1);
  }
}

Convolution::Convolution(const ConvolutionWeights& weights, const std::function<void(std::span<double> u)>& draw)
    : weights_(&weights),
      last_(weights.block()),
      spectra_(weights.n_blocks() + 1, ComplexVector(weights.block() + 1)),
      work_(2 * weights.block()),
      room_(2 * weights.block()),
      first_(weights.block() + 1),
      second_(weights.block() + 1) {
  const std::size_t n_pairs = weights.n_blocks() / 2;
  std::size_t n_zeros = (1 + 2 * n_pairs) * weights.block() - weights.memory();  // innovations that no weight reaches
  const auto fill = [&](std::span<double> u) {
    const std::size_t n = std::min(n_zeros, u.size());
    std::ranges::fill(u.first(n), 0.0);
    draw(u.subspan(n));
    n_zeros -= n;
  };
  fill(last_);
  std::vector<double> pair(n_rounds());
  for (std::size_t i = 0; i < n_pairs; ++i) {
    fill(pair);
    absorb(pair);
  }
}

void Convolution::absorb(std::span<const double> u) {
  const std::size_t block = weights_->block();
  for (std::size_t i = 0; i < block; ++i) {
    work_.re[i] = last_[i];
    work_.re[block + i] = work_.im[i] = u[i];
    work_.im[block + i] = last_[i] = u[block + i];
  }
  weights_->fourier().transform(work_, room_);
  separate_spectra(work_, spectrum(n_absorbed_), spectrum(n_absorbed_ + 1));
  n_absorbed_ += 2;
}

void Convolution::add_up(std::size_t block, ComplexVector& sum) const {
  constexpr std::size_t tile = 512;  // frequencies whose sums stay in the first cache
  const std::size_t n = sum.re.size();
  for (std::size_t first = 0; first < n; first += tile) {
    const std::size_t last = std::min(n, first + tile);
    std::fill(sum.re.begin() + static_cast<std::ptrdiff_t>(first), sum.re.begin() + static_cast<std::ptrdiff_t>(last),
              0.0);
    std::fill(sum.im.begin() + static_cast<std::ptrdiff_t>(first), sum.im.begin() + static_cast<std::ptrdiff_t>(last),
              0.0);
    for (std::size_t k = 0; k < weights_->n_blocks(); ++k) {
      const ComplexVector& a = weights_->spectrum(k);
      const ComplexVector& u = spectra_[(block - k) % spectra_.size()];
      const double *ar = a.re.data(), *ai = a.im.data(), *ur = u.re.data(), *ui = u.im.data();
      double *re = sum.re.data(), *im = sum.im.data();
#pragma omp simd
      for (std::size_t i = first; i < last; ++i) {
        re[i] += ar[i] * ur[i] - ai[i] * ui[i];
        im[i] += ar[i] * ui[i] + ai[i] * ur[i];
      }
    }
  }
}

void Convolution::next(std::span<double> u) {
  const std::size_t block = weights_->block();
  absorb(u);
  add_up(n_absorbed_ - 2, first_);
  add_up(n_absorbed_ - 1, second_);
  unite_spectra(first_, second_, work_);
  weights_->fourier().transform_back(work_, room_);
  const double scale = 1 / static_cast<double>(2 * block);
  for (std::size_t i = 0; i < block; ++i) {  // the first half of each has wrapped around
    u[i] = work_.re[block + i] * scale;
    u[block + i] = work_.im[block + i] * scale;
  }
}

}  // namespace mixlab::noise
