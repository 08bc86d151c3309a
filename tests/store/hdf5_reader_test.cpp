#include "mixlab/store/hdf5_reader.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "mixlab/core/error.h"
#include "store/small_file.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(hdf5_reader)

BOOST_AUTO_TEST_CASE(what_was_written_comes_back) {
  const Folder folder;
  write_small_file(folder / "x.h5");
  const Reader file(File::open(folder / "x.h5"));
  BOOST_TEST(file.read<std::int32_t>("x") == (std::vector<std::int32_t>{1, 2, 3, 4, -1, -1}),
             boost::test_tools::per_element());
  BOOST_TEST(file.read<std::int32_t>("x", {1, 1}, {2, 1}) == (std::vector<std::int32_t>{4, -1}),
             boost::test_tools::per_element());
  BOOST_TEST(file.read<std::int64_t>("row") == (std::vector<std::int64_t>{10, 11, 12}),
             boost::test_tools::per_element());
  BOOST_TEST(file.read_text("label") == (std::vector<std::string>{"one", "", "drei"}),
             boost::test_tools::per_element());
  BOOST_TEST(file.chunk("x") == (Extent{2, 2}), boost::test_tools::per_element());
  BOOST_TEST(file.dimensions("x") == (std::vector<std::string>{"row", "column"}), boost::test_tools::per_element());
  BOOST_TEST(file.type_name("x") == "int32");
  BOOST_TEST(file.is_text("column"));
  BOOST_TEST(file.text_attribute("word") == "Étude");
  BOOST_TEST(file.text_attribute("x", "long_name") == "numbers");
  BOOST_TEST(file.integer_attribute("count") == 7);
  BOOST_TEST(file.read_raw("x", {0, 1}, {1, 1}).size() == 4u);
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_refused) {
  const Folder folder;
  write_small_file(folder / "x.h5");
  const Reader file(File::open(folder / "x.h5"));
  BOOST_TEST(!file.has("y"));
  BOOST_TEST(!file.has_attribute("no"));
  BOOST_CHECK_THROW(file.read<double>("y"), InputError);
  BOOST_CHECK_THROW(file.read<std::int32_t>("x", {2, 0}, {2, 2}), InputError);
  BOOST_CHECK_THROW(file.text_attribute("no"), InputError);
  BOOST_CHECK_NO_THROW(file.require("x", Type::int32, {"row", "column"}));
  BOOST_CHECK_THROW(file.require("x", Type::float64, {"row", "column"}), InputError);
  BOOST_CHECK_THROW(file.require("x", Type::int32, {"column", "row"}), InputError);
  BOOST_CHECK_THROW(Reader(File::open(folder / "none.h5")), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
