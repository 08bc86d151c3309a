#include "mixlab/core/hash.h"

#include <boost/test/unit_test.hpp>

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(hash)

BOOST_AUTO_TEST_CASE(known_answers) {  // as xxhsum prints them
  BOOST_TEST(hash64("") == 0x2d06800538d394c2u);
  BOOST_TEST(Hasher().hex() == "99aa06d3014798d86001c324468d497f");
  Hasher hasher;
  hasher.add("abc", 3);
  BOOST_TEST(hasher.hex() == "06b05ab6733a618578af5f94892f3950");
}

BOOST_AUTO_TEST_CASE(pieces_do_not_matter) {
  const std::string text(100000, 'x');
  Hasher whole, pieces;
  whole.add(text.data(), text.size());
  for (std::size_t at = 0; at < text.size(); at += 777)
    pieces.add(text.data() + at, std::min<std::size_t>(777, text.size() - at));
  BOOST_TEST(pieces.hex() == whole.hex());
  whole.add("y", 1);
  BOOST_TEST(pieces.hex() != whole.hex());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
