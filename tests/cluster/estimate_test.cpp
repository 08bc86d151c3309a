#include "mixlab/cluster/estimate.h"

#include <boost/test/unit_test.hpp>

#include "engine/experiments_of.h"

using namespace mixlab;
using namespace mixlab::cluster;

BOOST_AUTO_TEST_SUITE(cluster)
BOOST_AUTO_TEST_SUITE(estimate)

BOOST_AUTO_TEST_CASE(work_is_shared_out_by_shard_and_thread) {
  const auto experiments = engine::experiments_of("[study]\nhorizon=50, 5000\n[noise]\nrho=0.9\n");
  const auto estimate = Estimate::by_running(experiments, 0.5);
  BOOST_REQUIRE(estimate);
  BOOST_TEST(estimate->seconds({0, 0, 100, 0}) > 0);
  BOOST_TEST(estimate->seconds({1, 0, 100, 0}) > 5 * estimate->seconds({0, 0, 100, 0}));
  const std::vector<study::Part> parts = {{1, 0, 100, 0}, {1, 100, 200, 1}, {1, 200, 300, 2}};
  const double part = estimate->seconds(parts[0]);
  BOOST_TEST(std::abs(estimate->slowest_shard(parts, 1, 1) - 3 * part) < 1e-9 * part);
  BOOST_TEST(std::abs(estimate->slowest_shard(parts, 2, 1) - 2 * part) < 1e-9 * part);  // parts 0 and 2
  BOOST_TEST(estimate->slowest_shard(parts, 1, 3) < 3 * part);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
