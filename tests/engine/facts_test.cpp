#include "mixlab/engine/facts.h"

#include <boost/test/unit_test.hpp>

#include "engine/experiments_of.h"

using namespace mixlab;
using namespace mixlab::engine;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(facts)

BOOST_AUTO_TEST_CASE(a_cell_in_numbers) {
  const auto experiments = experiments_of(
      "[study]\nhorizon=10, 30\ncheckpoints=4\n[noise]\nrho=0.9\n[confidence]\nmonitor=paper oful\ndelay=5\n");
  const auto cells = facts_of(experiments);
  BOOST_REQUIRE(cells.size() == 2u);
  const CellFacts& cell = cells[1];
  BOOST_TEST(cell.label == "horizon=30");
  BOOST_TEST(cell.sweep.at(0) == "30");
  BOOST_TEST(cell.set_names() == (std::vector<std::string>{"paper", "oful"}), boost::test_tools::per_element());
  BOOST_TEST(cell.sets[0].why_not_guaranteed.empty());
  BOOST_TEST(!cell.sets[1].why_not_guaranteed.empty());
  BOOST_TEST(cell.values.integer("confidence.delay") == 5);
  const Experiment& experiment = experiments[1];
  for (std::size_t i = 0; i < cell.checkpoints.size(); ++i) {
    const std::int64_t t = cell.checkpoints[i];
    BOOST_TEST(cell.bound_worst_case.at(i) == experiment.worst_case_bound(t));
    BOOST_TEST(cell.sets[1].radius2.at(i) == experiment.largest_radius2(*experiment.sets[1].set, t));
  }
}

BOOST_AUTO_TEST_CASE(rounds_of_all_cells_are_sorted_and_single) {
  CellFacts a, b;
  a.checkpoints = {1, 3, 10};
  b.checkpoints = {1, 4, 10, 30};
  BOOST_TEST(all_rounds({a, b}) == (std::vector<std::int64_t>{1, 3, 4, 10, 30}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
