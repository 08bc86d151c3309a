#include "mixlab/study/parameter.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "mixlab/error.h"

namespace mixlab::study {
namespace {

/// Insertions, deletions, substitutions and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

std::string number(double value) {
  return to_text(Value{value});
}

}  // namespace

std::string to_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  char buffer[32];
  const auto end = std::holds_alternative<double>(value)
                       ? std::to_chars(buffer, buffer + sizeof buffer, std::get<double>(value)).ptr
                       : std::to_chars(buffer, buffer + sizeof buffer, std::get<std::int64_t>(value)).ptr;
  return {buffer, end};
}

bool parse_real(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

bool parse_integer(std::string_view text, std::int64_t& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::string trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (;;) {
    const auto cut = text.find(separator);
    pieces.push_back(trim(text.substr(0, cut)));
    if (cut == std::string_view::npos) return pieces;
    text.remove_prefix(cut + 1);
  }
}

std::vector<std::string> split_blanks(std::string_view text) {
  std::vector<std::string> pieces;
  for (;;) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return pieces;
    text.remove_prefix(first);
    const auto end = text.find_first_of(" \t\r\n");
    pieces.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end);
  }
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    // At least the difference of the lengths; this also keeps the table small when the name is as long as a file.
    if (std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size()) >= best_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

Parameter::Parameter(std::string key, Type type, std::string fallback, std::string help)
    : key_(std::move(key)), type_(type), fallback_(std::move(fallback)), help_(std::move(help)) {}

Parameter Parameter::integer(std::string key, std::string fallback, std::string help) {
  return {std::move(key), Type::integer, std::move(fallback), std::move(help)};
}
Parameter Parameter::real(std::string key, std::string fallback, std::string help) {
  return {std::move(key), Type::real, std::move(fallback), std::move(help)};
}
Parameter Parameter::text(std::string key, std::string fallback, std::string help) {
  return {std::move(key), Type::text, std::move(fallback), std::move(help)};
}

Parameter& Parameter::at_least(double low) {
  low_ = low;
  low_open_ = false;
  return *this;
}
Parameter& Parameter::at_most(double high) {
  high_ = high;
  high_open_ = false;
  return *this;
}
Parameter& Parameter::above(double low) {
  low_ = low;
  return *this;
}
Parameter& Parameter::below(double high) {
  high_ = high;
  return *this;
}
Parameter& Parameter::one_of(std::vector<std::string> choices) {
  choices_ = std::move(choices);
  return *this;
}

bool Parameter::contains(double value) const {
  return (low_open_ ? value > low_ : value >= low_) && (high_open_ ? value < high_ : value <= high_);
}

std::string Parameter::range() const {
  if (!choices_.empty()) {
    std::string words;
    for (std::size_t i = 0; i < choices_.size(); ++i)
      words += (i == 0 ? "" : i + 1 == choices_.size() ? " or " : ", ") + choices_[i];
    return words;
  }
  const bool has_low = std::isfinite(low_);
  const bool has_high = std::isfinite(high_);
  if (has_low && has_high)
    return std::string("in ") + (low_open_ ? "(" : "[") + number(low_) + ", " + number(high_) +
           (high_open_ ? ")" : "]");
  if (has_low) return (low_open_ ? "above " : "at least ") + number(low_);
  if (has_high) return (high_open_ ? "below " : "at most ") + number(high_);
  return {};
}

Value Parameter::parse(const std::string& section, const std::string& written) const {
  const std::string full = section + "." + key_;
  const auto fail = [&](const std::string& rule) -> Value {
    throw KeyError(full, "bad value for " + full + ": '" + written + "' (" + rule + "); " +
                             (fallback_.empty() ? "give a value in range" : "the default is " + fallback_));
  };
  const std::string must = range().empty() ? "" : ", " + range();
  if (type_ == Type::integer) {
    std::int64_t value = 0;
    if (!parse_integer(written, value)) return fail("must be a whole number" + must);
    if (!contains(static_cast<double>(value))) return fail("must be " + range());
    return value;
  }
  if (type_ == Type::real) {
    double value = 0;
    if (!parse_real(written, value)) return fail("must be a number" + must);
    if (!contains(value)) return fail("must be " + range());
    return value;
  }
  if (!choices_.empty() && std::find(choices_.begin(), choices_.end(), written) == choices_.end()) {
    const std::string near = nearest(written, choices_);
    return fail("must be " + range() + (near.empty() ? "" : "; did you mean " + near + "?"));
  }
  if (written.empty()) return fail("must not be empty");
  return written;
}

const Value& Values::at(const std::string& key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) throw std::out_of_range("no value for " + key);
  return found->second;
}

std::int64_t Values::integer(const std::string& key) const {
  return std::get<std::int64_t>(at(key));
}
double Values::real(const std::string& key) const {
  return std::get<double>(at(key));
}
const std::string& Values::text(const std::string& key) const {
  return std::get<std::string>(at(key));
}

Values Values::section(const std::string& name) const {
  Values inside;
  for (const auto& [key, value] : values_)
    if (key.starts_with(name + ".")) inside.set(key.substr(name.size() + 1), value);
  return inside;
}

}  // namespace mixlab::study
