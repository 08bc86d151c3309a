#include "mixlab/store/row_block.h"

#include <boost/test/unit_test.hpp>

using namespace mixlab;
using namespace mixlab::store;

namespace {

/// A row of another kind, with a column that is younger than the first version.
struct OtherRow {
  std::vector<double> curve;
  std::int32_t count = 0;

  static constexpr auto columns() {
    return std::tuple{engine::column(&OtherRow::curve, "curve", Axis::round, 0.0, "1", "a curve", 1),
                      engine::column(&OtherRow::count, "count", Axis::none, -1, "1", "a count", 2)};
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(row_block)

BOOST_AUTO_TEST_CASE(rows_lie_side_by_side) {
  const auto block = side_by_side(std::vector<OtherRow>{{{1, 2}, 7}, {{3, 4}, 8}});
  BOOST_TEST(block.of(&OtherRow::curve) == (std::vector<double>{1, 2, 3, 4}), boost::test_tools::per_element());
  BOOST_TEST(block.of(&OtherRow::count) == (std::vector<std::int32_t>{7, 8}), boost::test_tools::per_element());
  int n_columns = 0;
  block.for_each([&](const auto&, const auto&) { ++n_columns; });
  BOOST_TEST(n_columns == 2);
  BOOST_TEST(bytes_per_row<OtherRow>(5, 3) == 5 * 8 + 4);
}

BOOST_AUTO_TEST_CASE(dimensions) {
  using Words = std::vector<std::string>;
  BOOST_TEST(dimensions_of(Axis::none, {"cell"}) == Words{"cell"}, boost::test_tools::per_element());
  BOOST_TEST(dimensions_of(Axis::set, {"cell"}) == (Words{"cell", "set"}), boost::test_tools::per_element());
  BOOST_TEST(with_axis({2}, Axis::none, 9) == Extent{2}, boost::test_tools::per_element());
  BOOST_TEST(with_axis({2}, Axis::round, 9) == (Extent{2, 9}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
