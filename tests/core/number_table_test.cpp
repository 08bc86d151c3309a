#include "mixlab/core/number_table.h"

#include <boost/test/unit_test.hpp>

#include "message.h"
#include "mixlab/core/error.h"

using namespace mixlab;

namespace {

NumberTable table_in(std::string_view text) {
  return {text, "t.csv", "noise.file"};
}

/// The message with which `call` throws a KeyError for `key`; "" if it does not.
template <class Call>
std::string refusal(const std::string& key, Call call) {
  try {
    call();
  } catch (const KeyError& error) {
    if (error.key == key) return error.what();
  }
  return {};
}

using Column = std::vector<double>;

}  // namespace

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(number_table)

BOOST_AUTO_TEST_CASE(rows_by_every_separator) {
  for (const char* text : {"x,y\n# note\n1, 2\n\n3,4\n", "1;2\n3; 4\n", "1 2\n3   4", "1\t2\r\n3\t4\r\n",
                           "\xEF\xBB\xBF"
                           "1,2\n3,4",
                           "\"a;b\",c\n\"1\",2\n3,4\n"}) {
    const auto rows = table_in(text).rows();
    BOOST_REQUIRE(rows.size() == 2u);
    BOOST_TEST(rows[0] == (Column{1, 2}), boost::test_tools::per_element());
    BOOST_TEST(rows[1] == (Column{3, 4}), boost::test_tools::per_element());
  }
  BOOST_TEST(contains(refusal("noise.file", [] { table_in("# nothing\n"); }), "no numbers in 't.csv'"));
  BOOST_TEST(contains(refusal("noise.file", [] { table_in("1 2\n3 x\n").rows(); }), "t.csv:2: not a number: 'x'"));
}

BOOST_AUTO_TEST_CASE(mixed_separators_and_decimal_commas_are_refused) {
  const auto why = [](const char* text) { return refusal("noise.file", [&] { table_in(text).column("1", "c"); }); };
  BOOST_TEST(contains(why("1;0,075438\n2;0,1\n"), "t.csv:1: both semicolons and commas"));
  BOOST_TEST(contains(why("1;2\n3,4\n"), "t.csv:2: both semicolons and commas"));
  BOOST_TEST(contains(why("1,5\t2,5\n"), "both commas and tabs"));
  BOOST_TEST(contains(why("0,5\n1,075\n"), "t.csv:2: a number that begins with 0: '075'"));
  BOOST_TEST(why("0,5\n1,0\n") == "");  // two columns, for all one can see
}

BOOST_AUTO_TEST_CASE(one_column_by_number_or_name) {
  const auto table = table_in("day,residual,who\n2024-01-01,0.5,ann\n2024-01-02,-1e-3,bob\n");
  BOOST_TEST(table.header().size() == 3u);
  for (const char* which : {"2", "residual"})
    BOOST_TEST(table.column(which, "noise.column") == (Column{0.5, -1e-3}), boost::test_tools::per_element());
  const auto why = [&](const std::string& which, const std::string& key) {
    return refusal(key, [&] { table.column(which, "noise.column"); });
  };
  BOOST_TEST(contains(why("residuals", "noise.column"), "did you mean residual?"));
  BOOST_TEST(contains(why("0", "noise.column"), "a number or day, residual, who"));
  BOOST_TEST(contains(why("4", "noise.column"), "must be at most 3"));
  BOOST_TEST(contains(why("who", "noise.file"), "t.csv:2: not a number: 'ann'"));
  BOOST_TEST(contains(why("who", "noise.file"), "choose another column by noise.column"));
}

BOOST_AUTO_TEST_CASE(a_header_holds_no_number) {
  BOOST_TEST(table_in("a b\n1 2\n").n_rows() == 1u);
  BOOST_TEST(table_in("2024-01-01 1\n2024-01-02 2\n").column("2", "c").size() == 2u);
  for (const char* first : {"nan", "-inf", "a 1", "1x", "-.5e"})
    BOOST_TEST(refusal("noise.file", [&] { table_in(first + std::string("\n1 1\n")).rows(); }) != "", first);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
