#include "mixlab/store/folder_lock.h"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "mixlab/core/error.h"
#include "mixlab/core/process_id.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(folder_lock)

BOOST_AUTO_TEST_CASE(one_process_at_a_time) {
  const Folder place;
  const std::string folder = place / "x.h5.parts", held = place / "held", done = place / "done";
  const pid_t child = fork();  // before the lock is taken: it would be shared
  if (child == 0) {
    while (!std::filesystem::exists(held)) usleep(1000);
    std::string holder;
    const FolderLock mine(folder, [&](const std::string& who) { holder = who; });
    const bool late = std::filesystem::exists(done);
    ProcessId parent = ProcessId::self();
    parent.pid = getppid();
    _exit(late && holder == parent.text() ? 0 : 1);
  }
  {
    const FolderLock lock(folder, [](const std::string&) { BOOST_TEST(false, "nobody to wait for"); });
    BOOST_TEST(text_of(folder + "/lock") == ProcessId::self().text());
    std::ofstream(held) << "now";
    usleep(200'000);
    std::ofstream(done) << "the lock is still held";
  }
  int status = 1;
  waitpid(child, &status, 0);
  BOOST_TEST(status == 0, "the other process had it too early, or did not hear whom it waited for");
}

BOOST_AUTO_TEST_CASE(a_planted_lock_is_refused) {
  const Folder folder;
  std::ofstream(folder / "target") << "theirs";
  std::filesystem::create_symlink(folder / "target", folder / "lock");
  BOOST_CHECK_THROW(FolderLock(folder.path, [](const std::string&) {}), WriteError);
  std::filesystem::remove(folder / "lock");
  std::filesystem::create_hard_link(folder / "target", folder / "lock");
  BOOST_CHECK_THROW(FolderLock(folder.path, [](const std::string&) {}), WriteError);
  BOOST_TEST(text_of(folder / "target") == "theirs");
}

BOOST_AUTO_TEST_CASE(the_last_one_leaves_nothing) {
  const Folder place;
  const std::string folder = place / "x.h5.parts";
  {
    const FolderLock lock(folder, [](const std::string&) {});
  }
  BOOST_TEST(!std::filesystem::exists(folder));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
