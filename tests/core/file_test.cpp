#include "mixlab/core/file.h"

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "folder.h"
#include "mixlab/core/error.h"

using namespace mixlab;
namespace fs = std::filesystem;

namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(file)

BOOST_AUTO_TEST_CASE(the_folder_of_a_path) {
  BOOST_TEST(folder_of("out.h5") == ".");
  BOOST_TEST(folder_of("a/out.h5") == "a");
  BOOST_TEST(folder_of("/out.h5") == "/");
  BOOST_TEST(folder_of("../a/b/out.h5") == "../a/b");
}

BOOST_AUTO_TEST_CASE(a_file_is_read_through_its_descriptor_whatever_its_name_leads_to) {
  const Folder folder;
  write(folder / "x", "checked");
  const File file = File::open(folder / "x");
  fs::rename(folder / "x", folder / "y");
  write(folder / "x", "another");
  std::string text(20, '\0');
  text.resize(file.read_at(0, text.data(), text.size()));
  BOOST_TEST(text == "checked");
  BOOST_TEST(file.read_at(3, text.data(), 2) == 2u);
  BOOST_TEST(!same_file(file.status(), File::open(folder / "x").status()));
}

// A reader need not start again because the results that it reads have grown, or a part has been merged.
BOOST_AUTO_TEST_CASE(what_loses_its_name_is_still_the_same) {
  const Folder folder;
  for (const bool replaced : {true, false}) {
    write(folder / "x", "ab");
    const File file = File::open(folder / "x");
    const struct stat before = file.status();
    BOOST_TEST(unwritten(before, file.status()));
    if (replaced) {
      write(folder / "y", "cd");
      std::filesystem::rename(folder / "y", folder / "x");
    } else {
      std::filesystem::remove(folder / "x");
    }
    BOOST_TEST(unwritten(before, file.status()));
  }
  for (const bool longer : {true, false}) {
    write(folder / "x", "ab");
    const File file = File::open(folder / "x");
    const struct stat before = file.status();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::fstream(folder / "x", std::ios::in | std::ios::out) << (longer ? "abc" : "xy");
    BOOST_TEST(!unwritten(before, file.status()));
  }
}

BOOST_AUTO_TEST_CASE(only_regular_files_are_opened_and_none_is_waited_for) {
  const Folder folder;
  write(folder / "target", "theirs");
  fs::create_symlink(folder / "target", folder / "link");
  fs::create_symlink("ring", folder / "ring");
  BOOST_TEST_REQUIRE(mkfifo((folder / "pipe").c_str(), 0666) == 0);
  for (const auto& path :
       {folder / "pipe", folder / "ring", folder / "none", folder.path.string(), std::string("/dev/zero")}) {
    BOOST_CHECK_THROW(File::open(path), InputError);
    BOOST_CHECK_THROW(read_text_file(path, 10), InputError);
  }
  BOOST_CHECK_THROW(File::open(folder / "link", Links::refused), InputError);
  BOOST_TEST(read_text_file(folder / "link", 10) == "theirs");
  BOOST_CHECK_THROW(read_text_file(folder / "link", 5), InputError);
}

BOOST_AUTO_TEST_CASE(what_is_written_goes_through_no_link) {
  const Folder folder;
  write(folder / "target", "theirs");
  fs::create_symlink(folder / "target", folder / "link");
  fs::create_hard_link(folder / "target", folder / "second");
  BOOST_CHECK_THROW(File::create(folder / "link"), WriteError);
  BOOST_CHECK_THROW(File::create(folder / "target"), WriteError);
  BOOST_CHECK_THROW(File::open_shared(folder / "link"), WriteError);
  BOOST_CHECK_THROW(File::open_shared(folder / "second"), WriteError);
  BOOST_TEST_REQUIRE(mkfifo((folder / "pipe").c_str(), 0666) == 0);
  BOOST_CHECK_THROW(File::open_shared(folder / "pipe"), WriteError);
  BOOST_TEST(read_text_file(folder / "target", 10) == "theirs");
  File::open_shared(folder / "log").append("one\n");
  File::open_shared(folder / "log").append("two\n");
  BOOST_TEST(read_text_file(folder / "log", 10) == "one\ntwo\n");
}

BOOST_AUTO_TEST_CASE(failures_of_the_machine_are_told_from_those_of_a_file) {
  for (const int code : {EMFILE, ENOMEM, EIO, ESTALE}) BOOST_TEST(is_trouble(code));
  for (const int code : {ENOENT, EACCES, ELOOP, EISDIR}) BOOST_TEST(!is_trouble(code));
  BOOST_CHECK_THROW(fail_write("x", "write", ENOMEM), SystemError);
  BOOST_CHECK_THROW(fail_write("x", "write", ENOSPC), WriteError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
