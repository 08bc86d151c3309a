#include "mixlab/store/descriptor_driver.h"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <filesystem>

#include "folder.h"
#include "mixlab/core/error.h"
#include "mixlab/store/hdf5_reader.h"
#include "mixlab/store/hdf5_writer.h"

using namespace mixlab;
using namespace mixlab::store;
namespace fs = std::filesystem;

namespace {

void write_numbers(const std::string& path, const std::vector<double>& numbers) {
  const File bytes = File::create(path);
  Writer file = Writer::on_disk(bytes, path);
  file.dimension("i", 0, static_cast<std::int64_t>(numbers.size()), "index");
  file.put<double>("x", {"i"}, std::span<const double>(numbers), "numbers");
  file.close();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(descriptor_driver)

BOOST_AUTO_TEST_CASE(hdf5_reads_the_file_that_is_open_whatever_its_name_leads_to) {
  const Folder folder;
  const std::vector<double> numbers = {1, 2.5, -3};
  write_numbers(folder / "x.h5", numbers);
  File open = File::open(folder / "x.h5");
  fs::rename(folder / "x.h5", folder / "moved.h5");
  write_numbers(folder / "x.h5", {7, 7, 7});
  const Reader file(std::move(open));
  BOOST_TEST(file.read<double>("x") == numbers, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_disk_that_fails_is_told_from_contents_that_do) {
  const Folder folder;
  write_numbers(folder / "x.h5", std::vector<double>(1000, 1.5));
  File gone = File::open(folder / "x.h5");
  ::close(gone.descriptor());  // as a network file system takes it away
  BOOST_CHECK_THROW(Reader(std::move(gone)), SystemError);
  BOOST_TEST(take_driver_error() == 0);
  File::create(folder / "text").append("no HDF5");
  BOOST_CHECK_THROW(Reader(File::open(folder / "text")), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
