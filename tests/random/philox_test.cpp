#include "random/philox.h"

#include <boost/test/unit_test.hpp>

#include "seed.h"

#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#endif

using namespace mixlab;
using namespace mixlab::random;

// The published known answers are in stream_test.cpp (64 bits) and directions_test.cpp (32 bits).
BOOST_AUTO_TEST_SUITE(randomness)
BOOST_AUTO_TEST_SUITE(philox)

BOOST_AUTO_TEST_CASE(one_bit_of_the_counter_or_key_changes_half_of_the_words_bits) {
  // 256 bits of which each differs with probability 1/2: outside 64..192 with probability below 1e-15, six bits tried 64 times.
  Stream stream = test_stream(5);
  const std::array<std::uint64_t, 4> counter{stream.next(), stream.next(), stream.next(), stream.next()};
  const std::array<std::uint64_t, 2> key{stream.next(), stream.next()};
  const auto words = philox10(counter, key);
  for (std::size_t place = 0; place < 6; ++place)
    for (int bit = 0; bit < 64; ++bit) {
      auto other_counter = counter;
      auto other_key = key;
      (place < 4 ? other_counter[place] : other_key[place - 4]) ^= std::uint64_t{1} << bit;
      const auto other = philox10(other_counter, other_key);
      int changed = 0;
      for (std::size_t i = 0; i < 4; ++i) changed += __builtin_popcountll(words[i] ^ other[i]);
      BOOST_TEST((changed > 64 && changed < 192));
    }
}

#if __has_include(<Random123/philox.h>)
template <class Generator, class Word>
void compare_with(Generator generator) {
  Stream stream = test_stream(6);
  const auto word = [&] { return static_cast<Word>(stream.next()); };
  for (int i = 0; i < 10000; ++i) {
    const std::array<Word, 4> counter{word(), word(), word(), word()};
    const std::array<Word, 2> key{word(), word()};
    const auto expected = generator({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
    BOOST_REQUIRE((philox10(counter, key) == std::array<Word, 4>{expected[0], expected[1], expected[2], expected[3]}));
  }
}

BOOST_AUTO_TEST_CASE(what_Random123_says) {
  compare_with<r123::Philox4x64, std::uint64_t>({});
  compare_with<r123::Philox4x32, std::uint32_t>({});
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
