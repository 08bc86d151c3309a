// Runs other programs. The words reach them as they are: no shell in between, nothing to quote.
#pragma once

#include <string>
#include <vector>

namespace mixlab {

struct Answer {
  int code = 0;  ///< its exit code, 128 + the signal that ended it, 127 if there is no such program
  std::string out;
  std::string err;

  bool is_missing() const { return code == 127; }
};

/// Runs `words` to its end, without the variables `unset` in its environment. It is ended after `seconds`, with a word
/// about that in `err`.
Answer call(const std::vector<std::string>& words, double seconds = 60, const std::vector<std::string>& unset = {});

/// Where the words of a program go that is run for its effects.
struct Redirection {
  enum class Messages { shown, discarded };
  int output = -1;  ///< descriptor for its standard output; none: ours
  Messages messages = Messages::shown;
};

/// Runs `words` to its end and returns its exit code as above. Throws std::runtime_error if it cannot be started for
/// another reason than that there is no such program.
int run_program(const std::vector<std::string>& words, const Redirection& redirection = {});

}  // namespace mixlab
