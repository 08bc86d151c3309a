#include "mixlab/store/results_writer.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "mixlab/store/workspace.h"
#include "seed.h"
#include "store/small_study.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(results_writer)

// Chunks are compressed by ourselves and read by HDF5; the last one of a cell reaches beyond it.
BOOST_AUTO_TEST_CASE(many_rows_come_back_from_their_chunks) {
  const Folder folder;
  const study::Study study(study::parse_study_text(
      "[study]\ntrajectories=4500\nhorizon=5, 8\n[noise]\nrho=0.9\n[confidence]\nmonitor=paper oful\n", "test.cfg"));
  const auto cells = engine::facts_of(engine::make_experiments(study));
  const Workspace workspace(folder / "out.h5");
  const Presence at_work = workspace.open_for(study);
  random::Stream stream = test_stream(72);
  const auto number = [&] { return static_cast<double>(stream.next()) * (stream.next() % 2 ? 1e-300 : 1.0); };
  std::vector<std::vector<engine::Row>> rows(2);
  OpenParts parts(workspace.parts_folder(), cells, {study.hash(), study.effective_text(), "numerics", 4500});
  for (const int cell : {0, 1}) {
    auto& own = rows[static_cast<std::size_t>(cell)];
    own.resize(4500);
    for (auto& row : own) {
      for (std::size_t i = 0; i < cells[static_cast<std::size_t>(cell)].checkpoints.size(); ++i)
        row.regret.push_back(number());
      for (auto* values : {&row.log10_p, &row.horizon_log10_p, &row.sup_ratio}) *values = {number(), number()};
      row.first_violation = {static_cast<std::int32_t>(stream.next() % 9), 0};
      row.potential = number();
      row.first_bound_violation = static_cast<std::int32_t>(stream.next() % 3);
    }
    BOOST_TEST(parts.add({cell, 0, 4500, cell}, 0, own));
  }
  workspace.merge(study, cells, {workspace.parts_folder()}, Missing::refuse, Mixed::refuse);
  const ResultsFile results(workspace.out());
  BOOST_TEST(results.completed().count() == 9000);
  const auto rounds = results.file().read<std::int64_t>("round");
  for (const int cell : {0, 1}) {
    const RowBlock got = results.read(cell, 0, 4500), truth = side_by_side(rows[static_cast<std::size_t>(cell)]);
    RowBlock copy = got;
    RowBlock::for_each_pair(truth, copy, [](const auto& column, const auto& mine, const auto& theirs) {
      if (column.axis != Axis::round) BOOST_TEST((mine == theirs), column.name);
    });
    const auto& own = cells[static_cast<std::size_t>(cell)].checkpoints;
    std::vector<double> regret;
    const auto& all = got.of(&engine::Row::regret);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (std::find(own.begin(), own.end(), rounds[i % rounds.size()]) != own.end()) regret.push_back(all[i]);
    BOOST_TEST((regret == truth.of(&engine::Row::regret)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
