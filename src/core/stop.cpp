#include "mixlab/core/stop.h"

#include <unistd.h>

#include <atomic>
#include <initializer_list>
#include <string>

#include "mixlab/core/error.h"

namespace mixlab {
namespace {

std::atomic<StopReason> the_reason{StopReason::none};
static_assert(std::atomic<StopReason>::is_always_lock_free, "a signal handler touches it");

extern "C" void on_signal(int signal) {
  if (signal == SIGINT && the_reason.load(std::memory_order_relaxed) == StopReason::interrupt)
    _exit(static_cast<int>(ExitCode::interrupted));
  Stop::request(signal == SIGINT ? StopReason::interrupt : StopReason::terminate);
}

}  // namespace

void Stop::install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
}

void Stop::report_failed_writes() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void Stop::request(StopReason reason) noexcept {
  StopReason none = StopReason::none;
  the_reason.compare_exchange_strong(none, reason, std::memory_order_relaxed);
}

StopReason Stop::reason() noexcept {
  return the_reason.load(std::memory_order_relaxed);
}

void Stop::check() {
  if (requested())
    throw Stopped(std::string("stopped ") + (reason() == StopReason::time_limit ? "at --max-time" : "by a signal") +
                  " with work left; run the same command again to go on");
}

void Stop::reset() noexcept {
  the_reason.store(StopReason::none);
}

}  // namespace mixlab
