#include "mixlab/store/stored_study.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "mixlab/store/results_file.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(stored_study)

BOOST_AUTO_TEST_CASE(a_folder_gives_it_back_with_its_files) {
  const Folder origin, folder;
  std::ofstream(origin / "arms.csv") << "1 0\n0 1\n";
  std::ofstream(origin / "my.cfg") << "# mine\n[noise]\nrho = 0.5\n[problem]\narms = file:arms.csv\n";
  const study::Study study(study::read_study_file(origin / "my.cfg", {"study.trajectories=7"}));
  BOOST_TEST(!folder_has_study(folder.path));
  write_study(folder.path, study);
  BOOST_TEST(folder_has_study(folder.path));
  std::filesystem::remove(origin / "arms.csv");

  const study::Study again = study_in_folder(folder.path);
  BOOST_TEST(again.hash() == study.hash());
  BOOST_TEST(again.trajectories() == 7);
  BOOST_TEST(again.name() == "my");
  BOOST_TEST(again.file().text.starts_with("# mine"));
  BOOST_TEST(again.files().text("arms.csv", "problem.arms") == "1 0\n0 1\n");
  remove_study(folder.path);
  BOOST_TEST(std::filesystem::is_empty(folder.path));
}

BOOST_AUTO_TEST_CASE(results_give_it_back) {
  for (const char* name : {"results-1.h5", "results-2.h5", "results-3.h5"}) {
    const ResultsFile results(std::string(MIXLAB_SOURCE_DIR "/tests/compat/") + name);
    const study::Study study = study_in(results);
    BOOST_TEST(study.hash() == results.study_hash(), name);
    BOOST_TEST(study.title() == "Kept for later versions", name);
    BOOST_TEST(study.file().text == text_of(MIXLAB_SOURCE_DIR "/tests/compat/study.cfg"), name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
