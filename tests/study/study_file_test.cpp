#include "mixlab/study/study_file.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "message.h"
#include "mixlab/core/error.h"

using namespace mixlab;
using namespace mixlab::study;

BOOST_AUTO_TEST_SUITE(study)
BOOST_AUTO_TEST_SUITE(study_file)

BOOST_AUTO_TEST_CASE(values_know_where_they_came_from) {
  const StudyFile file = parse_study_text("# a study\n[noise]\n rho = 0.5 # kept\r\nsigma=2\n[policy]\nname = linucb\n",
                                          "x.cfg", {"noise.rho=0.9", "study.seed = 3"});
  BOOST_TEST(file.assignments.size() == 4u);
  const Assignment* rho = file.find("noise.rho");
  BOOST_REQUIRE(rho);
  BOOST_TEST(rho->value == "0.9");
  BOOST_TEST(rho->origin == "--set");
  BOOST_TEST(file.find("noise.sigma")->value == "2");
  BOOST_TEST(file.find("noise.sigma")->origin == "x.cfg:4");
  BOOST_TEST(file.find("study.seed")->value == "3");
  BOOST_TEST(!file.find("noise.tau"));
  BOOST_TEST(file.overrides.size() == 2u);
}

BOOST_AUTO_TEST_CASE(files_are_looked_up_beside_the_study) {
  const Folder folder;
  std::ofstream(folder / "x.cfg") << "[noise]\nrho=0.5\n";
  std::ofstream(folder / "arms.csv") << "1 0\n";
  const StudyFile file = read_study_file(folder / "x.cfg");
  BOOST_TEST(file.text == "[noise]\nrho=0.5\n");
  BOOST_TEST(file.files->load("arms.csv", "problem.arms") == "1 0\n");
  BOOST_CHECK_THROW(read_study_file(folder / "none.cfg"), InputError);
}

BOOST_AUTO_TEST_CASE(lines_that_are_not_understood) {
  const auto refusal = [](const std::string& text) {
    return message_of<InputError>([&] { parse_study_text(text, "x.cfg"); });
  };
  BOOST_TEST(contains(refusal("[noise]\nrho 0.5\n"), "x.cfg:2: line not understood"));
  BOOST_TEST(contains(refusal("rho = 0.5\n"), "x.cfg:1: key outside a section"));
  BOOST_TEST(contains(refusal("[noise]\nrho=1\n[study]\nseed=1\n[noise]\nrho=2\n"), "x.cfg:6: key given twice"));
}

BOOST_AUTO_TEST_CASE(a_key_can_be_dropped) {
  const StudyFile file = parse_study_text("\xEF\xBB\xBF[noise]\nrho=0.5\nsigma=2\n", "x.cfg", {"~noise.rho"});
  BOOST_TEST(!file.find("noise.rho"));
  BOOST_TEST(file.find("noise.sigma")->value == "2");
  BOOST_TEST(file.replaced.at(0).value == "0.5");
  BOOST_TEST(contains(message_of([] { parse_study_text("[noise]\nrho=1\n", "x.cfg", {"~noise.roh"}); }),
                      "did you mean noise.rho?"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
