// Philox with ten rounds on four words: a bijection of the counter for every key (Salmon, Moraes, Dror and Shaw, Parallel
// random numbers: as easy as 1, 2, 3, SC 2011).
#pragma once

#include <array>
#include <cstdint>

namespace mixlab::random {

template <class Word>
struct PhiloxConstants;

template <>
struct PhiloxConstants<std::uint64_t> {
  __extension__ using Product = unsigned __int128;
  static constexpr std::uint64_t multiplier[2] = {0xD2E7470EE14C6C93, 0xCA5A826395121157};
  static constexpr std::uint64_t key_step[2] = {0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B};  ///< golden ratio, sqrt 3 - 1
};

template <>
struct PhiloxConstants<std::uint32_t> {
  using Product = std::uint64_t;
  static constexpr std::uint32_t multiplier[2] = {0xD2511F53, 0xCD9E8D57};
  static constexpr std::uint32_t key_step[2] = {0x9E3779B9, 0xBB67AE85};
};

/// Philox4x64-10 or Philox4x32-10, by the type of a word.
template <class Word>
constexpr std::array<Word, 4> philox10(std::array<Word, 4> words, std::array<Word, 2> key) {
  using Constants = PhiloxConstants<Word>;
  using Product = typename Constants::Product;
  const auto high = [](Product product) { return static_cast<Word>(product >> (8 * sizeof(Word))); };
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    const Product first = Product{Constants::multiplier[0]} * words[0];
    const Product second = Product{Constants::multiplier[1]} * words[2];
    words = {high(second) ^ words[1] ^ key[0], static_cast<Word>(second), high(first) ^ words[3] ^ key[1],
             static_cast<Word>(first)};
    for (int i : {0, 1}) key[i] += Constants::key_step[i];
  }
  return words;
}

}  // namespace mixlab::random
