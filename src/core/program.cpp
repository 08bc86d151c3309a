#include "mixlab/core/program.h"

#include <filesystem>
#include <fstream>
#include <vector>

#include "mixlab/core/hash.h"

namespace mixlab {
namespace {

constexpr const char* self = "/proc/self/exe";

std::string hash_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> buffer(1 << 20);
  Hasher hasher;
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0)
    hasher.add(buffer.data(), static_cast<std::size_t>(file.gcount()));
  return hasher.hex();
}

}  // namespace

std::string program_path() {
  std::error_code error;
  return std::filesystem::read_symlink(self, error).string();
}

std::string program_name() {
  return std::filesystem::path(program_path()).filename().string();
}

std::string program_hash() {
  static const std::string hash = hash_of(self);
  return hash;
}

}  // namespace mixlab
