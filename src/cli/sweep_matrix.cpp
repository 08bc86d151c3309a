#include "sweep_matrix.h"

#include <algorithm>
#include <tuple>

#include "mixlab/core/text.h"
#include "mixlab/study/study.h"
#include "text_table.h"

namespace mixlab::cli {
namespace {

using verdict::Verdict;
using Words = std::vector<std::string>;

constexpr std::size_t longest_name = 40;  ///< of a line of cells beside its entries; longer ones stand above

const Words& sweep_of(const Verdict& verdict, std::int64_t cell) {
  return verdict.cells[static_cast<std::size_t>(cell)].sweep;
}

bool is_number(const std::string& value) {
  return value.empty() || parse_real(value).has_value();
}

/// In the order of the cells.
Words distinct_values(const Verdict& verdict, const std::vector<std::int64_t>& cells, std::size_t key) {
  Words values;
  for (const std::int64_t cell : cells) {
    const std::string& value = sweep_of(verdict, cell)[key];
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

void sort_numbers(Words& values) {
  std::stable_sort(values.begin(), values.end(), [](const std::string& a, const std::string& b) {
    const auto x = parse_real(a), y = parse_real(b);
    return y && (!x || *x < *y);
  });
}

}  // namespace

SweepLayout lay_out(const Verdict& verdict, const std::vector<std::int64_t>& cells) {
  SweepLayout layout;
  std::tuple<bool, std::size_t> best{false, 0};
  for (std::size_t key = 0; key < verdict.swept.size(); ++key) {
    Words values = distinct_values(verdict, cells, key);
    const bool numbers = std::all_of(values.begin(), values.end(), is_number);
    const std::tuple rank{numbers && values.size() > 1, values.size()};
    if (rank <= best) continue;
    best = rank;
    layout.across = key;
    layout.values = std::move(values);
    if (numbers) sort_numbers(layout.values);
  }
  for (const std::int64_t cell : cells) {
    Words rest = sweep_of(verdict, cell);
    const auto at = std::find(layout.values.begin(), layout.values.end(), rest[layout.across]) - layout.values.begin();
    rest[layout.across].clear();
    auto line = std::find_if(layout.lines.begin(), layout.lines.end(),
                             [&](const CellLine& each) { return each.sweep == rest; });
    if (line == layout.lines.end())
      line = layout.lines.insert(line,
                                 {std::move(rest), std::vector<std::int64_t>(layout.values.size(), std::int64_t{-1})});
    line->cells[static_cast<std::size_t>(at)] = cell;
  }
  return layout;
}

std::string sweep_words(const Verdict& verdict, const Words& sweep,
                        const std::function<bool(const std::string& key)>& wanted) {
  Words words;
  for (std::size_t key = 0; key < sweep.size(); ++key)
    if (!sweep[key].empty() && wanted(verdict.swept[key]))
      words.push_back(study::sweep_word(verdict.swept[key], sweep[key]));
  return join(words);
}

namespace {

/// The columns first..end-1 of a matrix.
TextTable slice(const Verdict& verdict, const SweepLayout& layout, const std::vector<MatrixEntries>& all,
                std::size_t first, std::size_t end) {
  const auto words_of = [&](const CellLine& line) {
    return sweep_words(verdict, line.sweep, [](const std::string&) { return true; });
  };
  const bool is_named = std::any_of(all.begin(), all.end(), [](const auto& each) { return !each.name.empty(); });
  const bool stands_above = std::any_of(layout.lines.begin(), layout.lines.end(),
                                        [&](const CellLine& line) { return words_of(line).size() > longest_name; });
  std::vector<Heading> headings;
  if (is_named) headings.push_back({"", Align::left});
  headings.push_back({"", Align::left});
  for (std::size_t i = first; i < end; ++i) headings.push_back({layout.values[i].empty() ? "none" : layout.values[i]});
  TextTable table(headings);
  for (const auto& [name, entry] : all) {
    bool is_first = true;
    for (const CellLine& line : layout.lines) {
      Words words;
      if (is_named) words.push_back(is_first || stands_above ? name : "");
      words.push_back(stands_above ? "" : words_of(line));
      bool says_something = false;
      for (std::size_t i = first; i < end; ++i) {
        words.push_back(line.cells[i] < 0 ? "" : entry(line.cells[i]));
        says_something |= !words.back().empty();
      }
      if (!says_something) continue;
      if (stands_above) table.add_line(words_of(line));
      table.add(std::move(words));
      is_first = false;
    }
  }
  return table;
}

}  // namespace

std::string matrix_text(const Verdict& verdict, const SweepLayout& layout, const std::vector<MatrixEntries>& all) {
  std::string text;
  for (std::size_t first = 0; first < layout.values.size();) {
    std::size_t end = layout.values.size();
    while (end > first + 1 && slice(verdict, layout, all, first, end).width() > terminal_width) --end;
    text += slice(verdict, layout, all, first, end).text();
    first = end;
  }
  return text;
}

}  // namespace mixlab::cli
