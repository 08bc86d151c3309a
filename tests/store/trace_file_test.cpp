#include "mixlab/store/trace_file.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "mixlab/engine/trace.h"
#include "mixlab/store/guard.h"
#include "store/small_study.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(trace_file)

BOOST_AUTO_TEST_CASE(rounds_are_rows) {
  const Folder folder;
  const SmallStudy setup;
  engine::Trace trace;
  const engine::Row row = engine::run_reference(setup.experiments[1], 3, &trace).value();
  write_trace(folder / "trace.h5", setup.cells[1], trace);
  const Reader file = open_guarded(folder / "trace.h5");
  BOOST_TEST(file.text_attribute("format") == "mixlab trace");
  BOOST_TEST(file.integer_attribute("trajectory") == 3);
  BOOST_TEST(file.text_attribute("policy") == "mixing-linucb");
  BOOST_TEST(file.extent("action") == (Extent{30, 2}), boost::test_tools::per_element());
  BOOST_TEST(file.read<double>("regret").back() == row.regret.back());
  const auto action = file.read<double>("action");
  BOOST_TEST(action[2 * 4 + 1] == trace.action(1, 4));  // round 5, second component
  const auto q = file.read<double>("q");
  BOOST_TEST(q[2 * 29 + 1] == trace.q(1, 29));  // last round, second set
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
