#include "mixlab/store/part_file.h"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <thread>

#include "folder.h"
#include "message.h"
#include "mixlab/core/error.h"
#include "mixlab/store/guard.h"
#include "store/small_study.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(part_file)

BOOST_AUTO_TEST_CASE(parts_round_trip_with_the_same_bytes) {
  const Folder a, b;
  const SmallStudy setup;
  const study::Part part{1, 3, 9, 0};
  setup.write(a.path, part);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 keeps times of objects, in seconds
  setup.write(b.path, part);
  const std::string path = a / study::file_name(part);
  BOOST_TEST((bytes_of(path) == bytes_of(b / study::file_name(part))));
  const PartFile file(path, part, setup.study);
  BOOST_TEST(file.numerics() == "numerics");
  const RowBlock block = file.read(4, 6);
  const auto rows = setup.rows(part);
  BOOST_TEST(block.of(&engine::Row::potential)[1] == rows[2].potential);
  BOOST_TEST(block.of(&engine::Row::regret).back() == rows[2].regret.back());
  BOOST_TEST(block.of(&engine::Row::first_violation).size() == 4u);
  const study::Study other(study::parse_study_text(setup.study.effective_text(), "other.cfg", {"noise.rho=0.8"}));
  BOOST_CHECK_THROW(PartFile(path, part, other), InputError);
  BOOST_CHECK_THROW(PartFile(path, {1, 3, 10, 0}, setup.study), InputError);
}

BOOST_AUTO_TEST_CASE(no_study_declares_more_than_it_has) {
  const Folder folder;
  SmallStudy setup;
  const study::Part part{1, 3, 9, 0};
  for (const std::int64_t n : {std::int64_t{20}, std::int64_t{21}, std::int64_t{1} << 62}) {
    setup.context.n_declared = n;
    setup.write(folder.path, part);
    const auto open = [&] { PartFile(folder / study::file_name(part), part, setup.study); };
    BOOST_TEST((message_of<DamagedFile>(open) == "no error") == (n == 20), n);
  }
}

BOOST_AUTO_TEST_CASE(blocks_of_a_part_come_in_any_order) {
  const Folder a, b;
  const SmallStudy setup;
  const study::Part part{0, 2, 12, 0}, other{1, 0, 3, 0};
  const auto rows = setup.rows(part);
  const auto some = [&](std::int64_t first, std::int64_t end) {
    return std::vector(rows.begin() + (first - part.first), rows.begin() + (end - part.first));
  };
  setup.write(a.path, part);
  {
    OpenParts parts(b.path, setup.cells, setup.context);
    BOOST_TEST(!parts.add(part, 9, some(9, 12)));
    BOOST_TEST(!parts.add(part, 2, some(2, 3)));
    BOOST_TEST(!parts.add(other, 1, {setup.rows(other)[1]}));  // never finished
    BOOST_TEST(!std::filesystem::exists(b / study::file_name(part)));
    BOOST_TEST(parts.add(part, 3, some(3, 9)));
    BOOST_TEST(std::filesystem::exists(b / study::file_name(part)));
  }
  BOOST_TEST((bytes_of(a / study::file_name(part)) == bytes_of(b / study::file_name(part))));
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(b.path), std::filesystem::directory_iterator()) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
