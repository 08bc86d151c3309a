#include "mixlab/store/scratch.h"

#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "folder.h"
#include "message.h"
#include "mixlab/core/error.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(scratch)

BOOST_AUTO_TEST_CASE(what_the_user_says_comes_first) {
  const Folder place, chosen;
  const std::string out = place / "out.h5";
  setenv("MIXLAB_SCRATCH", chosen.path.c_str(), 1);
  BOOST_TEST(scratch_for(out, 1) == chosen.path.string());
  BOOST_TEST(scratch_folders(out) == std::vector<std::string>{chosen.path}, boost::test_tools::per_element());
  setenv("MIXLAB_SCRATCH", (chosen / "none").c_str(), 1);
  BOOST_TEST(contains(message_of<InputError>([&] { scratch_for(out, 1); }), "bad MIXLAB_SCRATCH: '"));
  unsetenv("MIXLAB_SCRATCH");
}

BOOST_AUTO_TEST_CASE(on_a_disk_of_this_machine_files_are_made_in_place) {
  unsetenv("MIXLAB_SCRATCH");
  BOOST_TEST(!is_remote("/proc/x.h5"));
  BOOST_TEST(scratch_folders("/proc/x.h5").empty());
  BOOST_TEST(scratch_for("/proc/x.h5", 1) == "/proc");
  BOOST_TEST(!is_remote("/no/such/folder/x.h5"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
