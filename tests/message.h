// What an error says.
#pragma once

#include <stdexcept>
#include <string>

namespace mixlab {

inline bool contains(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

/// The words of the error that `work` throws; "no error" if it throws none.
template <class Error = std::exception, class Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace mixlab
