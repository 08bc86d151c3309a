// Visits to code that mixlab does not ship: a process, set, policy or arm family of the user's. What fails there, and what does
// not come back, is named by trajectory, round and seed. Experiments without such code are left alone.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

#include "mixlab/engine/experiment.h"

namespace mixlab::engine {

struct Place {
  int cell = 0;
  std::int64_t trajectory = 0;
  std::int64_t round = 0;       ///< 0: before the first
  std::int64_t last_round = 0;  ///< of a call that is about several
  std::uint64_t seed = 0;
};
/// "cell 0, trajectory 17, round 5, seed 1"
std::string name_of(const Place& place);

/// The user's code failed; the message says where.
struct VisitError : std::runtime_error {
  VisitError(const std::string& what, const Place& place);
};

/// Where a thread is, for another one to see.
class Whereabouts {
 public:
  using Shared = std::optional<Place>;
  /// Returns where it was.
  Shared move_to(Shared place);
  /// The place, if it is the same call as at the last `n_looks` looks.
  Shared stuck_for(int n_looks);

 private:
  std::mutex mutex_;
  Shared place_;
  int n_looks_ = 0;  ///< since the last move
};

/// Of this thread; nullptr: nobody looks.
Whereabouts*& whereabouts();

class Visit {
 public:
  Visit(const Experiment& experiment, std::int64_t trajectory);
  ~Visit();
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  /// Whether the experiment has code of the user's.
  bool is_watched() const { return watched_; }
  void enter(std::int64_t round) { enter(round, round); }
  void enter(std::int64_t first_round, std::int64_t last_round);
  [[noreturn]] void fail(const std::string& what) const { throw VisitError(what, place_); }

  /// work(); what it throws has the place in its message.
  template <class Work>
  auto named(Work&& work) const {
    try {
      return work();
    } catch (...) {
      rethrow();
    }
  }

 private:
  [[noreturn]] void rethrow() const;

  bool watched_;
  Place place_;
  Whereabouts::Shared before_;
};

/// The noise of a trajectory as the process has it, every number looked at if the process is the user's. One of the two is
/// nothing: noise is reactive or not.
std::unique_ptr<noise::Path> start_noise(const Experiment& experiment, std::int64_t trajectory);
std::unique_ptr<noise::ReactivePath> start_reactive_noise(const Experiment& experiment, std::int64_t trajectory);

}  // namespace mixlab::engine
