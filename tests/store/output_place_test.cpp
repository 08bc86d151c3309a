#include "mixlab/store/output_place.h"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "folder.h"
#include "message.h"
#include "mixlab/core/process_id.h"
#include "mixlab/store/sealed_file.h"

using namespace mixlab;
using namespace mixlab::store;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(output_places)

BOOST_AUTO_TEST_CASE(links_are_followed_to_their_end) {
  const Folder folder;
  fs::create_symlink("second", folder / "first");
  fs::create_symlink("out.h5", folder / "second");
  BOOST_TEST(resolve_output(folder / "first") == folder / "out.h5");
  BOOST_TEST(resolve_output(folder / "plain.h5") == folder / "plain.h5");
  fs::create_symlink("ring", folder / "ring");
  BOOST_TEST(contains(message_of<InputError>([&] { resolve_output(folder / "ring"); }), "leads to itself"));
}

BOOST_AUTO_TEST_CASE(links_of_others_are_refused) {
  const Folder folder;
  fs::create_symlink("out.h5", folder / "link");
  refuse_links_of_others(folder / "link");
  refuse_links_of_others(folder / "nothing");
  if (geteuid() != 0) return;
  BOOST_REQUIRE(lchown((folder / "link").c_str(), 65534, 65534) == 0);
  BOOST_TEST(contains(message_of<InputError>([&] { refuse_links_of_others(folder / "link"); }), "another user"));
  BOOST_TEST(contains(message_of<InputError>([&] { resolve_output(folder / "link"); }), "another user"));
  fs::create_directory(folder / "out.h5");  // which a slash leads into
  for (const char* name : {"link/", "link//", "link/."})
    BOOST_TEST(contains(message_of<InputError>([&] { refuse_links_of_others(folder / name); }), "another user"), name);
}

BOOST_AUTO_TEST_CASE(only_leftovers_of_the_dead_are_removed) {
  const Folder folder;
  const ProcessId self = ProcessId::self();
  ProcessId dead = self, elsewhere = self;
  dead.pid = 999999999;
  elsewhere.host = "elsewhere";
  const auto leave = [&](const std::string& name, const ProcessId& process) {
    const std::string path = folder / (name + temporary_mark + process.text() + ".0123456789abcdef");
    write_bytes(path, {'h'});
    return path;
  };
  const auto gone = leave("a.h5", dead), others = leave("a.h5", elsewhere), alive = leave("a.h5", self),
             of_another = leave("b.h5", dead);
  const auto all = remove_leftovers_in(folder / "", "a.h5", OtherMachines::keep);
  BOOST_TEST(all.size() == 2);
  BOOST_TEST(!fs::exists(gone));
  BOOST_TEST((fs::exists(others) && fs::exists(alive) && fs::exists(of_another)));
  remove_leftovers_in(folder / "", "", OtherMachines::clean);
  BOOST_TEST((!fs::exists(others) && fs::exists(alive) && !fs::exists(of_another)));
}

BOOST_AUTO_TEST_CASE(leftovers_of_one_output_and_of_folders) {
  const Folder folder;
  ProcessId dead = ProcessId::self();
  dead.pid = 999999999;
  const auto leave = [&](const std::string& name) {
    const std::string path = folder / (name + temporary_mark + dead.text() + ".0123456789abcdef");
    fs::create_directories(fs::path(path).parent_path());
    write_bytes(path, {'h'});
    return path;
  };
  const auto tables = leave("tables"), longer = leave("tables-2"), inside = leave("x/y/z.svg"),
             beyond = leave("b/z.svg");
  fs::create_directory_symlink(folder / "b", folder / "x/link");
  remove_leftovers_of(folder / "tables/");
  BOOST_TEST((!fs::exists(tables) && fs::exists(longer)));
  BOOST_TEST(remove_leftovers_below(folder / "x", OtherMachines::keep).size() == 1);
  BOOST_TEST((!fs::exists(inside) && fs::exists(beyond)));
  BOOST_TEST(remove_leftovers_below(folder / "nothing", OtherMachines::keep).empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
