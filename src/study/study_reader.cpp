// From the text of a study to its cells.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include "alternatives.h"
#include "mixlab/core/hash.h"
#include "mixlab/core/text.h"
#include "mixlab/study/study.h"
#include "schema.h"

namespace mixlab::study {
namespace {

constexpr std::int64_t largest_part = 1'000'000;
constexpr std::size_t most_cells = 10'000;  // said within seconds

/// The stem of the file name, fit to stand in a study file.
std::string name_from(const std::string& path) {
  std::string name = trim(std::filesystem::path(path).stem().string());
  for (char& c : name)
    if (c == '#' || static_cast<unsigned char>(c) < 0x20) c = '_';
  return name.empty() ? "study" : name;
}

void check_theta(Values& values) {
  const double norm_bound = values.real("problem.norm_bound");
  if (values.text("problem.theta") == "random") {
    if (!values.has("problem.theta_norm")) values.set("problem.theta_norm", norm_bound);
    if (const double norm = values.real("problem.theta_norm"); norm > norm_bound)
      throw KeyError("problem.theta_norm", "bad value for problem.theta_norm: '" + to_text(norm) +
                                               "' (must be at most problem.norm_bound = " + to_text(norm_bound) +
                                               "); lower it or raise norm_bound");
    return;
  }
  const auto pieces = split_blanks(values.text("problem.theta"));
  const std::int64_t p = values.integer("problem.dimension");
  double sum = 0;
  for (const auto& piece : pieces) {
    const auto number = parse_real(piece);
    if (!number)
      throw KeyError("problem.theta", "bad value for problem.theta: '" + values.text("problem.theta") +
                                          "' (must be random or p numbers); for instance 0.6 0.8");
    sum += *number * *number;
  }
  if (static_cast<std::int64_t>(pieces.size()) != p)
    throw KeyError("problem.theta", "bad value for problem.theta: '" + values.text("problem.theta") + "' (must have " +
                                        std::to_string(p) + " numbers, problem.dimension); add or remove some");
  const double norm = std::sqrt(sum);
  if (norm > norm_bound * (1 + 1e-12))
    throw KeyError("problem.theta", "bad value for problem.theta: norm " + to_text(norm) +
                                        " (must be at most problem.norm_bound = " + to_text(norm_bound) +
                                        "); shorten it or raise norm_bound");
  values.set("problem.theta_norm", norm);
}

void check_monitor(const Values& values) {
  std::set<std::string> seen;
  for (const auto& set : split_blanks(values.text("confidence.monitor"))) {
    entry_for(Kind::sets, "confidence.monitor", set);
    if (!seen.insert(set).second)
      throw KeyError("confidence.monitor", "set named twice in confidence.monitor: " + set + "; remove one");
  }
}

/// What concerns several keys at once.
void complete(Values& values) {
  check_theta(values);
  check_monitor(values);
  const auto complete_section = [&](const Entry& entry, const std::string& section) {
    if (!entry.complete) return;
    Values inside = values.section(section);
    entry.complete(inside);
    for (const auto& [key, value] : inside) values.set(section + "." + key, value);
  };
  complete_section(entry_for(Kind::noise, "noise.process", values.text("noise.process")), "noise");
  complete_section(entry_for(Kind::policies, "policy.name", values.text("policy.name")), "policy");
}

}  // namespace

/// Builds the cells; remembers which keys were used and what took effect.
class Study::Reader {
  using Point = std::vector<std::pair<std::string, std::string>>;  ///< swept keys and their values, in sweep order

 public:
  explicit Reader(Study& study) : study_(study) {}

  void read() {
    reject_unknown_sections();
    reject_unknown_keys();
    read_study_section();
    expand({}, {}, {});
    name_cells();
    reject_unused_keys();
    collect_sets();
    collect_entries();
    read_expectations();
  }

 private:
  const Assignment* given(const std::string& full_key) const { return study_.file_.find(full_key); }

  void reject_unknown_sections() const {
    for (const auto& assignment : study_.file_.assignments) {
      if (assignment.section == "expect" || schema().contains(assignment.section)) continue;
      auto names = section_names;
      names.push_back("expect");
      const std::string near = nearest(assignment.section, names);
      throw InputError(assignment.origin + ": unknown section: [" + assignment.section +
                       "] (known: study, problem, noise, policy, confidence, expect); " +
                       (near.empty() ? "remove it" : "did you mean [" + near + "]?"));
    }
  }

  void reject_unknown_keys() const {
    const auto known = all_known_keys();
    for (const auto& assignment : study_.file_.assignments) {
      if (assignment.section == "expect") continue;
      if (std::find(known.begin(), known.end(), assignment.full_key()) != known.end()) continue;
      const std::string near = nearest(assignment.full_key(), known);
      throw InputError(assignment.origin + ": unknown key: " + assignment.full_key() + " (no part of mixlab has it); " +
                       (near.empty() ? "remove it" : "did you mean " + near + "?"));
    }
  }

