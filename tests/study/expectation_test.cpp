#include "mixlab/study/expectation.h"

#include <boost/test/unit_test.hpp>

using namespace mixlab;
using namespace mixlab::study;

BOOST_AUTO_TEST_SUITE(study)
BOOST_AUTO_TEST_SUITE(expectation)

BOOST_AUTO_TEST_CASE(last_matching_clause_wins) {
  const Expectation e =
      parse_expectation("oful", "any; holds if noise.rho=0; broken if noise.rho>=0.9 and policy.name=linucb");
  Values cell;
  cell.set("policy.name", std::string("linucb"));
  cell.set("noise.rho", 0.0);
  BOOST_TEST((e.in(cell, Expected::broken) == Expected::holds));
  cell.set("noise.rho", 0.5);
  BOOST_TEST((e.in(cell, Expected::broken) == Expected::any));
  cell.set("noise.rho", 0.9);
  BOOST_TEST((e.in(cell, Expected::any) == Expected::broken));
  cell.set("policy.name", std::string("greedy"));
  BOOST_TEST((e.in(cell, Expected::holds) == Expected::any));
  BOOST_TEST((parse_expectation("x", "holds if noise.tau<3").in(cell, Expected::broken) == Expected::broken));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
