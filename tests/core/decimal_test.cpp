// Against the standard library's own conversion.
#include "core/decimal.h"

#include <bit>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <limits>
#include <random>

using namespace mixlab;

namespace {

std::string standard_text(double value) {
  char buffer[40];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

void compare(double value) {
  const std::string text = decimal::text(value);
  if (text != standard_text(value)) BOOST_ERROR(text << " instead of " << standard_text(value));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(decimals)

BOOST_AUTO_TEST_CASE(text_is_that_of_the_standard_library) {
  using Limits = std::numeric_limits<double>;
  for (const double value :
       {0.0, -0.0, 0.1, -1.5, 1e15, 1e22, 1e23, 123456.0, 100000.0, 0.0001, 0.00001, 0.00012, Limits::max(),
        Limits::min(), Limits::denorm_min(), Limits::infinity(), -Limits::infinity()})
    compare(value);
  for (int exponent = -1074; exponent < 1024; ++exponent) compare(std::ldexp(1.0, exponent));  // unequal neighbours
  std::mt19937_64 bits(20);
  for (int i = 0; i < 20'000; ++i) {
    const auto any = std::bit_cast<double>(bits());
    if (std::isfinite(any)) compare(any);
    compare(std::ldexp(static_cast<double>(bits() >> 11),
                       static_cast<int>(bits() % 100) - 60));  // sizes that are written plainly
    compare(static_cast<double>(bits() % 100'000) / 1000);
  }
}

BOOST_AUTO_TEST_CASE(numbers_are_read_as_by_the_standard_library) {
  std::mt19937_64 bits(21);
  std::vector<std::string> texts = {"",
                                    "-",
                                    ".",
                                    "-.",
                                    "1.",
                                    ".5",
                                    "-.5e1",
                                    "1e",
                                    "1e+",
                                    "1e-x",
                                    "1e+5x",
                                    "+1",
                                    " 1",
                                    "0x1p3",
                                    "e5",
                                    "1e400",
                                    "-1e400",
                                    "1e-400",
                                    "2e-324",
                                    "4e-324",
                                    "0e99999",
                                    "-0",
                                    "1,5",
                                    "1..2",
                                    "00012.50",
                                    "1e-99999999999999999999",
                                    "1.7976931348623159e308",
                                    "9007199254740993",
                                    "x"};
  for (int i = 0; i < 20'000; ++i) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*e", static_cast<int>(bits() % 25), std::bit_cast<double>(bits() >> 2));
    texts.emplace_back(text);
  }
  for (const std::string& text : texts) {
    double ours = -7, theirs = -7;
    const auto reading = decimal::read(text, ours);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), theirs);
    BOOST_TEST_REQUIRE(reading.length == static_cast<std::size_t>(end - text.data()), text);
    BOOST_TEST_REQUIRE((reading.error == error), text);
    BOOST_TEST_REQUIRE(std::bit_cast<std::uint64_t>(ours) == std::bit_cast<std::uint64_t>(theirs), text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
