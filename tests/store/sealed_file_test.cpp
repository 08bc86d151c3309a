#include "mixlab/store/sealed_file.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "mixlab/core/error.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/workspace.h"
#include "seed.h"
#include "store/small_study.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(sealed_file)

BOOST_AUTO_TEST_CASE(a_seal_finds_every_flipped_byte_and_every_truncation) {
  const Folder folder;
  const SmallStudy setup;
  const Workspace workspace(folder / "out.h5");
  const Presence at_work = workspace.open_for(setup.study);
  const study::Part part{0, 0, 8, 0};
  setup.write(workspace.parts_folder(), part);
  const std::string part_path = workspace.parts_folder() + "/" + study::file_name(part);
  PartFile(part_path, part, setup.study);
  const auto part_bytes = bytes_of(part_path);
  workspace.merge(setup.study, setup.cells, {workspace.parts_folder()}, Missing::allow, Mixed::refuse);
  random::Stream stream = test_stream(71);
  const std::string bad = folder / "bad.h5";
  const auto refused = [&](const std::vector<char>& bytes) {
    write_bytes(bad, bytes);
    return examine_seal(File::open(bad)) != Seal::good;
  };
  for (const auto& whole : {part_bytes, bytes_of(workspace.out())}) {
    const auto anywhere = [&] {
      return static_cast<std::size_t>(integer_in(stream, 0, static_cast<std::int64_t>(whole.size()) - 1));
    };
    for (std::size_t i = 0; i < 1000; ++i) {
      auto bytes = whole;
      const std::size_t at = i < 250 ? 2 * i : anywhere();  // the seal itself, then the rest
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << (stream.next() % 8)));
      BOOST_TEST(refused(bytes), "byte " << at);
    }
    for (int i = 0; i < 1000; ++i) {
      const std::size_t size = anywhere();
      BOOST_TEST(refused({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), size << " bytes");
    }
    auto longer = whole;
    longer.push_back(0);
    BOOST_TEST(refused(longer));
  }
}

BOOST_AUTO_TEST_CASE(a_failed_write_leaves_nothing) {
  const Folder folder;
  BOOST_CHECK_THROW(write_sealed(folder / "no/such/folder.h5", {'x'}), WriteError);
  BOOST_CHECK_THROW(write_text("/proc/mixlab", "x"), WriteError);
  BOOST_TEST(std::filesystem::is_empty(folder.path));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
