// The errors a user can meet, each with its exit code. Messages read
//   what failed: offending value (rule); remedy
#pragma once

#include <stdexcept>
#include <string>

namespace mixlab {

enum class ExitCode {
  done = 0,
  failure = 1,
  bad_input = 2,
  contradicted = 3,
  write_failed = 74,
  work_left = 75,
  interrupted = 130,
};

/// What the user gave cannot be used: study, option, foreign or damaged file.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One key of the study cannot be used; whoever knows the study file turns this into an InputError with the line.
struct KeyError : std::runtime_error {
  KeyError(std::string key_, const std::string& message) : std::runtime_error(message), key(std::move(key_)) {}
  std::string key;  ///< "section.key"
};

/// A file could not be written.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The machine could not do it now: no memory, no descriptor, no process, a disk that does not answer. Says nothing about
/// the contents of a file: what could not be looked at is not damaged.
struct SystemError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace mixlab
