// The reference engine: one trajectory at a time, written to be read. What it computes is what mixlab means.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "mixlab/engine/experiment.h"
#include "mixlab/engine/row.h"
#include "mixlab/engine/trace.h"

namespace mixlab::engine {

/// Where the noise of a trajectory comes from.
class NoiseSource {
 public:
  virtual ~NoiseSource() = default;
  /// What the next round plays is determined: up to lag rounds before its noise is asked for.
  virtual void announce(std::span<const double> /*x*/) {}
  /// The noise of the next round, in which x is played.
  virtual double next(std::span<const double> x) = 0;
};

/// Sees log_p of every monitored set C_t, t = 1, 2, ...; false: it has seen enough.
using Watch = std::function<bool(std::int64_t t, std::span<const double> log_p)>;

/// A trajectory on noise from elsewhere, which can be left and taken up again; theta*, arms, policy and sets draw as they
/// always do.
class Play {
 public:
  Play(const Experiment& experiment, std::int64_t trajectory, NoiseSource& noise, Trace* trace = nullptr);
  ~Play();

  /// Goes on until `watch` has seen enough, to the end if it is empty. False if a stop was requested meanwhile.
  bool go_on(const Watch& watch);
  /// What log_p of a monitored set C_t would be now if theta* were its centre: the largest possible.
  double log_p_at_centre(std::size_t set) const;
  Row row() const;

 private:
  class Trajectory;
  std::unique_ptr<Trajectory> trajectory_;
};

/// The row of a trajectory; nothing if a stop was requested meanwhile. Fills `trace` if there is one.
std::optional<Row> run_reference(const Experiment& experiment, std::int64_t trajectory, Trace* trace = nullptr);

}  // namespace mixlab::engine
