#include "mixlab/verdict/sweep.h"

#include <algorithm>
#include <cmath>

#include "mixlab/core/text.h"
#include "mixlab/study/study.h"
#include "mixlab/verdict/binomial.h"

namespace mixlab::verdict {
namespace {

bool in_section(const std::string& key, const std::string& section) {
  return key.starts_with(section + ".");
}

std::vector<std::string> in_one_line_each(std::vector<std::string> texts) {
  std::transform(texts.begin(), texts.end(), texts.begin(), one_line);
  return texts;
}

}  // namespace

Sweep::Sweep(const store::ResultsFile& results)
    : n_cells_(results.n_cells()),
      labels_(in_one_line_each(results.file().read_text("label"))),
      swept_(results.swept()),
      sweep_(in_one_line_each(results.sweep())),
      columns_(results.parameters()) {}

bool Sweep::is_swept(const std::string& key) const {
  return std::find(swept_.begin(), swept_.end(), key) != swept_.end();
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
           return key == "study.horizon" || (in_section(key, "confidence") && is_swept(key));
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
  std::vector<std::string> words;
  for (std::size_t i = 0; i < swept_.size(); ++i) {
    const std::string& value = sweep_.at(cell_index(cell) * swept_.size() + i);
    if (!keys.contains(swept_[i]) && !value.empty()) words.push_back(study::sweep_word(swept_[i], value));
  }
  return join(words);
}

std::vector<SweepLine> Sweep::lines_along(const std::string& key, const std::set<std::string>& written_as) const {
  std::map<std::vector<std::string>, Cells> groups;
  for (std::int64_t cell = 0; cell < n_cells_; ++cell) {
    if (!(number(key, cell) > 0)) continue;
    if (key == "noise.tau" && number("noise.rho", cell) < 0) continue;  // another kind of dependence
    std::vector<std::string> rest;
    for (const auto& other : swept_)
      if (!written_as.contains(other)) rest.push_back(has(other) ? text(other, cell) : "");
    groups[rest].push_back(cell);
  }
  std::vector<SweepLine> lines;
  for (auto& [rest, cells] : groups) {
    const auto x = [&](std::int64_t cell) { return number(key, cell); };
    std::sort(cells.begin(), cells.end(), [&](auto a, auto b) { return x(a) < x(b); });
    if (!(x(cells.front()) < x(cells.back()))) continue;
    SweepLine line{key, cells, {}, label_without(cells.front(), written_as), true};
    for (const std::int64_t cell : cells) {
      line.x.push_back(x(cell));
      line.same_noise &= environment(cell) == environment(cells.front());
    }
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end(),
            [](const SweepLine& a, const SweepLine& b) { return a.cells.front() < b.cells.front(); });
  return lines;
}

std::vector<SweepLine> Sweep::lines() const {
  std::vector<SweepLine> all;
  if (is_swept("study.horizon")) all = lines_along("study.horizon", {"study.horizon"});
  if (is_swept("noise.tau") || is_swept("noise.rho"))
    for (auto& line : lines_along("noise.tau", {"noise.tau", "noise.rho"})) all.push_back(std::move(line));
  return all;
}

}  // namespace mixlab::verdict
