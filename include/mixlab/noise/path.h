// The noise of one trajectory, drawn round after round.
#pragma once

#include <span>

namespace mixlab::noise {

/// The noise of one trajectory, in order of rounds.
class Path {
 public:
  virtual ~Path() = default;
  /// The next eps.size() rounds.
  virtual void next(std::span<double> eps) = 0;
};

/// Noise that looks at what is played: one call per round.
class ReactivePath {
 public:
  virtual ~ReactivePath() = default;
  /// The noise of the round in which x is played.
  virtual double next(std::span<const double> x) = 0;
};

}  // namespace mixlab::noise
