// A folder for files of a moment.
#pragma once

#include <filesystem>
#include <string>

namespace mixlab::bench {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace mixlab::bench
