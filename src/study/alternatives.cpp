#include "alternatives.h"

#include <cmath>
#include <cstdio>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"

namespace mixlab::study {
namespace {

constexpr double largest_range = 10'000;

/// As its reader would write it: 0.1 + 2 x 0.1 is 0.3.
std::string decimal_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.12g", value);
  return to_text(*parse_real(text));
}

/// The numbers of "first:last:step" or "log first:last:count"; nothing if `text` is of neither form.
std::vector<std::string> range_in(const std::string& text, const std::string& full_key) {
  const bool logarithmic = text.starts_with("log ");
  const auto pieces = split(logarithmic ? text.substr(4) : text, ':');
  std::vector<double> numbers;
  for (const auto& piece : pieces)
    if (const auto number = parse_real(piece)) numbers.push_back(*number);
  if (pieces.size() != 3 || numbers.size() != 3) return {};
  const double first = numbers[0], last = numbers[1], step = numbers[2];
  const double n_steps = logarithmic ? step - 1 : std::floor((last - first) / step + 1e-9);
  const bool is_sound =
      logarithmic ? first > 0 && last > 0 && first != last && n_steps >= 1 && step == std::floor(step) : n_steps >= 0;
  if (!is_sound || n_steps > largest_range)
    throw KeyError(full_key, "bad range in " + full_key + ": '" + text +
                                 "' (must be first:last:step or log first:last:count, from first to last in at most "
                                 "10000 steps); for instance 0.1:0.9:0.1 or log 1:1000:4");
  std::vector<std::string> values;
  for (double k = 0; k <= n_steps; ++k)
    values.push_back(decimal_text(logarithmic ? first * std::pow(last / first, k / n_steps) : first + k * step));
  return values;
}

}  // namespace

std::vector<std::string> alternatives_in(const std::string& written, const std::string& full_key) {
  std::vector<std::string> all;
  for (const auto& piece : split(written, ',')) {
    const auto range = range_in(piece, full_key);
    if (range.empty())
      all.push_back(piece);
    else
      all.insert(all.end(), range.begin(), range.end());
  }
  return all;
}

}  // namespace mixlab::study
