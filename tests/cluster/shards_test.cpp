#include "mixlab/cluster/shards.h"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "cluster/shards_in.h"
#include "folder.h"

using namespace mixlab;
using namespace mixlab::cluster;

BOOST_AUTO_TEST_SUITE(cluster)
BOOST_AUTO_TEST_SUITE(shards)

BOOST_AUTO_TEST_CASE(files_and_queue_together_tell_the_state) {
  const Folder place;
  const JobFolder folder(place / "x.h5");
  folder.create();
  folder.add({SubmittedJob::Kind::array, "17", 12, 10, {0, 1}});
  auto all = shards_in(std::vector<ShardState>(12, ShardState::missing));
  all[3].state = ShardState::done;
  std::ofstream(folder.log_path(11)) << "something\n";
  describe_shards(all, folder, Queue{true, {{"17", 0, "RUNNING", "n2", ""}}}, {});
  BOOST_TEST((all[10].state == ShardState::running));
  BOOST_TEST(all[10].node == "n2");
  BOOST_TEST((all[11].state == ShardState::failed), "it ran, as its log shows, and nobody works on it");
  BOOST_TEST(all[11].job == "17_1");
  BOOST_TEST((all[3].state == ShardState::done));
  BOOST_TEST((all[0].state == ShardState::missing));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
