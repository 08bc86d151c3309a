#include "mixlab/core/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

namespace mixlab {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int tick_milliseconds = 100;
constexpr int missing = 127;

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_, O_CLOEXEC) != 0) ends_[0] = ends_[1] = -1;
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_end(int end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }
  /// Takes what there is; closes at the end of the stream.
  void read_into(std::string& text) {
    char buffer[4096];
    const ssize_t got = ::read(ends_[0], buffer, sizeof buffer);
    if (got > 0)
      text.append(buffer, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
      close_end(0);
  }

 private:
  int ends_[2];
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (auto& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_without(const std::vector<std::string>& unset) {
  std::vector<std::string> kept;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const auto is_unset = [&](const std::string& name) { return text.starts_with(name + "="); };
    if (std::none_of(unset.begin(), unset.end(), is_unset)) kept.push_back(text);
  }
  return kept;
}

/// The streams of a program to be started.
class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  void open(int stream, const std::string& path, int flags) {
    posix_spawn_file_actions_addopen(&actions_, stream, path.c_str(), flags, 0644);
  }
  void redirect(int stream, int descriptor) { posix_spawn_file_actions_adddup2(&actions_, descriptor, stream); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// Errno, or 0 and the process. It starts with the usual signal dispositions, whatever ours are.
int spawn(std::vector<std::string> words, std::vector<std::string> environment, const FileActions& actions,
          pid_t& process) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(&process, words[0].c_str(), actions.get(), &attributes, pointers(words).data(),
                                 pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  return error;
}

/// Reads both streams to their ends; false if that takes longer than until `deadline`.
bool listen(Pipe& out, Pipe& err, Clock::time_point deadline, Answer& answer) {
  while (out.reader() >= 0 || err.reader() >= 0) {
    if (Clock::now() > deadline) return false;
    pollfd ends[2] = {{out.reader(), POLLIN, 0}, {err.reader(), POLLIN, 0}};
    if (poll(ends, 2, tick_milliseconds) <= 0) continue;
    if (ends[0].revents) out.read_into(answer.out);
    if (ends[1].revents) err.read_into(answer.err);
  }
  return true;
}

int exit_code(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Answer call(const std::vector<std::string>& words, double seconds, const std::vector<std::string>& unset) {
  Answer answer;
  Pipe out, err;
  FileActions actions;
  actions.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  actions.redirect(STDOUT_FILENO, out.writer());
  actions.redirect(STDERR_FILENO, err.writer());
  pid_t process = 0;
  if (const int error = spawn(words, environment_without(unset), actions, process)) {
    answer.code = error == ENOENT ? missing : 126;
    answer.err = words[0] + ": " + std::strerror(error) + "\n";
    return answer;
  }
  out.close_end(1);
  err.close_end(1);
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  const bool in_time = listen(out, err, deadline, answer);
  if (!in_time) kill(process, SIGKILL);
  answer.code = exit_code(process);
  if (!in_time) answer.err += words[0] + ": no answer within " + std::to_string(static_cast<int>(seconds)) + " s\n";
  return answer;
}

int run_program(const std::vector<std::string>& words, const Redirection& redirection) {
  FileActions actions;
  if (redirection.output >= 0) actions.redirect(STDOUT_FILENO, redirection.output);
  if (redirection.messages == Redirection::Messages::discarded) actions.open(STDERR_FILENO, "/dev/null", O_WRONLY);
  pid_t process = 0;
  const int error = spawn(words, environment_without({}), actions, process);
  if (error == ENOENT || error == EACCES) return missing;
  if (error != 0) throw std::runtime_error("cannot start " + words[0] + ": " + std::strerror(error));
  return exit_code(process);
}

}  // namespace mixlab
