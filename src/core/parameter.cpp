#include "mixlab/core/parameter.h"

#include <algorithm>
#include <cmath>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"

namespace mixlab {
std::string to_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<double>(&value)) return to_text(*number);
  return to_text(std::get<std::int64_t>(value));
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

Parameter Parameter::file(std::string key, std::string help) {
  Parameter parameter(std::move(key), Type::text, "", std::move(help));
  parameter.is_file_ = true;
  return parameter;
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
  if (!choices_.empty()) return alternatives(choices_);
  const bool has_low = std::isfinite(low_);
  const bool has_high = std::isfinite(high_);
  if (has_low && has_high)
    return std::string("in ") + (low_open_ ? "(" : "[") + to_text(low_) + ", " + to_text(high_) +
           (high_open_ ? ")" : "]");
  if (has_low) return (low_open_ ? "above " : "at least ") + to_text(low_);
  if (has_high) return (high_open_ ? "below " : "at most ") + to_text(high_);
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
    const auto value = parse_integer(written);
    if (!value) return fail("must be a whole number" + must);
    if (!contains(static_cast<double>(*value))) return fail("must be " + range());
    return *value;
  }
  if (type_ == Type::real) {
    const auto value = parse_real(written);
    if (!value) return fail("must be a number" + must);
    if (!contains(*value)) return fail("must be " + range());
    return *value;
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

}  // namespace mixlab
