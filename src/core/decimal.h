// Doubles as decimal text and back, by printf and strtod: what <charconv> does itself from gcc 11 on. cmake/gcc10 makes
// std::to_chars and std::from_chars of it; newer libraries serve its test.
#pragma once

#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include <locale.h>

namespace mixlab::decimal {

/// 0.d1 d2 d3 ... times 10^point.
struct Digits {
  std::string digits;
  int point;
};

/// `value` > 0 rounded to n digits.
inline Digits rounded(double value, int n) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*e", n - 1, value);
  const std::string_view written = text;
  const auto e = written.find('e');
  Digits result{{}, std::atoi(text + e + 1) + 1};
  for (const char c : written.substr(0, e))  // without the point, which the locale may have changed
    if (c >= '0' && c <= '9') result.digits += c;
  return result;
}

inline double value_of(const Digits& number) {
  const std::string text = number.digits + "e" + std::to_string(number.point - static_cast<int>(number.digits.size()));
  return std::strtod(text.c_str(), nullptr);
}

/// The next larger number of as many digits.
inline Digits above(Digits number) {
  auto digit = number.digits.rbegin();
  for (; digit != number.digits.rend() && *digit == '9'; ++digit) *digit = '0';
  if (digit != number.digits.rend())
    ++*digit;
  else
    number = {"1" + number.digits.substr(1), number.point + 1};
  return number;
}

/// The fewest digits that are read as `value` > 0, and of those the nearest.
inline Digits shortest(double value) {
  int exponent;
  // Below a power of two doubles are closer: the nearest may be read as another,
  // and one farther above as `value`.
  const bool power_of_two = std::frexp(value, &exponent) == 0.5;
  for (int n = 1;; ++n) {
    const Digits nearest = rounded(value, n);
    if (n == 17 || value_of(nearest) == value) return nearest;
    if (power_of_two && value_of(above(nearest)) == value) return above(nearest);
  }
}

/// The shortest text that is read as `value`; plain rather than with an exponent where both have the same length.
inline std::string text(double value) {
  std::string sign = std::signbit(value) ? "-" : "";
  if (std::isnan(value)) return sign + "nan";
  if (std::isinf(value)) return sign + "inf";
  if (value == 0) return sign + "0";
  const auto [digits, point] = shortest(std::abs(value));
  const int n = static_cast<int>(digits.size());

  const int exponent = point - 1;
  std::string scientific = digits.substr(0, 1) + (n > 1 ? "." + digits.substr(1) : "") + (exponent < 0 ? "e-" : "e+");
  if (std::abs(exponent) < 10) scientific += "0";
  scientific += std::to_string(std::abs(exponent));

  const int plain_length = point >= n ? point : point > 0 ? n + 1 : 2 - point + n;
  if (plain_length > static_cast<int>(scientific.size())) return sign + scientific;
  if (point <= 0) return sign + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (point < n)
    return sign + digits.substr(0, static_cast<std::size_t>(point)) + "." +
           digits.substr(static_cast<std::size_t>(point));
  char whole[32];  // all its digits, not zeros after the shortest
  std::snprintf(whole, sizeof whole, "%.0f", std::abs(value));
  return sign + whole;
}

struct Reading {
  std::size_t length;  ///< how much of the text is a number; 0 if nothing
  std::errc error;     ///< result_out_of_range if it is too large, or too small but not 0
};

/// Reads the number that `text` begins with, if there is one; infinities and nan are not.
inline Reading read(std::string_view text, double& value) {
  const auto digits_from = [&](std::size_t at) {
    const auto end = text.find_first_not_of("0123456789", at);
    return std::min(end, text.size()) - at;
  };
  std::size_t at = !text.empty() && text.front() == '-';
  const auto before = digits_from(at);
  at += before;
  const bool has_point = at < text.size() && text[at] == '.';
  const auto after = has_point ? digits_from(at + 1) : 0;
  if (before + after == 0) return {0, std::errc::invalid_argument};
  at += has_point + after;
  const auto mantissa = text.substr(0, at);
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const auto sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
    const auto exponent = digits_from(std::min(at + 1 + sign, text.size()));
    if (exponent > 0) at += 1 + sign + exponent;
  }
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  const double read = strtod_l(std::string(text.substr(0, at)).c_str(), nullptr, c_locale);
  const bool is_zero = mantissa.find_first_of("123456789") == std::string_view::npos;
  if (std::isinf(read) || (read == 0 && !is_zero)) return {at, std::errc::result_out_of_range};
  value = read;
  return {at, std::errc{}};
}

}  // namespace mixlab::decimal
