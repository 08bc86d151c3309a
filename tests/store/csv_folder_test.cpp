#include "mixlab/store/csv_folder.h"

#include <boost/test/unit_test.hpp>
#include <map>

#include "folder.h"
#include "message.h"
#include "mixlab/core/error.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(csv_folder)

BOOST_AUTO_TEST_CASE(a_table_per_combination_of_dimensions) {
  const Folder folder;
  const ResultsFile results(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  std::map<std::string, std::int64_t> n_rows;
  for (const auto& table : write_csv_folder(folder / "csv/", results)) n_rows[table.name] = table.n_rows;
  BOOST_TEST(n_rows.at("cell.csv") == 4);
  BOOST_TEST(n_rows.at("cell-trajectory.csv") == 4 * 60);
  BOOST_TEST(n_rows.at("cell-trajectory-set.csv") == 4 * 60 * 3);
  BOOST_TEST(text_of(folder / "csv/study.cfg") == results.study_text());
  std::ifstream table(folder / "csv/cell-trajectory-set.csv");
  std::string heading, first;
  std::getline(table, heading);
  std::getline(table, first);
  BOOST_TEST(heading.starts_with("cell,trajectory,set,"));
  BOOST_TEST(contains(heading, ",sup_ratio"));
  BOOST_TEST(first.starts_with("0,0,paper,"));
  BOOST_CHECK_THROW(write_csv_folder(folder / "csv", results), InputError);  // not empty
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
