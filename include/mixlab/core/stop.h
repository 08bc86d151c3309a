// Why a run should end early: a signal or a deadline. One predicate, asked in every round.
#pragma once

#include <csignal>
#include <stdexcept>

namespace mixlab {

enum class StopReason { none, interrupt, terminate, time_limit };

/// Work that was asked to stop half-way, and left nothing half-done behind.
struct Stopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Stop {
 public:
  /// From now on SIGINT asks for `interrupt`, SIGTERM and SIGUSR1 for `terminate`; a second SIGINT ends the process
  /// at once. For commands that ask `requested` often; others die of a signal as usual.
  static void install_signal_handlers();
  /// SIGPIPE and SIGXFSZ are ignored, so that a failed write reports itself.
  static void report_failed_writes();

  /// The first request wins. Safe in a signal handler.
  static void request(StopReason reason) noexcept;
  static StopReason reason() noexcept;
  static bool requested() noexcept { return reason() != StopReason::none; }
  /// Throws Stopped once a stop was requested.
  static void check();
  /// For tests.
  static void reset() noexcept;
};

}  // namespace mixlab
