// Numbers in a text file: fields in lines, one kind of separator in the whole file, a header if the first line holds no
// number. What could be read in two ways is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mixlab {

/// Views into the text, which must outlive it. Empty lines and lines that begin with # are skipped; fields may stand in
/// double quotes.
class NumberTable {
 public:
  /// Throws KeyError for `key` if separators are mixed or there is no line of fields.
  NumberTable(std::string_view text, std::string path, std::string key);

  /// The words of the first line if it holds no number, else empty.
  const std::vector<std::string>& header() const { return header_; }
  std::size_t n_rows() const { return lines_.size(); }

  /// All fields; throws KeyError naming the first line with one that is no finite number.
  std::vector<std::vector<double>> rows() const;
  /// One column, by its number from 1 or by its name in the header; the others may hold anything. Throws KeyError, for
  /// `column_key` if there is no such column.
  std::vector<double> column(const std::string& which, const std::string& column_key) const;

 private:
  struct Line {
    int number;  ///< in the file, from 1
    std::string_view text;
  };

  char find_separator() const;
  std::vector<std::string_view> fields(std::string_view line) const;
  /// `column_key`: what could choose another field, or "".
  double number_in(const Line& line, std::string_view field, const std::string& column_key) const;
  std::size_t index_of(const std::string& which, const std::string& column_key) const;

  std::string path_, key_;
  std::vector<Line> lines_;
  char separator_ = ' ';
  std::vector<std::string> header_;
};

}  // namespace mixlab
