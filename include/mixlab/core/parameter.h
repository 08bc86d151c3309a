// A key of the study file: type, default, range and help, declared once where the thing it belongs to is defined.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "mixlab/core/text.h"

namespace mixlab {

using Value = std::variant<std::int64_t, double, std::string>;

/// A value as it is written in a study file; doubles in the shortest form that reads back to the same bits.
std::string to_text(const Value& value);

class Parameter {
 public:
  enum class Type { integer, real, text };

  static Parameter integer(std::string key, std::string fallback, std::string help);
  static Parameter real(std::string key, std::string fallback, std::string help);
  static Parameter text(std::string key, std::string fallback, std::string help);
  /// The path of a file: its contents travel with the study and are part of its identity.
  static Parameter file(std::string key, std::string help);

  Parameter& at_least(double low);
  Parameter& at_most(double high);
  Parameter& above(double low);
  Parameter& below(double high);
  Parameter& one_of(std::vector<std::string> choices);

  /// The value in `written`; throws KeyError for `section`.key if type or range is wrong.
  Value parse(const std::string& section, const std::string& written) const;
  /// The range in words: "in (-1, 1)", "at least 1", "gaussian, rademacher or uniform".
  std::string range() const;

  const std::string& key() const { return key_; }
  Type type() const { return type_; }
  bool is_file() const { return is_file_; }
  const std::string& fallback() const { return fallback_; }  ///< default as written; empty: none
  const std::string& help() const { return help_; }

 private:
  Parameter(std::string key, Type type, std::string fallback, std::string help);
  bool contains(double value) const;

  std::string key_;
  Type type_;
  bool is_file_ = false;
  std::string fallback_;
  std::string help_;
  double low_ = -std::numeric_limits<double>::infinity();
  double high_ = std::numeric_limits<double>::infinity();
  bool low_open_ = true;
  bool high_open_ = true;
  std::vector<std::string> choices_;
};

/// Parameters with their values. Keys are "section.key" in a cell, plain inside one section.
class Values {
 public:
  void set(const std::string& key, Value value) { values_[key] = std::move(value); }
  bool has(const std::string& key) const { return values_.contains(key); }
  const Value& at(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  double real(const std::string& key) const;
  const std::string& text(const std::string& key) const;
  /// The values of one section, under their plain keys.
  Values section(const std::string& name) const;

  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  bool operator==(const Values&) const = default;

 private:
  std::map<std::string, Value> values_;
};

}  // namespace mixlab
