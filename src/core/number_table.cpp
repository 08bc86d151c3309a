#include "mixlab/core/number_table.h"

#include <algorithm>
#include <cctype>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"

namespace mixlab {
namespace {

constexpr std::string_view separators = ",;\t";

std::string_view without_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_quotes(std::string_view field) {
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"') return field.substr(1, field.size() - 2);
  return field;
}

/// Calls `visit` with each character that stands outside double quotes and its position.
template <class Visit>
void for_each_unquoted(std::string_view line, Visit visit) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (!quoted) visit(line[i], i);
  }
}

/// Whether somebody may have meant a number: "1", "1x", "-.5e", "nan".
bool looks_like_number(std::string_view field) {
  std::string word;
  for (const char c : field.substr(std::min(field.size(), field.find_first_not_of("+-."))))
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "nan" || word == "inf" || word == "infinity" ||
         (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())));
}

/// "075": no program writes a number so, unless it is what follows a decimal comma.
bool is_cut_off_decimal(std::string_view field) {
  return field.size() > 1 && field.front() == '0' &&
         std::all_of(field.begin(), field.end(), [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
}

std::string name_of(char separator) {
  return separator == '\t' ? "tabs" : separator == ',' ? "commas" : "semicolons";
}

}  // namespace

NumberTable::NumberTable(std::string_view text, std::string path, std::string key)
    : path_(std::move(path)), key_(std::move(key)) {
  text = without_mark(text);
  for (int number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view line = without_blanks(text.substr(0, end));
    if (!line.empty() && line.front() != '#') lines_.push_back({number, line});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  if (!lines_.empty()) {
    separator_ = find_separator();
    const auto first = fields(lines_.front().text);
    if (std::none_of(first.begin(), first.end(), looks_like_number)) {
      header_.assign(first.begin(), first.end());
      lines_.erase(lines_.begin());
    }
  }
  if (lines_.empty())
    throw KeyError(key_, "no numbers in '" + path_ + "' (must have at least one line of them); check the file");
}

char NumberTable::find_separator() const {
  char found = ' ';
  for (const auto& line : lines_)
    for_each_unquoted(line.text, [&](char c, std::size_t) {
      if (separators.find(c) == std::string_view::npos || c == found) return;
      if (found != ' ')
        throw KeyError(key_, path_ + ":" + std::to_string(line.number) + ": both " + name_of(found) + " and " +
                                 name_of(c) +
                                 " (must be one separator in the whole file, and decimal points); write points for "
                                 "decimal commas, or put text in double quotes");
      found = c;
    });
  return found;
}

std::vector<std::string_view> NumberTable::fields(std::string_view line) const {
  std::vector<std::string_view> all;
  std::size_t first = 0;
  const auto add = [&](std::size_t end) {
    const std::string_view field = without_blanks(line.substr(first, end - first));
    if (separator_ != ' ' || !field.empty()) all.push_back(without_quotes(field));
    first = end + 1;
  };
  for_each_unquoted(line, [&](char c, std::size_t at) {
    if (c == separator_) add(at);
  });
  add(line.size());
  return all;
}

double NumberTable::number_in(const Line& line, std::string_view field, const std::string& column_key) const {
  const auto fail = [&](const std::string& what, const std::string& remedy) {
    throw KeyError(
        key_, path_ + ":" + std::to_string(line.number) + ": " + what + ": '" + std::string(field) + "' " + remedy);
  };
  if (separator_ == ',' && is_cut_off_decimal(field))
    fail("a number that begins with 0", "(commas separate here; is it a decimal comma?); write decimal points");
  const auto value = parse_real(field);
  if (!value)
    fail("not a number", "(must be a finite number); correct it" +
                             (column_key.empty() ? "" : ", or choose another column by " + column_key));
  return *value;
}

std::vector<std::vector<double>> NumberTable::rows() const {
  std::vector<std::vector<double>> all;
  for (const auto& line : lines_) {
    std::vector<double> row;
    for (const auto field : fields(line.text)) row.push_back(number_in(line, field, ""));
    all.push_back(std::move(row));
  }
  return all;
}

std::size_t NumberTable::index_of(const std::string& which, const std::string& column_key) const {
  if (const auto number = parse_integer(which)) {
    if (*number >= 1) return static_cast<std::size_t>(*number - 1);
  } else if (const auto named = std::find(header_.begin(), header_.end(), which); named != header_.end()) {
    return static_cast<std::size_t>(named - header_.begin());
  }
  throw KeyError(column_key,
                 "bad value for " + column_key + ": '" + which + "' (must be a column of " + path_ + ": " +
                     (header_.empty() ? "a number from 1; it has no header" : "a number or " + join(header_)) + "); " +
                     suggestion(which, header_, "choose one"));
}

std::vector<double> NumberTable::column(const std::string& which, const std::string& column_key) const {
  const std::size_t index = index_of(which, column_key);
  std::vector<double> values;
  values.reserve(lines_.size());
  for (const auto& line : lines_) {
    const auto all = fields(line.text);
    if (index >= all.size())
      throw KeyError(column_key, "bad value for " + column_key + ": '" + which + "' (must be at most " +
                                     std::to_string(all.size()) + ", the columns in " + path_ + ":" +
                                     std::to_string(line.number) + "); lower it, or mend the line");
    // The integer parts of decimal commas look like a column of their own: look at their neighbours as well.
    if (separator_ == ',' && index + 1 < all.size() && is_cut_off_decimal(all[index + 1]))
      number_in(line, all[index + 1], column_key);
    values.push_back(number_in(line, all[index], all.size() > 1 ? column_key : ""));
  }
  return values;
}

}  // namespace mixlab
