#include "mixlab/study/look.h"

#include <boost/test/unit_test.hpp>

using namespace mixlab::study;

BOOST_AUTO_TEST_SUITE(study)
BOOST_AUTO_TEST_SUITE(look)

BOOST_AUTO_TEST_CASE(looks_are_at_powers_of_two_from_64_on) {
  BOOST_TEST(looks_until(63).empty());
  BOOST_TEST((looks_until(64) == std::vector<std::int64_t>{64}));
  BOOST_TEST((looks_until(600) == std::vector<std::int64_t>{64, 128, 256, 512}));
}

BOOST_AUTO_TEST_CASE(the_next_look_is_the_first_after) {
  const auto looks = looks_until(1024);
  for (std::int64_t n = 0, next = 0; n < 1024; ++n) {
    if (n == looks[static_cast<std::size_t>(next)]) ++next;
    BOOST_TEST(look_after(n) == looks[static_cast<std::size_t>(next)]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
