// A table for a terminal, each column as wide as its widest word.
#pragma once

#include <string>
#include <vector>

namespace mixlab::cli {

inline constexpr std::size_t terminal_width = 79;  ///< the last column of 80 makes some terminals break the line

enum class Align { left, right };

struct Heading {
  std::string words;
  Align align = Align::right;
};

class TextTable {
 public:
  explicit TextTable(std::vector<Heading> headings);

  /// One word per heading.
  void add(std::vector<std::string> words);
  /// A line across all columns.
  void add_line(std::string line);
  std::size_t width() const;
  /// Headings and rows, without blanks at the end of lines.
  std::string text() const;

 private:
  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;  ///< a row of one word among several columns is a line
  std::vector<std::size_t> widths_;
};

}  // namespace mixlab::cli
