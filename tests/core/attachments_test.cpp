#include "mixlab/core/attachments.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "message.h"
#include "mixlab/core/error.h"

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(attachments)

BOOST_AUTO_TEST_CASE(a_file_is_read_once) {
  const Folder folder;
  std::ofstream(folder / "arms.csv") << "first";
  Attachments files(folder.path);
  BOOST_TEST(files.load("arms.csv", "problem.arms") == "first");
  std::ofstream(folder / "arms.csv") << "second";
  BOOST_TEST(files.load("arms.csv", "problem.arms") == "first");
  BOOST_TEST(files.text("arms.csv", "problem.arms") == "first");
  BOOST_TEST(files.all().size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_was_not_declared_is_refused) {
  const Folder folder;
  std::ofstream(folder / "there.csv") << "1";
  const Attachments files(folder.path);
  BOOST_CHECK_THROW(files.text("there.csv", "problem.arms"), KeyError);  // not part of the study's identity
  Attachments stored;                                                    // knows only what is added
  stored.add("x.csv", "1 2");
  BOOST_TEST(stored.load("x.csv", "problem.arms") == "1 2");
  BOOST_CHECK_THROW(stored.load(folder / "there.csv", "problem.arms"), KeyError);
  Attachments none(folder.path);
  BOOST_CHECK_EXCEPTION(none.load("missing.csv", "noise.file"), KeyError,
                        [](const KeyError& error) { return error.key == "noise.file"; });
}

BOOST_AUTO_TEST_CASE(datasets_go_to_their_reader) {
  const auto reader = [](const std::string& file, const std::string& dataset) { return file + " " + dataset; };
  Attachments files("data", reader);
  BOOST_TEST(files.load("x.h5:noise", "noise.file") == "data/x.h5 noise");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
