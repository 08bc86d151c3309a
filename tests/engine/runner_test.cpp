#include "mixlab/engine/runner.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <sstream>
#include <stdexcept>

#include "mixlab/core/stop.h"
#include "mixlab/engine/cost.h"
#include "mixlab/engine/lanes.h"
#include "mixlab/engine/reference.h"

using namespace mixlab;
using namespace mixlab::engine;

namespace {

struct Setup {
  study::Study study{study::parse_study_text(
      "[study]\ntrajectories=50\nhorizon=30\npart=8\n[noise]\nrho=0.9\n[policy]\nname=mixing-linucb, linucb\n",
      "test.cfg")};
  std::vector<Experiment> experiments = make_experiments(study);
  std::vector<study::Part> parts = study::missing_parts(study, part_sizes(experiments), {});
  std::ostringstream out;
  double now = 0;
  Progress progress{out, Progress::Style::quiet, [this] { return now; }};
  Tally tally{0, 100, 0, 0, study.sets(), {0}};
};

using RowsByTrajectory = std::map<std::pair<int, std::int64_t>, Row>;

RowsByTrajectory run_with(int n_threads) {
  Setup setup;
  RowsByTrajectory rows;
  run_parts(
      setup.experiments, setup.parts, {n_threads, {}},
      [&](const study::Part& part, std::int64_t first, const std::vector<Row>& got) {
        for (const Row& row : got) rows[{part.cell, first++}] = row;
      },
      setup.progress, setup.tally);
  BOOST_TEST(setup.tally.computed == 100);
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(runner)

BOOST_AUTO_TEST_CASE(rows_do_not_depend_on_threads) {
  const RowsByTrajectory one = run_with(1);
  BOOST_TEST(one.size() == 100u);
  for (const int n : {2, 3, 8}) BOOST_TEST((run_with(n) == one));
  Setup setup;
  BOOST_TEST((one.at({1, 49}) == Lanes(setup.experiments[1]).run(49, 1)->front()));
}

BOOST_AUTO_TEST_CASE(large_parts_come_in_blocks) {
  const study::Study study(study::parse_study_text(
      "[study]\ntrajectories=1500\nhorizon=10\npart=1024\n[noise]\nrho=0.9\n[policy]\nname=linucb\n", "test.cfg"));
  const auto experiments = make_experiments(study);
  const auto parts = study::missing_parts(study, part_sizes(experiments), {});
  for (const Engine which : {Engine::lanes, Engine::reference}) {
    Setup setup;
    RowsByTrajectory rows;
    std::size_t largest = 0;
    run_parts(
        experiments, parts, {2, {}, which},
        [&](const study::Part& part, std::int64_t first, const std::vector<Row>& got) {
          BOOST_TEST(first >= part.first);
          BOOST_TEST(first + static_cast<std::int64_t>(got.size()) <= part.end);
          largest = std::max(largest, got.size());
          for (const Row& row : got) BOOST_TEST((rows.emplace(std::pair(part.cell, first++), row).second));
        },
        setup.progress, setup.tally);
    BOOST_TEST(rows.size() == 1500u);
    BOOST_TEST(largest <= static_cast<std::size_t>(rows_per_block));
    const std::int64_t edges[] = {0, rows_per_block - 1, rows_per_block, 1023, 1024, 1499};
    for (const std::int64_t i : edges)
      BOOST_TEST((rows.at({0, i}) == (which == Engine::lanes ? Lanes(experiments[0]).run(i, 1)->front()
                                                             : run_reference(experiments[0], i).value())));
  }
}

BOOST_AUTO_TEST_CASE(exceptions_come_out) {
  for (const int n : {1, 4}) {
    Setup setup;
    int n_commits = 0;
    const auto failing = [&](const study::Part&, std::int64_t, const std::vector<Row>&) {
      if (++n_commits == 3) throw std::runtime_error("disk full");
    };
    BOOST_CHECK_EXCEPTION(run_parts(setup.experiments, setup.parts, {n, {}}, failing, setup.progress, setup.tally),
                          std::runtime_error,
                          [](const std::runtime_error& error) { return std::string(error.what()) == "disk full"; });
    BOOST_TEST(n_commits == 3);
  }
}

BOOST_AUTO_TEST_CASE(a_stop_abandons_parts_in_flight) {
  Setup setup;
  std::int64_t n_rows = 0;
  run_parts(
      setup.experiments, setup.parts, {2, {}},
      [&](const study::Part&, std::int64_t, const std::vector<Row>& rows) {
        n_rows += static_cast<std::int64_t>(rows.size());
        for (const auto& row : rows) BOOST_TEST(row.regret.size() == setup.experiments[0].checkpoints.size());
        Stop::request(StopReason::terminate);
      },
      setup.progress, setup.tally);
  BOOST_TEST(n_rows < 100);
  Stop::reset();
}

BOOST_AUTO_TEST_CASE(time_limit_is_a_stop) {
  Setup setup;
  setup.now = 100;
  Progress late(setup.out, Progress::Style::quiet, [calls = 0]() mutable { return calls++ ? 1e6 : 0.0; });
  run_parts(
      setup.experiments, setup.parts, {1, 5.0}, [](auto&&...) {}, late, setup.tally);
  BOOST_TEST((Stop::reason() == StopReason::time_limit));
  Stop::reset();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
