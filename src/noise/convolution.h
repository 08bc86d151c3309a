// Convolution with many weights: sum_{j <= J} a_j u_{t-j} for round after round. Weights and innovations are cut into blocks,
// and every block of the ones meets every block of the others as spectra, so that the work per round grows with J/block and
// all of it stays in the cache.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "fourier.h"

namespace mixlab::noise {

/// The weights, ready to be used by many paths.
class ConvolutionWeights {
 public:
  /// a_0..a_J; `block`: rounds per block, a power of two, by default one that is quick.
  explicit ConvolutionWeights(std::span<const double> a, std::size_t block = 0);

  std::size_t memory() const { return memory_; }
  std::size_t block() const { return fourier_.size() / 2; }
  std::size_t n_blocks() const { return spectra_.size(); }
  const Fourier& fourier() const { return fourier_; }
  /// Of a_j for block k, j in [k block, (k+1) block): frequencies 0..block.
  const ComplexVector& spectrum(std::size_t k) const { return spectra_[k]; }

 private:
  std::size_t memory_;
  Fourier fourier_;
  std::vector<ComplexVector> spectra_;
};

class Convolution {
 public:
  /// `draw` fills in innovations, one after the other: here the memory() ones before round 1.
  Convolution(const ConvolutionWeights& weights, const std::function<void(std::span<double> u)>& draw);

  /// How many rounds `next` takes.
  std::size_t n_rounds() const { return 2 * weights_->block(); }
  /// The sums of the next rounds, in the place of their innovations.
  void next(std::span<double> u);

 private:
  /// The spectra of two more blocks of innovations.
  void absorb(std::span<const double> u);
  /// Adds up the spectra that belong to the sums of a block.
  void add_up(std::size_t block, ComplexVector& sum) const;
  ComplexVector& spectrum(std::size_t block) { return spectra_[block % spectra_.size()]; }

  const ConvolutionWeights* weights_;
  std::vector<double> last_;  ///< the block before the next one
  std::vector<ComplexVector>
      spectra_;                 ///< of two neighbouring blocks of innovations each, by the number of the later one
  std::size_t n_absorbed_ = 0;  ///< blocks
  ComplexVector work_, room_, first_, second_;
};

}  // namespace mixlab::noise
