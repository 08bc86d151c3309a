#include "mixlab/store/limited_child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <new>

#include "mixlab/core/error.h"

namespace mixlab::store {
namespace {

// The first byte of what the child sends.
constexpr char answered = 'A';
constexpr char refused = 'R';
constexpr char swelled = 'M';

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

std::size_t memory_held() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Beyond `most` the kernel refuses or warns, `more` after it it kills.
void limit(int resource, rlim_t most, rlim_t more = 0) {
  struct rlimit now {};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return;
  const struct rlimit wanted { std::min(most, now.rlim_max), std::min(most + more, now.rlim_max) };
  setrlimit(static_cast<__rlimit_resource>(resource), &wanted);
}

void restrict_self(const Limits& limits, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGPIPE}) ::signal(number, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits.seconds)), 1);  // SIGXCPU tells why
  if (!sanitized) limit(RLIMIT_AS, memory_held() + limits.memory);  // a sanitizer's shadow is larger than any limit
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);  // the C library's last words
}

void send(int pipe, char kind, const std::string& text) {
  const std::string all = kind + text;
  for (std::size_t at = 0; at < all.size();) {
    const ssize_t written = ::write(pipe, all.data() + at, all.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    at += static_cast<std::size_t>(written);
  }
}

[[noreturn]] void be_the_child(int pipe, const Limits& limits, pid_t parent, const std::function<std::string()>& work) {
  restrict_self(limits, parent);
  try {
    send(pipe, answered, work());
  } catch (const std::bad_alloc&) {
    send(pipe, swelled, "");
  } catch (const std::length_error&) {  // a vector of more elements than there are addresses
    send(pipe, swelled, "");
  } catch (const std::exception& error) {
    send(pipe, refused, error.what());
  }
  _exit(0);
}

/// What arrives until the child closes the pipe; false if time or space run out before.
bool receive(int pipe, const Limits& limits, std::string& text) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(10 * limits.seconds);
  std::string buffer(1 << 16, '\0');
  for (;;) {
    const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
    if (left <= 0 || text.size() > limits.answer) return false;
    pollfd waiting{pipe, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::ceil(1000 * left)));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    text.append(buffer, 0, static_cast<std::size_t>(got));
  }
}

}  // namespace

std::string run_limited(const std::string& what, const Limits& limits, const std::function<std::string()>& work) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  const pid_t parent = getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(pipe[0]);
    be_the_child(pipe[1], limits, parent, work);
  }
  ::close(pipe[1]);
  std::string text;
  const bool in_time = child > 0 && receive(pipe[0], limits, text);
  ::close(pipe[0]);
  if (child < 0) throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const char kind = text.empty() ? '\0' : text.front();
  if (in_time && WIFEXITED(status) && kind == answered) return text.substr(1);
  if (in_time && kind == refused) throw InputError(text.substr(1));
  const bool too_long = !in_time || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
  throw InputError(what + " (reading it " +
                   (kind == swelled ? "needs more memory than such a file may"
                    : too_long      ? "takes longer than such a file may"
                                    : "crashed the HDF5 library") +
                   "); restore or recompute it");
}

}  // namespace mixlab::store
