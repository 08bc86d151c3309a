#include "mixlab/cluster/slurm.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

using namespace mixlab::cluster;

BOOST_AUTO_TEST_SUITE(cluster)

BOOST_AUTO_TEST_CASE(time_limits) {
  BOOST_TEST(parse_time_limit("90").value() == 5400);
  BOOST_TEST(parse_time_limit("90:30").value() == 5460);
  BOOST_TEST(parse_time_limit("1:30:00").value() == 5400);
  BOOST_TEST(parse_time_limit("2-12").value() == 216000);
  BOOST_TEST(parse_time_limit("2-12:30").value() == 217800);
  BOOST_TEST(parse_time_limit("1-00:00:01").value() == 86460);
  BOOST_TEST(parse_time_limit("0:10").value() == 60);
  BOOST_TEST(std::isinf(parse_time_limit("0").value()));
  BOOST_TEST(std::isinf(parse_time_limit("UNLIMITED").value()));
  BOOST_TEST(std::isinf(parse_time_limit("infinite").value()));
  for (const char* text : {"", "soon", "1:2:3:4", "1-2:3:4:5", "-5", "1:-2", "2h", "1-"})
    BOOST_TEST(!parse_time_limit(text), text);
}

BOOST_AUTO_TEST_CASE(states) {
  const auto task = [](const char* state) { return QueuedTask{"1", 0, state, "", ""}; };
  BOOST_TEST(task("RUNNING").is_running());
  BOOST_TEST(task("COMPLETING").is_live());
  BOOST_TEST(task("PENDING").is_pending());
  for (const char* state : {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY"})
    BOOST_TEST(!task(state).is_live(), state);
  const QueuedTask held{"1", 3, "PENDING", "", "launch failed requeued held"};
  BOOST_TEST(held.is_stuck());
  BOOST_TEST(!held.is_live());
  BOOST_TEST(held.name() == "1_3");
  BOOST_TEST((QueuedTask{"1", 0, "PENDING", "", "DependencyNeverSatisfied"}.is_stuck()));
  BOOST_TEST((!QueuedTask{"1", 0, "PENDING", "", "Dependency"}.is_stuck()));
}

BOOST_AUTO_TEST_SUITE_END()
