#include "mixlab/engine/cost.h"

#include <bit>
#include <boost/test/unit_test.hpp>

#include "engine/experiments_of.h"

using namespace mixlab;
using namespace mixlab::engine;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(cost)

BOOST_AUTO_TEST_CASE(more_work_takes_longer) {
  const CellSize base{.p = 3, .n_arms = 8, .T = 1000, .n_sets = 2, .lanes = true};
  for (const CellSize more : {CellSize{4, 8, 1000, 2, true}, CellSize{3, 9, 1000, 2, true},
                              CellSize{3, 8, 1001, 2, true}, CellSize{3, 8, 1000, 2, false}})
    BOOST_TEST(expected_seconds(more) > expected_seconds(base));
  BOOST_TEST(expected_seconds({3, 8, 2000, 2, true}) == 2 * expected_seconds(base));
}

BOOST_AUTO_TEST_CASE(parts_are_powers_of_two_of_some_seconds) {
  for (const std::int64_t T : {1, 1000, 100000, 1000000000})
    for (const bool lanes : {true, false}) {
      const CellSize size{10, 50, T, 3, lanes};
      const auto n = static_cast<std::uint64_t>(part_size(size));
      BOOST_TEST(std::has_single_bit(n));
      BOOST_TEST((n == 1 || static_cast<double>(n) * expected_seconds(size) <= 10));
    }
  BOOST_TEST(part_size({2, 8, 1, 1, true}) <= 1 << 16);
}

BOOST_AUTO_TEST_CASE(the_engine_is_part_of_the_size) {
  const auto experiments = experiments_of(
      "[study]\nhorizon=10, 20\n[noise]\nrho=0.9\n[problem]\ndimension=2, 129\narms=sphere:130\n"
      "[confidence]\nmonitor=paper oful\n");
  const CellSize size = size_of(experiments.at(0));
  BOOST_TEST(size.p == 2);
  BOOST_TEST(size.n_arms == 130);
  BOOST_TEST(size.T == 10);
  BOOST_TEST(size.n_sets == 2);
  BOOST_TEST(size.lanes);
  BOOST_TEST(!size_of(experiments.at(1)).lanes);  // dimension 129
  BOOST_TEST(part_sizes(experiments).size() == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
