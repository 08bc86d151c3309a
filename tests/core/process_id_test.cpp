#include "mixlab/core/process_id.h"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(process_id)

BOOST_AUTO_TEST_CASE(names_round_trip) {
  const ProcessId self = ProcessId::self();
  for (const std::string& host : {self.host, std::string("node-1.cluster.org")}) {
    const auto read = parse_process_id("part.h5.tmp." + ProcessId{host, 77}.text(), ".tmp.");
    BOOST_REQUIRE(read);
    BOOST_TEST(read->host == host);
    BOOST_TEST(read->pid == 77);
  }
  for (const char* name : {"", "part.h5", "part.h5.tmp.", "part.h5.tmp.host", "part.h5.tmp.host.", "x.tmp.host.7x",
                           "x.tmp.host.-7", "x.tmp.host.0", "x.tmp.7"})
    BOOST_TEST(!parse_process_id(name, ".tmp."), name);
}

BOOST_AUTO_TEST_CASE(names_are_unique_and_tell_their_process) {
  const std::string name = unique_name();
  BOOST_TEST(name != unique_name());
  BOOST_TEST((parse_process_id("x.tmp." + name, ".tmp.") == ProcessId::self()));
}

BOOST_AUTO_TEST_CASE(another_container_of_our_name_cannot_be_seen) {
  ProcessId other = ProcessId::self();
  other.space = "00000000";
  BOOST_TEST((other.alive() == Alive::unknown));
}

BOOST_AUTO_TEST_CASE(who_is_alive) {
  const ProcessId self = ProcessId::self();
  BOOST_TEST((self.alive() == Alive::yes));
  BOOST_TEST((ProcessId{"another-machine", self.pid}.alive() == Alive::unknown));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  BOOST_TEST((ProcessId{self.host, static_cast<int>(child)}.alive() == Alive::no));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
