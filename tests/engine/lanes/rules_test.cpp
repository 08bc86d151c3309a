#include "engine/lanes/rules.h"

#include <boost/test/unit_test.hpp>

using mixlab::engine::lanes::find_traits;
using mixlab::engine::lanes::Pace;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(paces_of_rules) {
  for (const char* rule : {"ucb", "ucb_in_ball", "greedy", "oracle", "in_turn", "random"})
    BOOST_TEST((find_traits(rule)->pace == Pace::by_block), rule);
  BOOST_TEST((find_traits("thompson")->pace == Pace::by_round));
  BOOST_TEST(!find_traits("thomson").has_value());
  BOOST_TEST(!find_traits("").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
