#include "cli/record.h"

#include <boost/test/unit_test.hpp>
#include <limits>

using namespace mixlab::cli;

namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(record)

BOOST_AUTO_TEST_CASE(one_datum_in_three_spellings) {
  const Column column{.tables = "13", .heading = "x", .width = 8, .number = "%.2f", .yes = "y", .no = "-"};
  struct Case {
    Datum datum;
    const char *json, *csv, *table;
  };
  const Case cases[] = {
      {true, "true", "1", "       y"},
      {false, "false", "0", "       -"},
      {std::int64_t{-7}, "-7", "-7", "      -7"},
      {0.125, "0.125", "0.125", "    0.12"},
      {1.0 / 3, "0.3333333333333333", "0.3333333333333333", "    0.33"},
      {not_known, "null", "", "       -"},
      {std::string("a\"b"), "\"a\\\"b\"", "\"a\"\"b\"", "     a\"b"},
      {std::vector<std::int64_t>{1, 2}, "[1, 2]", "1 2", "     1 2"},
      {std::vector<double>{0.5, not_known}, "[0.5, null]", "0.5 ", "  0.50 -"},
  };
  for (const Case& each : cases) {
    BOOST_TEST(json_text(each.datum) == each.json);
    BOOST_TEST(csv_text(each.datum) == each.csv);
    BOOST_TEST(table_text(each.datum, column) == each.table);
  }
  BOOST_TEST(column.stands_in('3'));
  BOOST_TEST(!column.stands_in('2'));
}

BOOST_AUTO_TEST_CASE(padding) {
  BOOST_TEST(padded("ab", 4) == "  ab");
  BOOST_TEST(padded("ab", -4) == "ab  ");
  BOOST_TEST(padded("abcde", 4) == "abcde");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
