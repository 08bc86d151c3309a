#include "record.h"

#include <cmath>
#include <cstdio>

#include "command.h"
#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"

namespace mixlab::cli {
namespace {

/// How a datum is written.
struct Spelling {
  std::string yes, no;
  std::string unknown;
  std::string open, separator, close;  ///< of a list
  const char* number = nullptr;        ///< printf format; none: the shortest text that reads back to the same bits
  std::string (*quote)(const std::string&) = [](const std::string& words) { return words; };

  std::string operator()(bool value) const { return value ? yes : no; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    if (!std::isfinite(value)) return unknown;
    if (!number) return to_text(value);
    char buffer[400];  // the longest double in %f
    std::snprintf(buffer, sizeof buffer, number, value);
    return buffer;
  }
  std::string operator()(const std::string& words) const { return quote(words); }
  template <class T>
  std::string operator()(const std::vector<T>& values) const {
    return open + join(values, separator, *this) + close;
  }
};

}  // namespace

std::string json_text(const Datum& datum) {
  static const Spelling spelling{"true", "false", "null", "[", ", ", "]", nullptr, json};
  return std::visit(spelling, datum);
}

std::string csv_text(const Datum& datum) {
  static const Spelling spelling{"1", "0", "", "", " ", "", nullptr, csv_quoted};
  return std::visit(spelling, datum);
}

std::string table_text(const Datum& datum, const Column& column) {
  const Spelling spelling{column.yes, column.no, "-", "", " ", "", column.number};
  return padded(std::visit(spelling, datum), column.width);
}

std::string padded(const std::string& words, int width) {
  const auto size = static_cast<std::size_t>(std::abs(width));
  if (words.size() >= size) return words;
  const std::string blanks(size - words.size(), ' ');
  return width < 0 ? words + blanks : blanks + words;
}

}  // namespace mixlab::cli
