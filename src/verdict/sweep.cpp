#include "mixlab/verdict/sweep.h"

#include <algorithm>
#include <cmath>

#include "mixlab/study/study.h"
#include "mixlab/study/study_file.h"
#include "mixlab/verdict/binomial.h"
#include "mixlab/core/text.h"

namespace mixlab::verdict {
namespace {

bool in_section(const std::string& key, const std::string& section) {
  return key.starts_with(section + ".");
}

/// The keys whose value lists alternatives. Texts of [study] and [expect] may contain commas, but do not sweep.
std::set<std::string> swept_keys(const store::ResultsFile& results) {
  std::set<std::string> keys;
  const auto file = study::parse_study_text(results.study_text(), results.path(), {}, results.files());
  for (const auto& assignment : file.assignments) {
    if (assignment.section == "expect" || (assignment.section == "study" && assignment.key != "horizon")) continue;
    if (assignment.value.find(',') != std::string::npos) keys.insert(assignment.full_key());
  }
  return keys;
}

}  // namespace

Sweep::Sweep(const store::ResultsFile& results)
    : n_cells_(results.n_cells()), labels_(results.file().read_text("label")), swept_(swept_keys(results)) {
  for (const auto& name : results.file().variables())
    for (const auto& section : study::section_names) {
      if (!name.starts_with(section + "_") || results.file().extent(name).size() != 1) continue;
      auto& column = columns_[section + "." + name.substr(section.size() + 1)];
      if (results.file().is_text(name))
        column = results.file().read_text(name);
      else
        for (const double value : results.file().read<double>(name)) column.push_back(to_text(value));
    }
}

double Sweep::number(const std::string& key, std::int64_t cell) const {
  return has(key) ? parse_real(text(key, cell)).value_or(unknown) : unknown;
}

std::vector<std::string> Sweep::values(std::int64_t cell, const std::function<bool(const std::string&)>& wanted) const {
  std::vector<std::string> all;
  for (const auto& [key, column] : columns_)
    if (wanted(key)) all.push_back(column.at(cell_index(cell)));
  return all;
}

std::vector<std::string> Sweep::environment(std::int64_t cell) const {
  return values(cell, [](const std::string& key) { return in_section(key, "problem") || in_section(key, "noise"); });
}

std::vector<std::pair<std::int64_t, std::int64_t>> Sweep::rivals() const {
  std::map<std::vector<std::string>, Cells> groups;  // all but the policy
  for (std::int64_t cell = 0; cell < n_cells_; ++cell) {
    auto rest = environment(cell);
    for (auto& value : values(cell, [&](const std::string& key) {
           return key == "study.horizon" || (in_section(key, "confidence") && swept_.contains(key));
         }))
      rest.push_back(std::move(value));
    groups[rest].push_back(cell);
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (const auto& [rest, cells] : groups)
    for (std::size_t a = 0; a < cells.size(); ++a)
      for (std::size_t b = a + 1; b < cells.size(); ++b) pairs.emplace_back(cells[a], cells[b]);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::string Sweep::label_without(std::int64_t cell, const std::set<std::string>& keys) const {
  std::string words;
  for (const auto& word : split(label(cell), ',')) {
    const bool left_out = std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
      return word.starts_with(key.substr(key.find('.') + 1) + "=");
    });
    if (!left_out) words += (words.empty() ? "" : ", ") + word;
  }
  return words;
}

std::vector<Line> Sweep::lines_along(const std::string& key, const std::set<std::string>& written_as) const {
  std::map<std::vector<std::string>, Cells> groups;
  for (std::int64_t cell = 0; cell < n_cells_; ++cell) {
    if (!(number(key, cell) > 0)) continue;
    if (key == "noise.tau" && number("noise.rho", cell) < 0) continue;  // another kind of dependence
    std::vector<std::string> rest;
    for (const auto& other : swept_)
      if (!written_as.contains(other)) rest.push_back(has(other) ? text(other, cell) : "");
    groups[rest].push_back(cell);
  }
  std::vector<Line> lines;
  for (auto& [rest, cells] : groups) {
    const auto x = [&](std::int64_t cell) { return number(key, cell); };
    std::sort(cells.begin(), cells.end(), [&](auto a, auto b) { return x(a) < x(b); });
    if (!(x(cells.front()) < x(cells.back()))) continue;
    Line line{key, cells, {}, label_without(cells.front(), written_as), true};
    for (const std::int64_t cell : cells) {
      line.x.push_back(x(cell));
      line.same_noise &= environment(cell) == environment(cells.front());
    }
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.cells.front() < b.cells.front(); });
  return lines;
}

std::vector<Line> Sweep::lines() const {
  std::vector<Line> all;
  if (swept_.contains("study.horizon")) all = lines_along("study.horizon", {"study.horizon"});
  if (swept_.contains("noise.tau") || swept_.contains("noise.rho"))
    for (auto& line : lines_along("noise.tau", {"noise.tau", "noise.rho"})) all.push_back(std::move(line));
  return all;
}

}  // namespace mixlab::verdict
