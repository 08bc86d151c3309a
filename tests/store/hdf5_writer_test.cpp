#include "mixlab/store/hdf5_writer.h"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "message.h"
#include "mixlab/core/error.h"
#include "mixlab/core/subprocess.h"
#include "store/small_file.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(hdf5_writer)

// netCDF's own tool finds dimensions, types, fill value and text as they were meant.
BOOST_AUTO_TEST_CASE(what_is_written_is_netcdf) {
  const Folder folder;
  write_small_file(folder / "x.h5");
  const auto dump = call({"ncdump", folder / "x.h5"});
  if (dump.is_missing()) return;
  BOOST_TEST(dump.code == 0, dump.err);
  for (const char* piece : {"row = 3 ;", "column = 2 ;", "int64 row(row) ;", "string column(column) ;",
                            "int x(row, column) ;", "x:_FillValue = -1 ;", "x:long_name = \"numbers\" ;",
                            "string label(row) ;", "label = \"one\", _, \"drei\" ;", ":number = 0.1 ;", ":count = 7"})
    BOOST_TEST(contains(dump.out, piece), piece << " is not in " << dump.out);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_written) {
  const Folder folder;
  File::create(folder / "x.h5").append("x");
  const File bytes = File::open(folder / "x.h5");  // for reading
  const pid_t child = fork();                      // after a failed write HDF5 is of no use any more
  if (child == 0) {
    try {
      Writer::on_disk(bytes, "x.h5").close();
    } catch (const WriteError&) {
      _exit(7);
    }
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  BOOST_TEST(WEXITSTATUS(status) == 7);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
