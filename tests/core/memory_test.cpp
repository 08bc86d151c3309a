#include "mixlab/core/memory.h"

#include <boost/test/unit_test.hpp>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(memory)

BOOST_AUTO_TEST_CASE(memory_is_there_or_not) {
  BOOST_TEST(mixlab::has_memory(1 << 20));
  BOOST_TEST(!mixlab::has_memory(SIZE_MAX / 2));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
