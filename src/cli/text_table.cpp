#include "text_table.h"

#include <algorithm>
#include <numeric>

#include "record.h"

namespace mixlab::cli {

TextTable::TextTable(std::vector<Heading> headings) : headings_(std::move(headings)) {
  for (const auto& heading : headings_) widths_.push_back(heading.words.size());
}

void TextTable::add(std::vector<std::string> words) {
  for (std::size_t i = 0; i < words.size(); ++i) widths_[i] = std::max(widths_[i], words[i].size());
  rows_.push_back(std::move(words));
}

void TextTable::add_line(std::string line) {
  rows_.push_back({std::move(line)});
}

std::size_t TextTable::width() const {
  return std::accumulate(widths_.begin(), widths_.end(), widths_.size() - 1);
}

std::string TextTable::text() const {
  std::vector<std::string> heading;
  for (const auto& each : headings_) heading.push_back(each.words);
  std::string all;
  const auto write = [&](const std::vector<std::string>& words) {
    std::string line;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto width = static_cast<int>(words.size() < headings_.size() ? 0 : widths_[i]);
      line += (i == 0 ? "" : " ") + padded(words[i], headings_[i].align == Align::left ? -width : width);
    }
    all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  write(heading);
  for (const auto& row : rows_) write(row);
  return all;
}

}  // namespace mixlab::cli
