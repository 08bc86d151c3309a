// Counter-based random streams: every number is a pure function of where it is used, never of when or by whom.
#pragma once

#include <array>
#include <cstdint>

namespace mixlab::random {

/// What a stream is drawn for. Each purpose has its own stream, so two policies on one environment see the same
/// noise. The values are part of the counter: never renumber them.
enum class Purpose : std::uint64_t { arms = 1, theta = 2, noise = 3, policy = 4, set = 5, bootstrap = 6 };

/// A trajectory number that no trajectory has, for what is drawn once for a whole cell.
inline constexpr std::uint64_t whole_cell = ~std::uint64_t{0};

/// Names a stream. Philox4x64-10 takes key (seed, environment) and counter (block, trajectory, purpose, 0), so
/// different ids have disjoint blocks by construction.
struct StreamId {
  std::uint64_t seed = 0;
  std::uint64_t environment = 0;
  std::uint64_t trajectory = 0;
  Purpose purpose = Purpose::noise;
};

/// Philox4x64-10 (Salmon et al. 2011), a bijection of the counter for every key.
std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key);

struct PhiloxPlace {
  std::array<std::uint64_t, 4> counter;
  std::array<std::uint64_t, 2> key;
};

/// Where the `block`-th block of a stream lies: one place for one (id, block).
PhiloxPlace philox_place(const StreamId& id, std::uint64_t block);

/// Four 64-bit words: the `block`-th block of the stream.
std::array<std::uint64_t, 4> philox_block(const StreamId& id, std::uint64_t block);

/// Reads a stream from its first block on.
class Stream {
 public:
  explicit Stream(const StreamId& id) : id_(id) {}

  std::uint64_t next() {
    if (used_ == words_.size()) {
      words_ = philox_block(id_, block_++);
      used_ = 0;
    }
    return words_[used_++];
  }

 private:
  StreamId id_;
  std::uint64_t block_ = 0;
  std::array<std::uint64_t, 4> words_{};
  std::size_t used_ = 4;
};

}  // namespace mixlab::random
