#include "mixlab/core/stop.h"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "message.h"
#include "mixlab/core/error.h"

using namespace mixlab;

// In a child of a program with threads ThreadSanitizer keeps signals and hands them on in an order of its own.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MIXLAB_SIGNALS_ARE_KEPT 1
#endif
#endif

namespace {

/// Exit code of a child that meets signals, one after the other, and then ends with its reason to stop.
int ends_after(const std::vector<int>& signals) {
  const pid_t child = fork();
  if (child == 0) {
    Stop::reset();
    Stop::install_signal_handlers();
    for (const int signal : signals) raise(signal);
    usleep(1);  // ThreadSanitizer keeps signals until something waits
    _exit(static_cast<int>(Stop::reason()));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(stop)

BOOST_AUTO_TEST_CASE(the_first_request_wins) {
  Stop::reset();
  BOOST_TEST(!Stop::requested());
  BOOST_CHECK_NO_THROW(Stop::check());
  Stop::request(StopReason::time_limit);
  Stop::request(StopReason::interrupt);
  BOOST_TEST((Stop::reason() == StopReason::time_limit));
  BOOST_TEST(contains(message_of<Stopped>(Stop::check), "at --max-time"));
  Stop::reset();
  BOOST_TEST(!Stop::requested());
}

BOOST_AUTO_TEST_CASE(signals_are_requests) {
  BOOST_TEST(ends_after({SIGINT}) == static_cast<int>(StopReason::interrupt));
  BOOST_TEST(ends_after({SIGTERM}) == static_cast<int>(StopReason::terminate));
#ifndef MIXLAB_SIGNALS_ARE_KEPT
  BOOST_TEST(ends_after({SIGUSR1, SIGINT}) == static_cast<int>(StopReason::terminate));
  BOOST_TEST(ends_after({SIGINT, SIGINT}) == static_cast<int>(ExitCode::interrupted));
#endif
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
