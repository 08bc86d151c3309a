#include "mixlab/store/soundness.h"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <limits>

#include "folder.h"
#include "mixlab/core/error.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/results_writer.h"
#include "store/small_study.h"

using namespace mixlab;
using namespace mixlab::store;

namespace {

/// Whether a part whose fourth row is changed so is found sound.
bool is_sound(const std::function<void(engine::Row&)>& change) {
  const Folder folder;
  const SmallStudy setup;
  const study::Part part{0, 0, 6, 0};
  auto rows = setup.rows(part);
  change(rows[3]);
  BOOST_TEST(OpenParts(folder.path, setup.cells, setup.context).add(part, 0, rows));
  try {
    return !require_sound(Reader(File::open(folder / study::file_name(part)))).empty();
  } catch (const InputError&) {
    return false;
  }
}

/// Whether results without rows, what is known of whose second cell is changed so, are found sound.
bool are_sound(const std::function<void(engine::CellFacts&)>& change) {
  const Folder folder;
  SmallStudy setup;
  change(setup.cells[1]);
  write_results(folder / "out.h5", {setup.study, setup.cells, nullptr, {}, "", "", setup.study.trajectories()});
  try {
    return !require_sound(Reader(File::open(folder / "out.h5"))).empty();
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(soundness)

BOOST_AUTO_TEST_CASE(rows_that_no_trajectory_gives_are_found) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(is_sound([](engine::Row&) {}));
  BOOST_TEST(is_sound([&](engine::Row& row) { row.log10_p[0] = infinity; }));  // of a set without bounds
  BOOST_TEST(!is_sound([&](engine::Row& row) { row.log10_p[0] = -infinity; }));
  BOOST_TEST(!is_sound([&](engine::Row& row) { row.sup_ratio[1] = nan; }));
  BOOST_TEST(!is_sound([](engine::Row& row) { row.sup_ratio[1] = -1e-3; }));
  BOOST_TEST(is_sound([](engine::Row& row) { row.sup_ratio[1] = 0; }));
  BOOST_TEST(!is_sound([](engine::Row& row) { row.potential = -1; }));
  BOOST_TEST(!is_sound([](engine::Row& row) { row.fresh_potential = -1; }));
  BOOST_TEST(!is_sound([&](engine::Row& row) { row.regret[2] = nan; }));
  BOOST_TEST(!is_sound([&](engine::Row& row) { row.regret[2] = infinity; }));
  BOOST_TEST(!is_sound([&](engine::Row& row) { row.potential = -infinity; }));
  BOOST_TEST(!is_sound([](engine::Row& row) { row.first_violation[0] = 1'000'000; }));
  BOOST_TEST(!is_sound([](engine::Row& row) { row.first_violation[0] = -1; }));
}

// Of a cell that was not run, so that no row says where its values are.
BOOST_AUTO_TEST_CASE(cells_that_no_study_gives_are_found) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(are_sound([](engine::CellFacts&) {}));
  BOOST_TEST(are_sound([&](engine::CellFacts& cell) { cell.sets[1].radius2[3] = infinity; }));
  BOOST_TEST(!are_sound([&](engine::CellFacts& cell) { cell.sets[1].radius2[3] = nan; }));
  BOOST_TEST(!are_sound([](engine::CellFacts& cell) { cell.sets[1].radius2[3] = -1; }));
  BOOST_TEST(are_sound([&](engine::CellFacts& cell) { cell.bound_worst_case[2] = nan; }));
  for (auto bound :
       {&engine::CellFacts::bound_worst_case, &engine::CellFacts::bound_gap, &engine::CellFacts::bound_potential,
        &engine::CellFacts::bound_fresh_potential, &engine::CellFacts::bound_stale_rounds}) {
    BOOST_TEST(!are_sound([&](engine::CellFacts& cell) { (cell.*bound)[2] = -1; }));
    BOOST_TEST(!are_sound([&](engine::CellFacts& cell) { (cell.*bound)[2] = -infinity; }));
  }
  BOOST_TEST(!are_sound([&](engine::CellFacts& cell) { cell.bound_stale_rounds[2] = nan; }));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
