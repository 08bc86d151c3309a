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
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <new>

#include "mixlab/core/error.h"
#include "mixlab/core/memory.h"
#include "mixlab/core/sandbox.h"
#include "mixlab/core/stop.h"

namespace mixlab::store {
namespace {

// The first byte of what the child sends.
constexpr char answered = 'A';
constexpr char refused = 'R';
constexpr char swelled = 'M';
constexpr char let_down = 'S';

constexpr int tick_milliseconds = 1000;                          // after which a stop is noticed
constexpr std::size_t ordinary_memory = std::size_t{128} << 20;  // that a file of ours may need

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

bool has_processor_time(double seconds) {
  struct rlimit now {};
  return getrlimit(RLIMIT_CPU, &now) != 0 || now.rlim_cur == RLIM_INFINITY ||
         static_cast<double>(now.rlim_cur) > seconds;
}

void restrict_self(int pipe, const Limits& limits, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGPIPE, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU})
    ::signal(number, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits.seconds)), 1);  // SIGXCPU tells why
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);  // the C library's last words
  if (sanitized) return;                             // its shadow is larger than any limit, and it has calls of its own
  limit(RLIMIT_AS, memory_held() + limits.memory);
  if (!enter_sandbox(pipe) && has_sandbox()) _exit(1);
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
  restrict_self(pipe, limits, parent);
  // Whoever fails where memory is short has not been heard.
  const auto send_unless_starved = [&](char kind, const std::string& text) {
    has_memory(ordinary_memory) ? send(pipe, kind, text) : send(pipe, let_down, "Cannot allocate memory");
  };
  try {
    send(pipe, answered, work());
  } catch (const std::bad_alloc&) {
    send_unless_starved(swelled, "");
  } catch (const std::length_error&) {  // a vector of more elements than there are addresses
    send_unless_starved(swelled, "");
  } catch (const InputError& error) {
    send_unless_starved(refused, error.what());
  } catch (const std::exception& error) {
    send(pipe, let_down, error.what());
  }
  _exit(0);
}

/// What arrives until the child closes the pipe; false if it is too much. Throws Stopped.
bool receive(int pipe, const Limits& limits, std::string& text) {
  std::string buffer(1 << 16, '\0');
  for (;;) {
    if (text.size() > limits.answer) return false;
    Stop::check();
    pollfd waiting{pipe, POLLIN, 0};
    if (::poll(&waiting, 1, tick_milliseconds) <= 0) continue;
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    text.append(buffer, 0, static_cast<std::size_t>(got));
  }
}

/// A child that ends, at the latest, with this.
class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    wait();
  }
  /// How it ended.
  int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status;
  }

 private:
  pid_t process_;
};

/// A pipe whose ends close with it.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw SystemError(std::string("cannot make a pipe: ") + std::strerror(errno) +
                        "; allow more open files (ulimit -n)");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  void close_writer() {
    ::close(ends[1]);
    ends[1] = -1;
  }
};

void mention_missing_sandbox() {
  static const bool mentioned = [] {
    if (!has_sandbox())
      std::cerr
          << "mixlab: this kernel has no seccomp: files of others are looked at with limits, but not in a sandbox\n";
    return true;
  }();
  static_cast<void>(mentioned);
}

/// What ended a child that did not answer, if it was the bytes' own doing; empty if it was not.
std::string blame(int status, char kind, bool too_much, bool had_time) {
  if (too_much) return "gives more than such a file may";
  if (kind == swelled) return "needs more memory than such a file may";
  if (!WIFSIGNALED(status)) return {};
  switch (WTERMSIG(status)) {
    case SIGXCPU:
      return had_time ? "takes longer than such a file may" : "";
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGABRT:
      return has_memory(ordinary_memory) ? "crashed the HDF5 library" : "";
    default:
      return {};
  }
}

}  // namespace

std::string run_limited(const std::string& what, const Limits& limits, const std::function<std::string()>& work) {
  mention_missing_sandbox();
  const bool had_time = has_processor_time(limits.seconds);
  Pipe pipe;
  const pid_t parent = getpid();
  std::fflush(stdout);  // what waits to be written would be the child's, too: ThreadSanitizer lets it write that
  const pid_t process = ::fork();
  if (process < 0)
    throw SystemError(std::string("cannot start a process: ") + std::strerror(errno) + "; end some others first");
  if (process == 0) {
    ::close(pipe.ends[0]);
    be_the_child(pipe.ends[1], limits, parent, work);
  }
  Child child(process);
  pipe.close_writer();
  std::string text;
  const bool too_much = !receive(pipe.ends[0], limits, text);
  if (too_much) ::kill(process, SIGKILL);
  const int status = child.wait();
  const char kind = text.empty() ? '\0' : text.front();
  if (!too_much && WIFEXITED(status) && kind == answered) return text.substr(1);
  if (!too_much && kind == refused) throw InputError(text.substr(1));
  const std::string why = blame(status, kind, too_much, had_time);
  if (!why.empty()) throw InputError(what + " (reading it " + why + "); restore or recompute it");
  const std::string reason = kind == let_down      ? text.substr(1)
                             : WIFSIGNALED(status) ? std::string("signal ") + std::to_string(WTERMSIG(status))
                                                   : "it ended early";
  throw SystemError("could not look at it: " + what + " (the process that reads it was let down: " + reason +
                    "); run the same command again, the file stays as it is");
}

}  // namespace mixlab::store
