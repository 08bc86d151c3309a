#include "child.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "clock.h"

namespace mixlab::bench {
namespace {

pid_t start(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start " + command[0]);
  if (child == 0) {
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  return child;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

std::string own_path() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

Usage run_children(const std::vector<std::string>& command, int n) {
  Usage total;
  const double begin = wall_seconds();
  std::vector<pid_t> children;
  for (int i = 0; i < n; ++i) children.push_back(start(command));
  for (const pid_t child : children) {
    int status = 0;
    rusage usage{};
    if (wait4(child, &status, 0, &usage) != child || status != 0)
      throw std::runtime_error("failed: " + command[0] + " " + (command.size() > 1 ? command[1] : ""));
    total.cpu += seconds(usage.ru_utime) + seconds(usage.ru_stime);
    total.peak_memory = std::max(total.peak_memory, 1024.0 * static_cast<double>(usage.ru_maxrss));
  }
  total.wall = wall_seconds() - begin;
  return total;
}

}  // namespace mixlab::bench
