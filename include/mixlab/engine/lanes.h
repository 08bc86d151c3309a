// The lanes engine: many trajectories in lockstep, one per lane of the vector registers. What the reference engine
// computes, about 1e-10 apart, many times faster.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mixlab/engine/row.h"

namespace mixlab::engine {

struct Experiment;

/// Why the lanes engine does not take this experiment; empty if it does.
std::string why_not_lanes(const Experiment& experiment);

/// Which engine runs an experiment: `automatic` is lanes where it can.
enum class Engine { automatic, lanes, reference };
/// "auto", "lanes" or "reference"; throws InputError.
Engine parse_engine(const std::string& name);
/// Throws InputError if lanes are asked for and cannot.
bool uses_lanes(const Experiment& experiment, Engine engine);

/// Instruction sets. The bits of a trajectory do not depend on them. `fused`: whatever vectors the machine has, with fused
/// multiply-add; `portable`: every machine, an order of magnitude slower.
enum class Isa { portable, fused, avx2, avx512 };
std::string name_of(Isa isa);
/// Whether kernels for it were built and this processor has it.
bool supported(Isa isa);
/// The best one of this machine, or what MIXLAB_ISA names. Throws InputError if that is unknown or not supported.
Isa choose_isa();

/// How many trajectories go well together in a pack.
struct PackWidth {
  int least;  ///< fewer cost the same
  int most;
};
PackWidth pack_width(const Experiment& experiment, Isa isa = choose_isa());

/// State of a trajectory after its t-th sample: for tests, which look at every round.
struct RoundState {
  std::int64_t trajectory = 0;
  std::int64_t t = 0;
  std::vector<double> x;
  double y = 0, eps = 0;
  std::vector<double> theta_hat;
  double mu = 0;
  std::vector<double> theta_ridge;
  double q_Lambda = 0, q_loss = 0, error2 = 0, q_ridge = 0, logdet = 0;
};
using RoundObserver = std::function<void(const RoundState&)>;

namespace lanes {
struct Tables;
}

/// Runs the trajectories of one experiment, a pack at a time. Safe to share among threads.
class Lanes {
 public:
  explicit Lanes(const Experiment& experiment, Isa isa = choose_isa());
  ~Lanes();

  /// Rows of the trajectories first, ..., first + n - 1; nothing if a stop was requested meanwhile. At most one pack.
  std::optional<std::vector<Row>> run(std::int64_t first, int n, const RoundObserver* observer = nullptr) const;

 private:
  std::unique_ptr<const lanes::Tables> tables_;
  Isa isa_;
};

}  // namespace mixlab::engine
