#include "mixlab/cluster/job_folder.h"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "folder.h"
#include "mixlab/core/error.h"

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

// Somebody else who can write here must not make a reader look beyond the shards, or wait for memory.
BOOST_AUTO_TEST_CASE(lines_that_nobody_submitted_are_passed_over) {
  const Folder place;
  const JobFolder folder(place / "x.h5");
  folder.create();
  const std::string now = "2026-01-31T12:00:00Z ";
  for (const std::string line :
       {"array 17 shards 8 from -5 tasks 0-7", "array 17 shards 8 from 8 tasks 0", "array 17 shards 8 from 4 tasks 0-4",
        "array 17 shards 8 from 0 tasks -1", "array 17 shards 9223372036854775807 from 0 tasks 0",
        "array 17 shards 8 from 9223372036854775807 tasks 1", "array 17 shards 8 from 0 tasks 9223372036854775807",
        "array 17 shards 2 from 0 tasks 0,1,0", "finish --user=me shards 8", "finish 17 shards 0",
        "finish 1e3 shards 8"})
    std::ofstream(folder.path() + "/jobs.txt", std::ios::app) << now << line << "\n";
  BOOST_TEST(folder.jobs().empty());
  std::ofstream(folder.path() + "/jobs.txt", std::ios::app) << now << "array 17 shards 8 from 4 tasks 0-3\n";
  BOOST_TEST(folder.jobs().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_list_without_end_is_refused) {
  const Folder place;
  const JobFolder folder(place / "x.h5");
  folder.create();
  std::ofstream list(folder.path() + "/jobs.txt");
  for (int i = 0; i < 101; ++i) list << "2026-01-31T12:00:00Z array 17 shards 100000 from 0 tasks 0-99999\n";
  list.close();
  BOOST_CHECK_THROW(folder.jobs(), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
