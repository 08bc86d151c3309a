#include "mixlab/store/hdf5_type.h"

#include <boost/test/unit_test.hpp>

using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(hdf5_type)

BOOST_AUTO_TEST_CASE(numbers_are_little_endian_in_files) {
  for (const Type type : {Type::float64, Type::int32, Type::int64, Type::uint8}) {
    BOOST_TEST((type == Type::uint8 || H5Tget_order(file_type(type)) == H5T_ORDER_LE), name_of(type));
    BOOST_TEST(H5Tget_size(file_type(type)) == H5Tget_size(memory_type(type)), name_of(type));
    BOOST_TEST((H5Tget_class(file_type(type)) == (type == Type::float64 ? H5T_FLOAT : H5T_INTEGER)), name_of(type));
  }
  BOOST_TEST(H5Tget_size(memory_type(type_of<double>())) == sizeof(double));
  BOOST_TEST(H5Tget_size(memory_type(type_of<std::int32_t>())) == 4u);
  BOOST_TEST(H5Tget_size(memory_type(type_of<std::int64_t>())) == 8u);
  BOOST_TEST(H5Tget_size(memory_type(type_of<std::uint8_t>())) == 1u);
}

BOOST_AUTO_TEST_CASE(texts_and_shapes) {
  const Handle fixed = text_type(5), variable = text_type(H5T_VARIABLE);
  BOOST_TEST(H5Tget_size(fixed.get()) == 5u);
  BOOST_TEST((H5Tget_cset(fixed.get()) == H5T_CSET_UTF8));
  BOOST_TEST(H5Tis_variable_str(variable.get()) > 0);
  const Handle space = simple_space({3, 4});
  hsize_t size[2] = {};
  BOOST_TEST(H5Sget_simple_extent_dims(space.get(), size, nullptr) == 2);
  BOOST_TEST(size[0] == 3u);
  BOOST_TEST(size[1] == 4u);
  BOOST_TEST(H5Sget_simple_extent_ndims(simple_space({}).get()) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
