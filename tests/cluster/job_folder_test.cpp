#include "mixlab/cluster/job_folder.h"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "folder.h"

using namespace mixlab;
using namespace mixlab::cluster;

BOOST_AUTO_TEST_SUITE(cluster)
BOOST_AUTO_TEST_SUITE(job_folder)

BOOST_AUTO_TEST_CASE(log_names_agree) {
  const JobFolder folder("x.h5");
  BOOST_TEST(folder.log_path(2345) == "x.h5.jobs/shard-02345.log");
  BOOST_TEST(JobFolder::log_pattern(2000, 1000) == "shard-02%3a.log");
  BOOST_TEST(JobFolder::log_pattern(0, 100000) == "shard-%5a.log");
  BOOST_TEST(JobFolder::log_pattern(20000, 10000) == "shard-2%4a.log");
}

BOOST_AUTO_TEST_CASE(the_folder_remembers) {
  const Folder place;
  const JobFolder folder(place / "x.h5");
  BOOST_TEST(folder.jobs().empty());
  folder.create();
  folder.add({SubmittedJob::Kind::array, "17", 12, 10, {0, 1}});
  folder.add({SubmittedJob::Kind::finish, "18", 12, 0, {}});
  std::ofstream(folder.path() + "/jobs.txt", std::ios::app) << "a line of somebody else\n";
  const auto jobs = folder.jobs();
  BOOST_REQUIRE_EQUAL(jobs.size(), 2u);
  BOOST_TEST(jobs[0].id == "17");
  BOOST_TEST(jobs[0].n_shards == 12);
  BOOST_TEST(jobs[0].offset == 10);
  BOOST_TEST(jobs[0].indices == (std::vector<std::int64_t>{0, 1}), boost::test_tools::per_element());
  BOOST_TEST((jobs[1].kind == SubmittedJob::Kind::finish));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