  void read_study_section() {
    for (const auto& parameter : schema().at("study")) {
      if (sweeps("study", parameter.key())) continue;
      const std::string full_key = "study." + parameter.key();
      const Assignment* assignment = given(full_key);
      std::string written = assignment ? assignment->value : parameter.fallback();
      if (written.empty() && assignment) parameter.parse("study", written);
      if (written.empty() && parameter.key() == "name") written = name_from(study_.file_.path);
      if (written.empty() && parameter.key() == "title") written = study_.name_;
      store(parameter, written);
    }
  }

  void store(const Parameter& parameter, const std::string& written) {
    const std::string& key = parameter.key();
    study_.effective_["study." + key] = normalised(parameter, "study", written);
    if (key == "name") study_.name_ = written;
    if (key == "title") study_.title_ = written;
    if (key == "stop") parameter.parse("study", written);
    if (key == "trajectories") study_.trajectories_ = std::get<std::int64_t>(parameter.parse("study", written));
    if (key == "checkpoints")
      study_.n_checkpoints_ = static_cast<int>(std::get<std::int64_t>(parameter.parse("study", written)));
    if (key == "seed") {
      const char* end = written.data() + written.size();
      const auto [stop, error] = std::from_chars(written.data(), end, study_.seed_);
      if (error != std::errc{} || stop != end)
        throw KeyError("study.seed", "bad value for study.seed: '" + written +
                                         "' (must be a whole number from 0 to 2^64-1); the default is 1");
    }
    if (key == "part" && written != "auto") {
      const auto part = parse_integer(written);
      if (!part || *part < 1 || *part > largest_part)
        throw KeyError("study.part", "bad value for study.part: '" + written +
                                         "' (must be auto or a whole number from 1 to " + to_text(largest_part) +
                                         "); the default is auto");
      study_.part_ = *part;
    }
  }

  // Decides the first open key of the cell in every way its value allows, and goes on from there.
  void expand(const Values& known, const std::set<std::string>& absent, const Point& point) {
    for (const auto& slot : slots_of(known)) {
      const std::string full_key = slot.full_key();
      if (known.has(full_key) || absent.contains(full_key)) continue;
      const Assignment* assignment = given(full_key);
      used_.insert(full_key);
      const std::string written = assignment ? assignment->value : slot.parameter.fallback();
      if (!assignment && written.empty()) {
        auto more = absent;
        more.insert(full_key);
        return expand(known, more, point);
      }
      auto alternatives = slot.parameter.is_file() ? split(written, ',') : alternatives_in(written, full_key);
      if (takes_default(slot.section, slot.parameter.key()))
        std::replace(alternatives.begin(), alternatives.end(), std::string(default_alias), std::string(default_word));
      std::vector<std::string> effective;
      for (const auto& alternative : alternatives) {
        const std::string text =
            alternative.empty() ? alternative : normalised(slot.parameter, slot.section, alternative);
        Values next = known;
        next.set(full_key, slot.parameter.parse(slot.section, text));
        Point next_point = point;
        if (alternatives.size() > 1) next_point.emplace_back(full_key, text);
        effective.push_back(text);
        if (std::count(alternatives.begin(), alternatives.end(), alternative) > 1)
          throw KeyError(full_key, "value swept twice in " + full_key + ": " + alternative + "; remove one");
        expand(next, absent, next_point);
      }
      keep_effective(full_key, join(effective));
      return;
    }
    finish(known, point);
  }

  /// Of every cell that has the key; what is given is the same in all.
  void keep_effective(const std::string& full_key, const std::string& value) {
    const auto varying = study_.varying_.find(full_key);
    if (varying != study_.varying_.end()) {
      varying->second = value;
      return;
    }
    const auto [before, is_new] = study_.effective_.emplace(full_key, value);
    if (is_new || before->second == value) return;
    study_.varying_.emplace(full_key, value);
    study_.effective_.erase(before);
  }

  void finish(Values values, const Point& point) {
    if (study_.cells_.size() >= most_cells)
      throw InputError(study_.file_.path + ": too many cells (at most " + std::to_string(most_cells) +
                       "); sweep fewer values, or split the study");
    complete(values);
    hash_files(values);
    for (const auto& [key, value] : point)
      if (std::find(study_.swept_.begin(), study_.swept_.end(), key) == study_.swept_.end())
        study_.swept_.push_back(key);
    study_.cells_.push_back({static_cast<int>(study_.cells_.size()), std::move(values), {}, {}});
    points_.push_back(point);
  }

  /// Labels and sweep values, once all swept keys are known.
  void name_cells() {
    for (auto& cell : study_.cells_) {
      const Point& point = points_[static_cast<std::size_t>(cell.index)];
      cell.label = point.empty()
                       ? study_.name_
                       : join(point, ", ", [](const auto& each) { return sweep_word(each.first, each.second); });
      for (const auto& key : study_.swept_) {
        const auto found =
            std::find_if(point.begin(), point.end(), [&](const auto& each) { return each.first == key; });
        cell.sweep.push_back(found == point.end() ? "" : found->second);
      }
    }
  }

