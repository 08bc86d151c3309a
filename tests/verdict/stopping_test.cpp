#include "mixlab/verdict/stopping.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "folder.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/engine/reference.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/workspace.h"
#include "mixlab/verdict/eprocess.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

DeclaredCell one_set(std::int64_t n_holding) {
  DeclaredCell cell;
  cell.sets = {"coin"};
  cell.n_holding = n_holding;
  return cell;
}

/// One cell with a set that always misses and is expected to.
struct CoinStudy {
  study::Study study{study::parse_study_text(
      "[study]\ntrajectories=200\nhorizon=5\nstop=verdict\n[noise]\nprocess=iid\n[policy]\nname=round-robin\n"
      "[confidence]\ndelay=1\nmonitor=coin\ncoin_miss=1\n[expect]\ncoin=broken\n",
      "test.cfg")};
  std::vector<engine::Experiment> experiments = engine::make_experiments(study);
  std::vector<engine::CellFacts> cells = engine::facts_of(experiments);

  void write(const std::string& folder, const study::Part& part) const {
    std::vector<engine::Row> rows;
    for (std::int64_t i = part.first; i < part.end; ++i)
      rows.push_back(engine::run_reference(experiments[0], i).value());
    store::OpenParts(folder, cells, {study.hash(), study.effective_text(), "numerics", study.trajectories()})
        .add(part, part.first, rows);
  }
  study::Goal goal_of(const std::string& folder) const {
    return Stopping(cells).goal(study, nullptr, store::Workspace::parts_in(folder));
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(stopping)

BOOST_AUTO_TEST_CASE(all_comparisons_must_be_decided_then_or_before) {
  const LevelSplit split = split_level(1000, 0.05, 0.05);
  const std::vector<Look> soon = {{64, 64}, {128, 64}, {256, 64}}, later = {{64, 3}, {128, 6}, {256, 130}};
  const std::vector<Look> never = {{64, 3}, {128, 6}, {256, 13}};
  const std::vector<Look> elsewhere = {{63, 63}, {100, 100}};  // not looks of the rule
  BOOST_TEST(first_decided({soon}, 0.05, split) == 64);
  BOOST_TEST(first_decided({soon, later}, 0.05, split) == 256);
  BOOST_TEST(first_decided({soon, never}, 0.05, split) == 0);
  BOOST_TEST(first_decided({elsewhere}, 0.05, split) == 0);
  BOOST_TEST(first_decided({}, 0.05, split) == 0);
}

BOOST_AUTO_TEST_CASE(earliest_stop_is_the_first_look_that_can_decide) {
  LevelSplits splits;
  BOOST_TEST(earliest_stop(one_set(0), 12, 2048, splits) == 64);
  BOOST_TEST(earliest_stop(one_set(1), 12, 2048, splits) == 256);  // 159 without a miss: MATHEMATICS.md D.3
  BOOST_TEST(earliest_stop(one_set(1), 12, 200, splits) == 200);
  BOOST_TEST(earliest_stop({}, 12, 2048, splits) == 2048);
}

BOOST_AUTO_TEST_CASE(the_goal_follows_the_rows) {
  const Folder folder;
  const CoinStudy coin;
  BOOST_TEST(coin.goal_of(folder.path).wanted() == 200);
  BOOST_TEST(coin.goal_of(folder.path).due_per_cell().at(0) == 64);
  coin.write(folder.path, {0, 0, 40, 0});
  BOOST_TEST(coin.goal_of(folder.path).due_per_cell().at(0) == 64);
  coin.write(folder.path, {0, 30, 64, 0});  // rows that two parts hold are counted once
  BOOST_TEST(coin.goal_of(folder.path).wanted() == 64);
  BOOST_TEST(coin.goal_of(folder.path).due_per_cell().at(0) == 64);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
