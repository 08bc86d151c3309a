#include "mixlab/random/stream.h"

#include <Random123/philox.h>

#include <algorithm>

namespace mixlab::random {

std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key) {
  const auto words = r123::Philox4x64{}({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
  return {words[0], words[1], words[2], words[3]};
}

PhiloxPlace philox_place(const StreamId& id, std::uint64_t block) {
  return {{block, id.trajectory, static_cast<std::uint64_t>(id.purpose), 0}, {id.seed, id.environment}};
}

std::array<std::uint64_t, 4> philox_block(const StreamId& id, std::uint64_t block) {
  const PhiloxPlace place = philox_place(id, block);
  return philox(place.counter, place.key);
}

namespace {

/// Philox4x64-10 for many counters under one key, whose ten round keys are made once.
class ManyBlocks {
 public:
  explicit ManyBlocks(const std::array<std::uint64_t, 2>& key) {
    for (std::uint64_t i = 0; i < n_rounds; ++i)
      for (int half = 0; half < 2; ++half) keys_[i][half] = key[half] + i * step[half];
  }
  void write(std::array<std::uint64_t, 4> c, std::uint64_t* words) const {
#pragma GCC unroll 10
    for (const auto& key : keys_) {
      const Product first = static_cast<Product>(factor[0]) * c[0], second = static_cast<Product>(factor[1]) * c[2];
      c = {high(second) ^ c[1] ^ key[0], low(second), high(first) ^ c[3] ^ key[1], low(first)};
    }
    std::copy(c.begin(), c.end(), words);
  }

 private:
  __extension__ using Product = unsigned __int128;
  static constexpr int n_rounds = 10;
  static constexpr std::uint64_t factor[2] = {0xD2E7470EE14C6C93, 0xCA5A826395121157};
  static constexpr std::uint64_t step[2] = {0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B};
  static std::uint64_t high(Product p) {
    return static_cast<std::uint64_t>(p >> 64);
  }
  static std::uint64_t low(Product p) {
    return static_cast<std::uint64_t>(p);
  }

  std::array<std::uint64_t, 2> keys_[n_rounds];
};

}  // namespace

void Stream::fill(std::span<std::uint64_t> words) {
  std::size_t i = 0;
  while (i < words.size() && used_ < words_.size()) words[i++] = words_[used_++];
  PhiloxPlace place = philox_place(id_, block_);
  const ManyBlocks blocks(place.key);
  for (; i + words_.size() <= words.size(); i += words_.size()) {
    place.counter[0] = block_++;
    blocks.write(place.counter, words.data() + i);
  }
  while (i < words.size()) words[i++] = next();
}

}  // namespace mixlab::random
