#include "mixlab/core/process_id.h"

#include <signal.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "mixlab/core/error.h"
#include "mixlab/core/hash.h"
#include "mixlab/core/text.h"

namespace mixlab {
namespace {

constexpr std::size_t space_digits = 8, random_digits = 16;

std::string hexadecimal(std::uint64_t number, std::size_t digits) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return std::string(text).substr(0, digits);
}

bool is_hexadecimal(const std::string& text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Of the machine and of the container on it: process numbers mean nothing elsewhere.
std::string own_space() {
  std::string machine;
  std::ifstream("/etc/machine-id") >> machine;
  std::error_code none;
  const std::string numbers = std::filesystem::read_symlink("/proc/self/ns/pid", none);
  return hexadecimal(hash64(machine + numbers), space_digits);
}

}  // namespace

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

ProcessId ProcessId::self() {
  static const std::string space = own_space();
  return {host_name(), static_cast<int>(getpid()), space};
}

std::string ProcessId::text() const {
  return host + "." + std::to_string(pid) + (space.empty() ? "" : "." + space);
}

Alive ProcessId::alive() const {
  const ProcessId here = self();
  if (host != here.host || (!space.empty() && space != here.space)) return Alive::unknown;
  return kill(pid, 0) == 0 || errno != ESRCH ? Alive::yes : Alive::no;
}

std::string unique_name() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
    throw SystemError(std::string("no random numbers for a file name: ") + std::strerror(errno) + "; try again");
  return ProcessId::self().text() + "." + hexadecimal(number, random_digits);
}

std::optional<ProcessId> parse_process_id(const std::string& name, const std::string& mark) {
  const auto at = name.rfind(mark);
  if (at == std::string::npos) return {};
  std::string rest = name.substr(at + mark.size());
  const auto take_last = [&] {
    const auto dot = rest.rfind('.');
    const std::string word = dot == std::string::npos ? "" : rest.substr(dot + 1);
    rest.resize(dot == std::string::npos ? rest.size() : dot);
    return word;
  };
  ProcessId process;
  std::string number = take_last();
  if (is_hexadecimal(number, random_digits)) {
    process.space = take_last();
    if (!is_hexadecimal(process.space, space_digits)) return {};
    number = take_last();
  }
  const auto pid = parse_integer(number);
  if (rest.empty() || !pid || *pid <= 0 || *pid > std::numeric_limits<int>::max()) return {};
  process.host = rest;
  process.pid = static_cast<int>(*pid);
  return process;
}

}  // namespace mixlab
