#include "mixlab/engine/row.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>
#include <string>

using namespace mixlab::engine;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(row)

BOOST_AUTO_TEST_CASE(columns_are_named_once_and_explained) {
  std::set<std::string> names;
  for_each_column<Row>([&](const auto& column) {
    BOOST_TEST(names.insert(column.name).second, column.name);
    BOOST_TEST(column.meaning != std::string());
    BOOST_TEST(column.unit != std::string());
    Row row;
    column.append(row, column.not_run);
    BOOST_TEST(column.values(row).size() == 1u);
  });
}

BOOST_AUTO_TEST_CASE(same_bits_sees_every_column) {
  const double nan = std::nan("");
  const Row row{{1, nan}, {0}, {-1}, {-2}, {0.5}, 3, 0};
  BOOST_TEST(same_bits(row, row));
  for_each_column<Row>([&](const auto& column) {
    Row other = row;
    column.append(other, column.not_run);
    BOOST_TEST(!same_bits(row, other), column.name);
  });
  Row negative = row, positive = row;
  negative.potential = -0.0;
  positive.potential = 0.0;
  BOOST_TEST(negative.potential == positive.potential);
  BOOST_TEST(!same_bits(negative, positive));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
