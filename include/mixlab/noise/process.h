// Noise whose dependence decays with time. A process is defined at unit scale and certifies what the theory needs
// of it (Assumption 1): it is 1-sub-Gaussian given the past at the lag in use, and
//   |E[eps_t | F_{t-d}]| <= phi_d.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "mixlab/random/stream.h"
#include "mixlab/study/catalogue.h"

namespace mixlab::noise {

/// phi_d <= C exp(-d/tau) for all d >= 1.
struct Geometric {
  double C = 0;
  double tau = 0;
};

/// The noise of one trajectory, in order of rounds.
class Path {
 public:
  virtual ~Path() = default;
  /// The next eps.size() rounds.
  virtual void next(std::span<double> eps) = 0;
};

class Process {
 public:
  virtual ~Process() = default;
  /// phi_d for d >= 1; non-increasing.
  virtual double phi(std::int64_t d) const = 0;
  /// Whether phi(d) is attained, not only an upper bound.
  virtual bool phi_is_exact() const = 0;
  /// The geometric certificate, if there is one.
  virtual std::optional<Geometric> geometric() const { return std::nullopt; }
  virtual std::unique_ptr<Path> start(const random::Stream& stream) const = 0;
};

using MakeProcess = std::function<std::unique_ptr<const Process>(const study::Values& parameters)>;
study::Registry<MakeProcess>& processes();

}  // namespace mixlab::noise
