// Content hashes (XXH3): identity of studies and integrity of files. Not for secrets.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace mixlab {

std::uint64_t hash64(std::string_view bytes);

/// 128-bit hash of bytes that arrive piece by piece.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  void add(const void* bytes, std::size_t size);
  /// 32 hexadecimal digits.
  std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mixlab
