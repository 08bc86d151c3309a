#include "mixlab/store/presence.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(presence)

BOOST_AUTO_TEST_CASE(a_file_while_it_lives) {
  const Folder place;
  const std::string folder = place / "x.h5.parts";
  std::filesystem::create_directory(folder);
  {
    const Presence at_work(folder);
    const std::string path = std::filesystem::directory_iterator(folder)->path();
    BOOST_TEST(path.starts_with(folder + "/running." + ProcessId::self().text() + "."));
    BOOST_TEST(text_of(path).ends_with("Z\n"));
    BOOST_TEST(workers_in(folder).empty());  // others only
  }
  BOOST_TEST(!std::filesystem::exists(folder));  // nothing was left in it
}

BOOST_AUTO_TEST_CASE(others_are_seen_unless_they_are_known_to_be_dead) {
  const Folder folder;
  const auto appear = [&](const ProcessId& process) {
    std::ofstream(folder / ("running." + process.text())) << "2026-01-31T12:00:00Z\n";
  };
  appear({"another-machine", 7});
  appear({host_name(), 1});                                // init, alive
  appear({host_name(), std::numeric_limits<int>::max()});  // beyond every pid
  std::ofstream(folder / "lock");
  std::vector<std::string> seen;
  for (const auto& worker : workers_in(folder.path)) {
    seen.push_back(worker.process.text());
    BOOST_TEST(worker.since == "2026-01-31T12:00:00Z");
  }
  std::sort(seen.begin(), seen.end());
  std::vector<std::string> expected = {"another-machine.7", host_name() + ".1"};
  std::sort(expected.begin(), expected.end());
  BOOST_TEST(seen == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names) {
  BOOST_TEST(parse_presence("running.host.7").value().pid == 7);
  for (const char* name : {"study.cfg", "running.", "running.host", "xrunning.host.7", "running.host.7.tmp.host.8"})
    BOOST_TEST(!parse_presence(name), name);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
