#include "engine/lanes/rules.h"

#include <boost/test/unit_test.hpp>

using mixlab::engine::lanes::find_pace;
using mixlab::engine::lanes::Pace;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(paces_of_rules) {
  for (const char* rule : {"ucb", "ucb_in_ball", "greedy", "oracle", "in_turn", "random"})
    BOOST_TEST((find_pace(rule) == Pace::by_block), rule);
  BOOST_TEST((find_pace("thompson") == Pace::by_round));
  BOOST_TEST(!find_pace("thomson").has_value());
  BOOST_TEST(!find_pace("").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
