#include "mixlab/random/stream.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "seed.h"

using namespace mixlab;
using namespace mixlab::random;

BOOST_AUTO_TEST_SUITE(randomness)
BOOST_AUTO_TEST_SUITE(stream)

BOOST_AUTO_TEST_CASE(published_known_answers) {
  std::ifstream file(MIXLAB_SOURCE_DIR "/tests/random/kat_vectors.txt");
  std::string line;
  int n_vectors = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::uint64_t c[4], k[2], r[4];
    words >> std::hex >> c[0] >> c[1] >> c[2] >> c[3] >> k[0] >> k[1] >> r[0] >> r[1] >> r[2] >> r[3];
    BOOST_REQUIRE(words);
    ++n_vectors;
    BOOST_TEST(philox({c[0], c[1], c[2], c[3]}, {k[0], k[1]}) == (std::array{r[0], r[1], r[2], r[3]}),
               boost::test_tools::per_element());
  }
  BOOST_TEST(n_vectors == 3);
}

BOOST_AUTO_TEST_CASE(ids_map_to_distinct_key_and_counter) {
  // Philox is a bijection of the counter for every key: streams are disjoint iff (key, counter) pairs are distinct.
  std::set<std::array<std::uint64_t, 6>> seen;
  std::size_t n = 0;
  for (const std::uint64_t seed : {0ull, 1ull, ~0ull})
    for (const std::uint64_t environment : {0ull, 1ull, ~0ull})
      for (const std::uint64_t trajectory : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, whole_cell})
        for (const Purpose purpose : {Purpose::arms, Purpose::theta, Purpose::noise, Purpose::policy})
          for (const std::uint64_t block : {0ull, 1ull, 2ull, 1ull << 40}) {
            const auto place = philox_place({seed, environment, trajectory, purpose}, block);
            seen.insert(
                {place.counter[0], place.counter[1], place.counter[2], place.counter[3], place.key[0], place.key[1]});
            ++n;
          }
  BOOST_TEST(seen.size() == n);
}

BOOST_AUTO_TEST_CASE(streams_share_no_block) {
  // 4 purposes x 50 trajectories x 5 environments x 50 blocks; chance of an accidental 256-bit collision: none.
  std::set<std::array<std::uint64_t, 4>> blocks;
  std::size_t n = 0;
  for (std::uint64_t environment = 0; environment < 5; ++environment)
    for (std::uint64_t trajectory = 0; trajectory < 50; ++trajectory)
      for (const Purpose purpose : {Purpose::arms, Purpose::theta, Purpose::noise, Purpose::policy})
        for (std::uint64_t block = 0; block < 50; ++block, ++n)
          blocks.insert(philox_block({test_seed(), environment, trajectory, purpose}, block));
  BOOST_TEST(blocks.size() == n);
}

BOOST_AUTO_TEST_CASE(stream_reads_its_blocks_in_order) {
  const StreamId id{1, 2, 3, Purpose::noise};
  Stream stream(id);
  for (std::uint64_t block = 0; block < 10; ++block)
    for (const std::uint64_t word : philox_block(id, block)) BOOST_TEST(stream.next() == word);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
