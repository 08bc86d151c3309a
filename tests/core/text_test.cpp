#include "mixlab/core/text.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

using namespace mixlab;
using Numbers = std::vector<std::int64_t>;
using Words = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(text)

BOOST_AUTO_TEST_CASE(numbers_read_back_to_the_same_bits) {
  for (const double value : {0.1, 1.0 / 3, 1e-300, -2.5e300, 4.9e-324, 1e15})
    BOOST_TEST(parse_real(to_text(value)).value() == value);
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-7}, std::numeric_limits<std::int64_t>::max()})
    BOOST_TEST(parse_integer(to_text(value)).value() == value);
  BOOST_TEST(to_text(0.1) == "0.1");
}

BOOST_AUTO_TEST_CASE(only_whole_numbers_are_read) {
  BOOST_TEST(parse_real("+1.5").value() == 1.5);
  for (const char* text : {"", "x", "1x", " 1", "1 ", "1e999", "nan", "inf", "1,5", "0x1p3"})
    BOOST_TEST(!parse_real(text), text);
  for (const char* text : {"", "1.0", "x", "7 ", "99999999999999999999"}) BOOST_TEST(!parse_integer(text), text);
}

BOOST_AUTO_TEST_CASE(cutting_and_joining) {
  BOOST_TEST(trim(" \t a b \r\n") == "a b");
  BOOST_TEST(trim(" \n ") == "");
  BOOST_TEST(split(" a, b ,,c", ',') == (Words{"a", "b", "", "c"}), boost::test_tools::per_element());
  BOOST_TEST(split("", ',') == Words{""}, boost::test_tools::per_element());
  BOOST_TEST(split_blanks("  a \t b\nc ") == (Words{"a", "b", "c"}), boost::test_tools::per_element());
  BOOST_TEST(split_blanks(" ").empty());
  BOOST_TEST(join({}) == "");
  BOOST_TEST(join({"a"}) == "a");
  BOOST_TEST(join({"", "b"}, "-") == "-b");
  BOOST_TEST(join(Numbers{1, 2}, " x ", [](std::int64_t n) { return to_text(n); }) == "1 x 2");
  BOOST_TEST(alternatives({}) == "");
  BOOST_TEST(alternatives({"a"}) == "a");
  BOOST_TEST(alternatives({"a", "b", "c"}) == "a, b or c");
}

BOOST_AUTO_TEST_CASE(ranges) {
  BOOST_TEST(ranges_text({0, 1, 2, 3}, ",") == "0-3");
  BOOST_TEST(ranges_text({5}, ",") == "5");
  BOOST_TEST(ranges_text({0, 2, 3, 7, 8, 10}, " ") == "0 2-3 7-8 10");
  BOOST_TEST(ranges_text({}, ",") == "");
  for (const Numbers& each : {Numbers{0, 1, 2}, Numbers{4}, Numbers{0, 2, 3, 7, 8, 10}})
    BOOST_TEST(parse_ranges(ranges_text(each, ",")).value() == each, boost::test_tools::per_element());
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  BOOST_TEST(parse_ranges(to_text(largest)).value() == Numbers{largest}, boost::test_tools::per_element());
  for (const char* text : {"", "x", "3-1", "1,,2", "-4", "0-99999999999", "0-9999999,0-9999999", "-1-3",
                           "9223372036854775807-9223372036854775808"})
    BOOST_TEST(!parse_ranges(text), text);
}

BOOST_AUTO_TEST_CASE(quotes_in_csv) {
  BOOST_TEST(csv_quoted("a,b") == "\"a,b\"");
  BOOST_TEST(csv_quoted("say \"x\"") == "\"say \"\"x\"\"\"");
}

BOOST_AUTO_TEST_CASE(control_characters_are_shown) {
  BOOST_TEST(visible("a\x1b[2J\x7f\r") == "a\\x1b[2J\\x7f\\x0d");
  BOOST_TEST(visible("a\xc2\x9b;31m") == "a\\x9b;31m");
  BOOST_TEST(visible("a\u202eb\u202a\u2066\u2069") == "a\\u202eb\\u202a\\u2066\\u2069");
  BOOST_TEST(visible(std::string("a\0b", 3)) == "a\\x00b");
  for (const char* text : {"", "Étude\tθ\n", "\u00a0\u2029\u202f\u2065\u206a", "日本 😀"}) {
    BOOST_TEST(visible(text) == text);
    BOOST_TEST(find_control(text) == std::string::npos, text);
  }
  BOOST_TEST(one_line("a\n\tb\x1b") == "a\\x0a\tb\\x1b");
  BOOST_TEST(find_control("ab\u202e\x1b") == 2u);
  BOOST_TEST(find_control("ab\u202e\x1b", 5) == 5u);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_characters_are_shown) {
  BOOST_TEST(visible("a\x9b;31m") == "a\\x9b;31m");
  BOOST_TEST(visible("\xc3\x96\xc3") == "Ö\\xc3");
  BOOST_TEST(visible("\xe6\x97z") == "\\xe6\\x97z");
  const std::vector<std::string_view> none = {"\xbf",
                                              "\xc0\x80",
                                              "\xc1\xbf",
                                              "\xc3",
                                              "\xc3z",
                                              "\xe0\x9f\xbf",
                                              "\xed\xa0\x80",
                                              "\xe6\x97",
                                              "\xf0\x8f\xbf\xbf",
                                              "\xf4\x90\x80\x80",
                                              "\xf5\x80\x80\x80",
                                              "\xf0\x9f\x98",
                                              "\xff"};
  for (const auto text : none) {
    BOOST_TEST(character_size(text, 0) == 0u, visible(text));
    BOOST_TEST(find_control(text) == 0u, visible(text));
  }
  for (const std::string_view text :
       {"a", "\xc2\x80", "Ö", "\xe0\xa0\x80", "日", "\xed\x9f\xbf", "\xef\xbf\xbf", "😀", "\xf4\x8f\xbf\xbf"})
    BOOST_TEST(character_size(text, 0) == text.size(), visible(text));
  BOOST_TEST(character_size("a", 1) == 0u);
}

BOOST_AUTO_TEST_CASE(suggestions) {
  const Words names = {"paper", "oful", "selfnorm"};
  BOOST_TEST(nearest("papr", names) == "paper");
  BOOST_TEST(nearest("ofulx", names) == "oful");
  BOOST_TEST(nearest("zzzzzzzz", names) == "");
  BOOST_TEST(nearest(std::string(1'000'000, 'a'), names) == "");
  BOOST_TEST(suggestion("papre", names, "remove it") == "did you mean paper?");
  BOOST_TEST(suggestion("zzzzzzzz", names, "remove it") == "remove it");
}

BOOST_AUTO_TEST_CASE(the_shell_sees_one_word) {
  for (const std::string text :
       {"plain/path-1.h5", "two words", "it's", "$HOME `id` \"x\" \\", "", "a\nb", "*", "~", "#x"})
    BOOST_TEST(call({"sh", "-c", "printf %s " + shell_word(text)}).out == text);
}

BOOST_AUTO_TEST_CASE(whole_numbers_with_an_exponent) {
  BOOST_TEST(parse_integer("1e3").value() == 1000);
  BOOST_TEST(parse_integer("-25E2").value() == -2500);
  BOOST_TEST(parse_integer("1.5e1").value() == 15);
  for (const char* text : {"1e-1", "1.5e0", "1e16", "e3", "1e", "1e999"})
    BOOST_TEST(!parse_integer(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
