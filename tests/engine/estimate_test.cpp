#include "mixlab/engine/estimate.h"

#include <boost/test/unit_test.hpp>
#include <ctime>

#include "engine/experiments_of.h"
#include "mixlab/engine/cost.h"
#include "mixlab/engine/runner.h"

using namespace mixlab;
using namespace mixlab::engine;

namespace {

/// Processor time per trajectory of a whole run of n.
double seconds_taken(const std::vector<Experiment>& experiments, int cell, std::int64_t n) {
  Progress progress([](const Tally&) {});
  Tally tally;
  const std::clock_t start = std::clock();
  run_parts(
      experiments, {{cell, 0, n, 0}}, {}, [](const auto&...) {}, progress, tally);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / static_cast<double>(n);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(estimate)

BOOST_AUTO_TEST_CASE(work_is_shared_out_by_shard_and_thread) {
  const auto estimate = Estimate::by_running(experiments_of("[study]\nhorizon=50, 5000\n[noise]\nrho=0.9\n"), 0.5);
  BOOST_TEST(estimate.seconds({0, 0, 100, 0}) > 0);
  BOOST_TEST(estimate.seconds({1, 0, 100, 0}) > 5 * estimate.seconds({0, 0, 100, 0}));
  const std::vector<study::Part> parts = {{1, 0, 100, 0}, {1, 100, 200, 1}, {1, 200, 300, 2}};
  const double part = estimate.seconds(parts[0]);
  BOOST_TEST(std::abs(estimate.slowest_shard(parts, 1, 1) - 3 * part) < 1e-9 * part);
  BOOST_TEST(std::abs(estimate.slowest_shard(parts, 2, 1) - 2 * part) < 1e-9 * part);  // parts 0 and 2
  BOOST_TEST(estimate.slowest_shard(parts, 1, 3) < 3 * part);
}

// Short and long horizons, few and many dimensions, both engines. The model alone is far off for several of them.
BOOST_AUTO_TEST_CASE(trajectories_take_a_third_to_three_times_of_it) {
  struct Kind {
    const char* text;
    std::int64_t n;
  };
  double furthest_model = 1;
  for (const Kind& kind : {Kind{"[study]\nhorizon=5000\n", 200},
                           {"[study]\nhorizon=2\n", 50000},
                           {"[study]\nhorizon=100\n", 5000},
                           {"[study]\nhorizon=3000\n[problem]\ndimension=40\narms=sphere:20\n", 16},
                           {"[study]\nhorizon=2000\n[problem]\ndimension=5\narms=ball\n", 32},
                           {"[study]\nhorizon=2000\n[problem]\nadversary=sign:3\n", 4},
                           {"[study]\nhorizon=4000\n[confidence]\nmonitor=adaptive-sticky\n", 2},
                           {"[study]\nhorizon=1000\n[policy]\nname=thompson\n", 64}}) {
    const std::string text = std::string(kind.text) + "[noise]\nprocess=sticky\nrho=0.9\n";
    const auto experiments = experiments_of(text);
    double taken = 0, ratio = 0;
    for (int tries = 0; tries < 3 && !(ratio > 1 / 3.0 && ratio < 3); ++tries) {  // the machine may be busy
      taken = seconds_taken(experiments, 0, kind.n);
      ratio = taken / Estimate::by_running(experiments_of(text), 0.3).seconds({0, 0, 1, 0});
    }
    const double by_model = taken / expected_seconds(size_of(experiments[0]));
    BOOST_TEST_MESSAGE(text << ": " << taken << " s, " << ratio << " times what was expected, " << by_model
                            << " times the model");
    BOOST_TEST((ratio > 1 / 3.0 && ratio < 3), text << ": " << ratio);
    furthest_model = std::max({furthest_model, by_model, 1 / by_model});
  }
  BOOST_TEST(furthest_model > 3);  // else there would be no need to run anything
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
