#include "mixlab/store/known_files.h"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <thread>

#include "folder.h"
#include "mixlab/store/guard.h"
#include "store/small_study.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(known_files)

// The process that wrote a part need not examine it again, unless somebody has changed it.
BOOST_AUTO_TEST_CASE(a_part_of_our_own_is_known_until_it_changes) {
  const Folder folder;
  const SmallStudy setup;
  const study::Part part{0, 0, 20, 0};
  const std::string path = folder / study::file_name(part);
  setup.write(folder.path, part);
  struct stat file {};
  BOOST_TEST_REQUIRE(::stat(path.c_str(), &file) == 0);
  BOOST_TEST((vetted(file) == Vetted::written_here));
  PartFile(path, part, setup.study);
  BOOST_TEST((vetted(file) == Vetted::yes));

  auto bytes = bytes_of(path);
  bytes[bytes.size() / 2] ^= 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // clocks of file systems are that coarse
  write_bytes(path, bytes);
  BOOST_CHECK_THROW(PartFile(path, part, setup.study), DamagedFile);
  BOOST_REQUIRE(::stat(path.c_str(), &file) == 0);
  remember_file(file, Vetted::written_here);  // as if the disk had changed it under our hands
  BOOST_CHECK_THROW(PartFile(path, part, setup.study), DamagedFile);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
