#include "cli/text_table.h"

#include <boost/test/unit_test.hpp>

using namespace mixlab::cli;

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(text_table)

BOOST_AUTO_TEST_CASE(columns_are_as_wide_as_their_widest_word) {
  TextTable table({{"set", Align::left}, {"n"}, {"", Align::left}});
  table.add({"paper", "7", "ok"});
  table.add_line("a line that is longer than all columns");
  table.add({"otc", "2000", ""});
  BOOST_TEST(table.width() == 5u + 1 + 4 + 1 + 2);
  BOOST_TEST(table.text() ==
             "set      n\n"
             "paper    7 ok\n"
             "a line that is longer than all columns\n"
             "otc   2000\n");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