  /// A file enters the study, and the environment, by its contents.
  void hash_files(Values& values) {
    const auto hash = [&](const std::string& key, const std::string& path) {
      const std::string& text = study_.file_.files->load(path, key);
      Hasher hasher;
      hasher.add(text.data(), text.size());
      values.set(key + "_hash", hasher.hex());
      study_.effective_["file." + path] = hasher.hex();
    };
    for (const auto& slot : slots_of(values))
      if (slot.parameter.is_file() && values.has(slot.full_key())) hash(slot.full_key(), values.text(slot.full_key()));
    const std::string& arms = values.text("problem.arms");
    const auto colon = arms.find(':');
    const Entry* family = catalogue().find(Kind::arms, arms.substr(0, colon));
    if (family && family->takes_file && colon != std::string::npos) hash("problem.arms", arms.substr(colon + 1));
  }

  void reject_unused_keys() const {
    for (const auto& assignment : study_.file_.assignments) {
      if (assignment.section == "expect" || assignment.section == "study" || used_.contains(assignment.full_key()))
        continue;
      throw InputError(assignment.origin + ": key that no cell uses: " + assignment.full_key() +
                       " (nothing in this study reads it); remove it, or choose a process, policy or set that has it");
    }
  }

  void collect_sets() {
    for (const auto& cell : study_.cells_)
      for (const auto& set : cell.monitor())
        if (std::find(study_.sets_.begin(), study_.sets_.end(), set) == study_.sets_.end()) study_.sets_.push_back(set);
  }

  void collect_entries() {
    const auto add = [&](Kind kind, const std::string& name) {
      const Entry* entry = catalogue().find(kind, name);
      if (entry && std::find(study_.entries_.begin(), study_.entries_.end(), entry) == study_.entries_.end())
        study_.entries_.push_back(entry);
    };
    for (const auto& cell : study_.cells_) {
      const std::string& arms = cell.values.text("problem.arms");
      add(Kind::arms, arms.substr(0, arms.find(':')));
      add(Kind::noise, cell.values.text("noise.process"));
      add(Kind::policies, cell.values.text("policy.name"));
      add(Kind::sets, cell.values.text("policy.set"));
      add(Kind::delays, cell.values.text("confidence.delay"));
      for (const auto& set : cell.monitor()) add(Kind::sets, set);
    }
  }

  void read_expectations() {
    for (const auto& assignment : study_.file_.assignments) {
      if (assignment.section != "expect") continue;
      if (std::find(study_.sets_.begin(), study_.sets_.end(), assignment.key) == study_.sets_.end()) {
        const std::string near = nearest(assignment.key, study_.sets_);
        throw InputError(assignment.origin + ": expectation for a set that is not monitored: " + assignment.key +
                         " (must be in confidence.monitor); " +
                         (near.empty() ? "add it there" : "did you mean " + near + "?"));
      }
      study_.expectations_.push_back(parse_expectation(assignment.key, assignment.value));
      if (study_.file_.source == Source::user) reject_idle_conditions(assignment, study_.expectations_.back());
      study_.effective_[assignment.full_key()] = assignment.value;
    }
  }

  void reject_idle_conditions(const Assignment& assignment, const Expectation& expectation) const {
    for (const auto& clause : expectation.clauses)
      for (const auto& condition : clause.conditions) {
        const auto values = values_of(condition.key);
        const auto fail = [&](const std::string& what, const std::string& why, const std::string& remedy) {
          throw InputError(assignment.origin + ": condition in " + assignment.full_key() + " on a " + what + " (" +
                           why + "); " + remedy);
        };
        if (values.empty())
          fail("key that no cell has: " + condition.key, "so it could never hold",
               suggestion(condition.key, {used_.begin(), used_.end()}, "remove it"));
        if (condition.is_order() && !parse_real(condition.value))
          fail("value that is no number: " + condition.key + " " + condition.comparison + " '" + condition.value + "'",
               "must be a number after " + condition.comparison, "write one number");
        const Condition equal{condition.key, "=", condition.value};
        const auto is_met = [&](const std::string& value) { return equal.holds_of(value); };
        if (!condition.is_order() && std::none_of(values.begin(), values.end(), is_met))
          fail("value that no cell has: " + condition.key + " = '" + condition.value + "'",
               "cells have " + join(values), suggestion(condition.value, values, "correct it"));
      }
  }

  /// What a key is in some cell, or was in the study file before --set changed it: an expectation that speaks of the
  /// file as it stands must survive an override.
  std::vector<std::string> values_of(const std::string& full_key) const {
    std::vector<std::string> values;
    const auto add = [&](const std::string& value) {
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    };
    for (const auto& cell : study_.cells_)
      if (cell.values.has(full_key)) add(to_text(cell.values.at(full_key)));
    if (used_.contains(full_key) && values.empty()) add("");
    for (const auto& assignment : study_.file_.replaced)
      if (assignment.full_key() == full_key)
        for (const auto& value : alternatives_in(assignment.value, full_key)) add(value);
    return values;
  }

  Study& study_;
  std::set<std::string> used_;
  std::vector<Point> points_;  ///< of each cell
};

Study::Study(StudyFile file) : file_(std::move(file)) {
  try {
    Reader(*this).read();
  } catch (const KeyError& error) {
    rethrow(error);
  }
}

}  // namespace mixlab::study
