#include "mixlab/cluster/submission.h"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace mixlab::cluster;

namespace {

std::vector<ShardStatus> shards(const std::vector<ShardState>& states) {
  std::vector<ShardStatus> all(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    all[i].index = static_cast<std::int64_t>(i);
    all[i].state = states[i];
  }
  return all;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += word + " ";
  return text;
}

SubmittedJob array(const std::string& id, std::int64_t n_shards, std::int64_t offset,
                   std::vector<std::int64_t> indices) {
  return {SubmittedJob::Kind::array, id, n_shards, offset, std::move(indices)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cluster)

BOOST_AUTO_TEST_CASE(only_what_nobody_works_on) {
  using enum ShardState;
  const auto submission =
      plan_submission(shards({done, missing, running, failed, queued, missing}), {}, Queue{true, {}}, 1001);
  BOOST_REQUIRE_EQUAL(submission.arrays.size(), 1u);
  BOOST_TEST(joined(submission.array_options(submission.arrays[0])) == "--array=1,3,5 --output=shard-00%3a.log ");
}

BOOST_AUTO_TEST_CASE(large_arrays_are_split) {
  auto submission =
      plan_submission(shards(std::vector<ShardState>(2345, ShardState::missing)), {}, Queue{true, {}}, 1001);
  BOOST_REQUIRE_EQUAL(submission.arrays.size(), 3u);
  submission.array_limit = 100;
  BOOST_TEST(joined(submission.array_options(submission.arrays[2])) == "--array=0-344%33 --output=shard-02%3a.log ");
  BOOST_TEST(submission.arrays[2].offset == 2000);
  for (std::size_t i = 0; i < 3; ++i) submission.arrays[i].id = std::to_string(i + 7);
  BOOST_TEST(joined(submission.finish_options()) ==
             "--output=finish.log --dependency=afterok:7:8:9 --kill-on-invalid-dep=yes ");
}

BOOST_AUTO_TEST_CASE(earlier_jobs) {
  using enum ShardState;
  const std::vector<SubmittedJob> earlier = {array("5", 2, 0, {0, 1}), {SubmittedJob::Kind::finish, "6", 2, 0, {}}};
  const Queue queue{
      true, {{"5", 1, "RUNNING", "n1", ""}, {"5", 0, "FAILED", "n1", ""}, {"6", 0, "PENDING", "", "Dependency"}}};
  auto submission = plan_submission(shards({failed, running}), earlier, queue, 1001);
  submission.arrays.at(0).id = "8";
  BOOST_TEST(joined(submission.finishing) == "6 ");
  BOOST_TEST(joined(submission.finish_options()) ==
             "--output=finish.log --dependency=afterok:8,afterany:5 --kill-on-invalid-dep=yes ");
}

BOOST_AUTO_TEST_CASE(what_waits_for_ever_is_withdrawn) {
  using enum ShardState;
  const std::vector<SubmittedJob> earlier = {array("5", 2, 0, {0, 1}), {SubmittedJob::Kind::finish, "6", 2, 0, {}}};
  const std::string never = "DependencyNeverSatisfied";
  const Queue queue{true,
                    {{"5", 0, "PENDING", "", never}, {"5", 1, "PENDING", "", never}, {"6", 0, "PENDING", "", never}}};
  auto submission = plan_submission(shards({failed, failed}), earlier, queue, 1001);
  BOOST_TEST(joined(submission.stuck) == "5_0 5_1 6 ");
  submission.after = "afterok:9";
  BOOST_TEST(joined(submission.array_options(submission.arrays.at(0))) ==
             "--array=0-1 --output=shard-00%3a.log --dependency=afterok:9 --kill-on-invalid-dep=yes ");
}

BOOST_AUTO_TEST_CASE(log_names_agree) {
  const JobFolder folder("x.h5");
  BOOST_TEST(folder.log_path(2345) == "x.h5.jobs/shard-02345.log");
  BOOST_TEST(JobFolder::log_pattern(2000, 1000) == "shard-02%3a.log");
  BOOST_TEST(JobFolder::log_pattern(0, 100000) == "shard-%5a.log");
  BOOST_TEST(JobFolder::log_pattern(20000, 10000) == "shard-2%4a.log");
}

BOOST_AUTO_TEST_CASE(the_folder_remembers) {
  const std::string place = std::filesystem::temp_directory_path() / ("mixlab-jobs-" + std::to_string(getpid()));
  const JobFolder folder(place);
  BOOST_TEST(folder.jobs().empty());
  folder.create();
  folder.add(array("17", 12, 10, {0, 1}));
  folder.add({SubmittedJob::Kind::finish, "18", 12, 0, {}});
  std::ofstream(folder.path() + "/jobs.txt", std::ios::app) << "a line of somebody else\n";
  const auto jobs = folder.jobs();
  BOOST_REQUIRE_EQUAL(jobs.size(), 2u);
  BOOST_TEST(jobs[0].id == "17");
  BOOST_TEST(jobs[0].n_shards == 12);
  BOOST_TEST(jobs[0].offset == 10);
  BOOST_TEST(jobs[0].indices == (std::vector<std::int64_t>{0, 1}), boost::test_tools::per_element());
  BOOST_TEST((jobs[1].kind == SubmittedJob::Kind::finish));

  auto all = shards(std::vector<ShardState>(12, ShardState::missing));
  all[3].state = ShardState::done;
  std::ofstream(folder.log_path(11)) << "something\n";
  describe_shards(all, folder, Queue{true, {{"17", 0, "RUNNING", "n2", ""}}}, {});
  BOOST_TEST((all[10].state == ShardState::running));
  BOOST_TEST(all[10].node == "n2");
  BOOST_TEST((all[11].state == ShardState::failed), "it ran, as its log shows, and nobody works on it");
  BOOST_TEST(all[11].job == "17_1");
  BOOST_TEST((all[3].state == ShardState::done));
  BOOST_TEST((all[0].state == ShardState::missing));
  std::filesystem::remove_all(folder.path());
}

BOOST_AUTO_TEST_SUITE_END()
