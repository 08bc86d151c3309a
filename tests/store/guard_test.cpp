#include "mixlab/store/guard.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "message.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/sealed_file.h"

using namespace mixlab;
using namespace mixlab::store;

namespace {

std::vector<char> image_of_series(const char* format) {
  Writer writer = Writer::in_memory();
  writer.attribute("format", format);
  writer.dimension("t", 1, 3, "time");
  const double values[] = {0.5, -1, 2};
  writer.put<double>("noise", {"t"}, values, "values");
  return writer.image();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(guard)

BOOST_AUTO_TEST_CASE(only_sealed_files_are_opened) {
  const Folder folder;
  const auto refusal = [&](const std::string& name) {
    return message_of<DamagedFile>([&] { open_guarded(folder / name); });
  };
  write_sealed(folder / "good.h5", image_of_series("mixlab results"));
  BOOST_TEST(open_guarded(folder / "good.h5").read<double>("noise").at(1) == -1);
  write_bytes(folder / "unsealed.h5", image_of_series("mixlab results"));
  BOOST_TEST(contains(refusal("unsealed.h5"), "has lost its checksum"));
  write_bytes(folder / "foreign.h5", image_of_series("something else"));
  BOOST_TEST(contains(refusal("foreign.h5"), "an HDF5 file of something else"));
  write_bytes(folder / "text.h5", {'h', 'i'});
  BOOST_TEST(contains(refusal("text.h5"), "not a mixlab file"));
  auto bytes = bytes_of(folder / "good.h5");
  bytes[bytes.size() / 3] ^= 1;
  write_bytes(folder / "flipped.h5", bytes);
  BOOST_TEST(contains(refusal("flipped.h5"), "its checksum does not match"));
  BOOST_CHECK_THROW(open_guarded(folder / "none.h5"), InputError);
}

BOOST_AUTO_TEST_CASE(series_of_anybody) {
  const Folder folder;
  write_bytes(folder / "foreign.h5", image_of_series("something else"));
  BOOST_TEST(read_series(folder / "foreign.h5", "noise") == "0.5\n-1\n2\n");
  BOOST_CHECK_THROW(read_series(folder / "foreign.h5", "signal"), InputError);
  BOOST_CHECK_THROW(read_series(folder / "none.h5", "noise"), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
