// Noise drawn one round at a time, never ahead, so that its law can be tilted and its future drawn anew: what rare
// events need (MATHEMATICS.md D.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mixlab/random/stream.h"

namespace mixlab::noise {

/// The tilts of the rounds to come, under several components: component c makes noise eps in a round likelier by about
/// exp(h eps), h the tilt of that round. All at the unit scale of the process.
struct Tilts {
  std::size_t n_components = 0;
  std::span<const double> h;      ///< round by round, n_components each
  std::int64_t rounds_after = 0;  ///< how many rounds follow those of h, up to the horizon

  std::size_t n_rounds() const { return n_components == 0 ? 0 : h.size() / n_components; }
  std::span<const double> of_round(std::size_t i) const { return h.subspan(i * n_components, n_components); }
};

/// How a twisted path is drawn.
struct Twist {
  std::size_t n_components = 1;
  std::size_t drawn = 0;  ///< the component that the noise is drawn from
  int p = 1;              ///< dimension of what is played
};

/// The noise of one trajectory under a tilted law, and its likelihood ratios under all components. The law of a round
/// given the past may be any function of the past and of the tilts planned; what is left untilted (the start, a hidden
/// sign) keeps its own law.
class TwistedPath {
 public:
  TwistedPath(const random::Stream& stream, const Twist& twist)
      : stream_(stream), drawn_(twist.drawn), log_ratios_(twist.n_components) {}
  virtual ~TwistedPath() = default;

  /// Tells the tilts from the next round on, in place of those told before.
  virtual void plan(const Tilts& tilts) = 0;
  /// The noise of the next round, in which x is played; only of rounds that are planned.
  virtual double next(std::span<const double> x) = 0;

  /// log dQ_c/dP of the rounds drawn so far, for each component c.
  virtual std::span<const double> log_ratios() { return log_ratios_; }
  /// From the next round on, draws from this stream: the past stays, the future is a fresh draw of its law.
  void branch(const random::Stream& stream) { stream_ = stream; }

 protected:
  random::Stream stream_;
  std::size_t drawn_;
  std::vector<double> log_ratios_;
};

}  // namespace mixlab::noise
