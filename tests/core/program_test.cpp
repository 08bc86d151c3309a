#include "mixlab/core/program.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "mixlab/core/hash.h"

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(program)

BOOST_AUTO_TEST_CASE(it_is_this_executable) {
  BOOST_TEST(program_name() == "mixlab-unit-tests");
  BOOST_TEST(std::filesystem::equivalent(program_path(), "/proc/self/exe"));
  const auto bytes = bytes_of(program_path());
  Hasher hasher;
  hasher.add(bytes.data(), bytes.size());
  BOOST_TEST(program_hash() == hasher.hex());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
