#include "mixlab/study/goal.h"

#include <boost/test/unit_test.hpp>

#include "study/study_of.h"

using namespace mixlab;
using namespace mixlab::study;

BOOST_AUTO_TEST_SUITE(study)
BOOST_AUTO_TEST_SUITE(goal)

BOOST_AUTO_TEST_CASE(complete_when_every_cell_has_its_first_rows) {
  const Goal goal(study_of("[study]\ntrajectories=10\n[noise]\nrho=0.5, 0.9\n"));
  BOOST_TEST(goal.n_cells() == 2);
  BOOST_TEST(goal.wanted() == 20);
  RowRanges rows;
  rows.add(0, 0, 10);
  rows.add(1, 2, 9);
  rows.add(1, 10, 50);  // beyond what is wanted
  BOOST_TEST(goal.missing(rows) == 3);
  BOOST_TEST(!goal.met_by(rows));
  rows.add(1, 0, 3);
  rows.add(1, 9, 10);
  BOOST_TEST(goal.met_by(rows));
}

BOOST_AUTO_TEST_CASE(cells_that_stop_early) {
  const Goal goal({10, 4, 9}, {10, 4, 9});
  BOOST_TEST(goal.n_stopped_before(10) == 2);
  BOOST_TEST(goal.n_stopped_before(4) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
