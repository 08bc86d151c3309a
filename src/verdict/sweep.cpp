#include "mixlab/verdict/sweep.h"

#include <algorithm>
#include <cmath>

#include "mixlab/study/study.h"
#include "mixlab/study/study_file.h"
#include "mixlab/verdict/binomial.h"

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
        for (const double value : results.file().read<double>(name)) column.push_back(study::to_text(value));
    }
}

double Sweep::number(const std::string& key, std::int64_t cell) const {
  double value = unknown;
  if (has(key)) study::parse_real(text(key, cell), value);
  return value;
}

bool Sweep::agree(const std::string& key, std::int64_t a, std::int64_t b) const {
  return !has(key) || text(key, a) == text(key, b);
}

bool Sweep::same_environment(std::int64_t a, std::int64_t b) const {
  return std::all_of(columns_.begin(), columns_.end(), [&](const auto& column) {
    const std::string& key = column.first;
    return !(in_section(key, "problem") || in_section(key, "noise")) || agree(key, a, b);
  });
}

std::vector<std::pair<std::int64_t, std::int64_t>> Sweep::rivals() const {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  const auto rival = [&](std::int64_t a, std::int64_t b) {
    bool another_policy = false;
    for (const auto& key : swept_) {
      if (in_section(key, "policy"))
        another_policy |= !agree(key, a, b);
      else if (!agree(key, a, b))
        return false;
    }
    return another_policy && same_environment(a, b);
  };
  for (std::int64_t a = 0; a < n_cells_; ++a)
    for (std::int64_t b = a + 1; b < n_cells_; ++b)
      if (rival(a, b)) pairs.emplace_back(a, b);
  return pairs;
}

std::string Sweep::label_without(std::int64_t cell, const std::set<std::string>& keys) const {
  std::string words;
  for (const auto& word : study::split(label(cell), ',')) {
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
    if (!(number(key, cell) > 0) || number("noise.rho", cell) < 0) continue;
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
      line.same_noise &= same_environment(cell, cells.front());
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
