#include "mixlab/verdict/verdict.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "message.h"
#include "mixlab/core/error.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/engine/facts.h"
#include "mixlab/store/results_file.h"
#include "mixlab/store/results_writer.h"
#include "mixlab/store/workspace.h"
#include "store/small_study.h"

using namespace mixlab;
using namespace mixlab::verdict;

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(whole)

BOOST_AUTO_TEST_CASE(a_file_without_rows_is_refused) {
  const study::Study study(study::parse_study_text("[noise]\nrho = 0.5\n", "study.cfg"));
  const auto cells = engine::facts_of(engine::make_experiments(study));
  const auto path = std::filesystem::temp_directory_path() / ("mixlab-no-rows-" + std::to_string(getpid()) + ".h5");
  store::write_results(path, {study, cells, nullptr, {}, "", "", 1000});
  BOOST_CHECK_EXCEPTION(check(store::ResultsFile(path), 0.05, {}), InputError, [](const InputError& error) {
    return std::string(error.what()).starts_with("nothing to judge: ");
  });
  std::filesystem::remove(path);
}

namespace {

/// The verdict on a small study, one of whose trajectories is as `change` makes it.
template <class Change>
Verdict verdict_with(Change change) {
  const store::SmallStudy small;
  const Folder folder;
  const store::Workspace workspace(folder / "out.h5");
  const store::Presence at_work = workspace.open_for(small.study);
  store::OpenParts parts(workspace.parts_folder(), small.cells, small.context);
  for (const int cell : {0, 1}) {
    const study::Part part{cell, 0, 20, cell};
    auto rows = small.rows(part);
    if (cell == 1) change(rows[7], small.cells[1]);
    BOOST_TEST(parts.add(part, 0, rows));
  }
  workspace.merge(small.study, small.cells, {workspace.parts_folder()}, store::Missing::refuse, store::Mixed::refuse);
  return check(store::ResultsFile(workspace.out()), 0.05, {});
}

}  // namespace

BOOST_AUTO_TEST_CASE(lemmas_that_every_trajectory_keeps) {
  const Verdict verdict = verdict_with([](engine::Row&, const engine::CellFacts&) {});
  BOOST_TEST(!verdict.contradicted());
  for (const auto& bound : verdict.bounds) BOOST_TEST(bound.lemmas.size() == 3u);
}

// One trajectory is enough; what rounding may do is not.
BOOST_AUTO_TEST_CASE(one_trajectory_above_a_lemma_is_a_finding) {
  const auto stale = verdict_with([](engine::Row& row, const engine::CellFacts& cell) {
    row.stale_rounds = static_cast<std::int32_t>(cell.bound_stale_rounds.back()) + 1;
  });
  BOOST_TEST(stale.contradicted());
  BOOST_TEST(contains(stale.sentence(),
                      "stale_rounds exceeds what its lemma allows in 1 trajectory (trajectory 7 of cell 1)"));
  BOOST_TEST(stale.bounds.at(1).lemma("stale_rounds")->first_violation == 7);
  BOOST_TEST(stale.bounds.at(0).lemma("stale_rounds")->holds());
  const auto fresh_at = [](double factor) {
    return verdict_with([=](engine::Row& row, const engine::CellFacts& cell) {
      row.fresh_potential = cell.bound_fresh_potential.back() * factor;
    });
  };
  BOOST_TEST(!fresh_at(1 + 1e-10).contradicted());
  BOOST_TEST(fresh_at(1 + 1e-8).contradicted());
  BOOST_TEST(fresh_at(1 + 1e-8).bounds.at(1).lemma("fresh_potential")->violations == 1);
}

BOOST_AUTO_TEST_CASE(files_without_the_columns_have_no_such_lemma) {
  const Verdict verdict = check(store::ResultsFile(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5"), 0.05, {});
  BOOST_REQUIRE(verdict.bounds.size() == 4u);
  BOOST_TEST(verdict.bounds[0].lemmas.size() == 1u);
  BOOST_TEST(verdict.bounds[0].lemma("potential"));
}

BOOST_AUTO_TEST_CASE(cells_in_words) {
  const Verdict verdict = check(store::ResultsFile(MIXLAB_SOURCE_DIR "/tests/compat/results-1.h5"), 0.05, {});
  BOOST_TEST(verdict.swept == (std::vector<std::string>{"study.horizon", "policy.name"}),
             boost::test_tools::per_element());
  BOOST_REQUIRE(verdict.cells.size() == 4u);
  BOOST_TEST(verdict.cells[3].sweep == (std::vector<std::string>{"90", "linucb"}), boost::test_tools::per_element());
  BOOST_TEST(verdict.cells[3].horizon == 90);
  BOOST_TEST(verdict.cells[3].n_run == 60);
  BOOST_TEST(verdict.overrides.empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
