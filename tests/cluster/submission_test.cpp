#include "mixlab/cluster/submission.h"

#include <boost/test/unit_test.hpp>

#include "cluster/shards_in.h"

using namespace mixlab::cluster;

namespace {

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
BOOST_AUTO_TEST_SUITE(submission)

BOOST_AUTO_TEST_CASE(only_what_nobody_works_on) {
  using enum ShardState;
  const auto submission =
      plan_submission(shards_in({done, missing, running, failed, queued, missing}), {}, Queue{true, {}}, 1001);
  BOOST_REQUIRE_EQUAL(submission.arrays.size(), 1u);
  BOOST_TEST(joined(submission.array_options(submission.arrays[0])) == "--array=1,3,5 --output=shard-00%3a.log ");
}

BOOST_AUTO_TEST_CASE(large_arrays_are_split) {
  auto submission =
      plan_submission(shards_in(std::vector<ShardState>(2345, ShardState::missing)), {}, Queue{true, {}}, 1001);
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
  auto submission = plan_submission(shards_in({failed, running}), earlier, queue, 1001);
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
  auto submission = plan_submission(shards_in({failed, failed}), earlier, queue, 1001);
  BOOST_TEST(joined(submission.stuck) == "5_0 5_1 6 ");
  submission.after = "afterok:9";
  BOOST_TEST(joined(submission.array_options(submission.arrays.at(0))) ==
             "--array=0-1 --output=shard-00%3a.log --dependency=afterok:9 --kill-on-invalid-dep=yes ");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
