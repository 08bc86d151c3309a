#include "mixlab/store/workspace.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "folder.h"
#include "mixlab/core/error.h"
#include "mixlab/engine/reference.h"
#include "store/small_study.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(workspace)

BOOST_AUTO_TEST_CASE(merge_assembles_verifies_and_cleans_up) {
  const Folder folder;
  const SmallStudy setup;
  const Workspace workspace(folder / "out.h5");
  const Presence at_work = workspace.open_for(setup.study);
  workspace.log("2026-01-01T00:00:00Z started host=x threads=2 job=none\n");
  setup.write(workspace.parts_folder(), {0, 0, 20, 0});
  setup.write(workspace.parts_folder(), {1, 0, 7, 0});
  const auto merge = [&](Missing missing) {
    return workspace.merge(setup.study, setup.cells, {workspace.parts_folder()}, missing, Mixed::refuse);
  };
  BOOST_TEST(!merge(Missing::refuse).written);
  BOOST_TEST(!std::filesystem::exists(workspace.out()));
  BOOST_TEST(merge(Missing::allow).written);
  BOOST_TEST(ResultsFile(workspace.out()).completed().count() == 27);
  BOOST_TEST(Workspace::parts_in(workspace.parts_folder()).empty());
  BOOST_TEST(workspace.done().count(1) == 7);
  setup.write(workspace.parts_folder(), {1, 5, 20, 0});  // overlaps what is there
  const auto report = merge(Missing::refuse);
  BOOST_TEST(report.written);
  BOOST_TEST(report.rows.count() == 40);
  BOOST_TEST(!merge(Missing::refuse).written);

  const ResultsFile results(workspace.out());
  BOOST_TEST(results.runs() == "2026-01-01T00:00:00Z started host=x threads=2 job=none\n");
  const auto rounds = results.file().read<std::int64_t>("round");
  const RowBlock block = results.read(0, 4, 5);
  const engine::Row row = engine::run_reference(setup.experiments[0], 4).value();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const auto& own = setup.experiments[0].checkpoints;
    if (std::find(own.begin(), own.end(), rounds[i]) != own.end())
      BOOST_TEST(block.of(&engine::Row::regret)[i] == row.regret[kept++]);
    else
      BOOST_TEST(std::isnan(block.of(&engine::Row::regret)[i]));
  }
  BOOST_TEST(kept == row.regret.size());
  BOOST_TEST(block.of(&engine::Row::log10_p) == row.log10_p, boost::test_tools::per_element());
  BOOST_TEST(block.of(&engine::Row::horizon_log10_p) == row.horizon_log10_p, boost::test_tools::per_element());
  BOOST_TEST(block.of(&engine::Row::sup_ratio) == row.sup_ratio, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(another_study_is_refused_with_the_difference) {
  const Folder folder;
  const SmallStudy setup;
  const Workspace workspace(folder / "out.h5");
  const Presence at_work = workspace.open_for(setup.study);
  const study::Study other(study::parse_study_text(setup.study.effective_text(), "other.cfg", {"noise.rho=0.8"}));
  BOOST_CHECK_EXCEPTION(workspace.open_for(other), InputError, [](const InputError& error) {
    return std::string(error.what()).find("noise.rho: 0.9 there, 0.8 here") != std::string::npos;
  });
  const study::Study smaller(
      study::parse_study_text(setup.study.effective_text(), "other.cfg", {"study.trajectories=19"}));
  BOOST_CHECK_THROW(workspace.open_for(smaller), InputError);
  const study::Study larger(
      study::parse_study_text(setup.study.effective_text(), "other.cfg", {"study.trajectories=21"}));
  const Presence growing = workspace.open_for(larger);
  BOOST_TEST(workspace.stored_study().trajectories() == 21);
}

BOOST_AUTO_TEST_CASE(mixed_numerics_are_refused) {
  const Folder folder;
  SmallStudy setup;
  const Workspace workspace(folder / "out.h5");
  const Presence at_work = workspace.open_for(setup.study);
  setup.write(workspace.parts_folder(), {0, 0, 20, 0});
  setup.context.numerics = "another machine";
  setup.write(workspace.parts_folder(), {1, 0, 20, 0});
  const auto merge = [&](Mixed mixed) {
    return workspace.merge(setup.study, setup.cells, {workspace.parts_folder()}, Missing::refuse, mixed);
  };
  BOOST_CHECK_THROW(merge(Mixed::refuse), InputError);
  BOOST_TEST(merge(Mixed::allow).written);
}

// One text within the other: the engine and programs of a user's own stand at the end of it.
BOOST_AUTO_TEST_CASE(mixed_numerics_are_refused_in_either_order) {
  const std::string longer = "mixlab; revision 15; engine reference", shorter = "mixlab; revision 1";
  for (const bool longer_first : {false, true}) {
    const Folder folder;
    SmallStudy setup;
    const Workspace workspace(folder / "out.h5");
    const Presence at_work = workspace.open_for(setup.study);
    const auto merge = [&](Mixed mixed) {
      return workspace.merge(setup.study, setup.cells, {workspace.parts_folder()}, Missing::allow, mixed);
    };
    setup.context.numerics = longer_first ? longer : shorter;
    setup.write(workspace.parts_folder(), {0, 0, 20, 0});
    BOOST_TEST(merge(Mixed::refuse).written);
    setup.context.numerics = longer_first ? shorter : longer;
    setup.write(workspace.parts_folder(), {1, 0, 7, 0});
    BOOST_CHECK_THROW(merge(Mixed::refuse), InputError);
    BOOST_TEST(merge(Mixed::allow).written);
    setup.write(workspace.parts_folder(), {1, 7, 20, 0});  // what is mixed by leave takes more of the same
    BOOST_TEST(merge(Mixed::refuse).written);
    const std::string both = ResultsFile(workspace.out()).numerics();
    BOOST_TEST(both == (longer_first ? longer + " | " + shorter : shorter + " | " + longer));
  }
}

BOOST_AUTO_TEST_CASE(free_space_is_checked) {
  check_free_space("x.h5", 1);
  BOOST_CHECK_THROW(check_free_space("x.h5", 1e30), WriteError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
