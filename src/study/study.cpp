#include "mixlab/study/study.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

#include "mixlab/core/catalogue.h"
#include "mixlab/core/hash.h"
#include "mixlab/core/text.h"

namespace mixlab::study {
namespace {

constexpr double largest_count = 1e9;
constexpr std::int64_t largest_part = 1'000'000;
constexpr std::size_t most_cells = 10'000;  // said within seconds
constexpr double largest_range = 10'000;
constexpr const char* default_alias = "own";  ///< the same as default_word

const std::map<std::string, std::vector<Parameter>>& schema() {
  static const std::map<std::string, std::vector<Parameter>> sections = {
      {"study",
       {Parameter::text("name", "", "short name; default: the name of the file"),
        Parameter::text("title", "", "one line for tables and figures; default: the name"),
        Parameter::integer("trajectories", "1000", "independent trajectories per cell")
            .at_least(1)
            .at_most(largest_count),
        Parameter::integer("horizon", "1000", "rounds T of a trajectory; may be swept")
            .at_least(1)
            .at_most(largest_count),
        Parameter::text("seed", "1", "0 to 2^64-1"),
        Parameter::integer("checkpoints", "64", "log-spaced rounds at which regret is kept").at_least(1).at_most(10000),
        Parameter::text("part", "auto", "trajectories per part file, or auto; never changes a result"),
        Parameter::text("stop", "never",
                        "never, or verdict: a cell stops once all that is "
                        "expected of it is decided")
            .one_of({"never", "verdict"})}},
      {"problem",
       {Parameter::integer("dimension", "2", "p").at_least(1).at_most(1000),
        Parameter::text("arms", "circle:8", "the decision set; see `mixlab list arms`"),
        Parameter::real("norm_bound", "1", "B, the known bound on the norm of theta*").above(0).at_most(1e9),
        Parameter::text("theta", "random", "theta*: random (direction), or p numbers"),
        Parameter::real("theta_norm", "", "norm of a random theta*; default: norm_bound").at_least(0),
        Parameter::text("draw", "trajectory", "random theta* and arms: one per trajectory, or one for the cell")
            .one_of({"trajectory", "cell"}),
        Parameter::text("adversary", "",
                        "who chooses the arms on offer: none, sign:K or best:K, from samples up to t - K; default: "
                        "none")}},
      {"noise",
       {Parameter::text("process", "sticky", "the noise; see `mixlab list noise`"),
        Parameter::real("sigma", "1", "scale: the noise is sigma times the process").above(0).at_most(1e9)}},
      {"policy",
       {Parameter::text("name", "mixing-linucb", "who plays; see `mixlab list policies`"),
        Parameter::text("set", default_word, "the set the policy plays with, or default: the policy's choice"),
        Parameter::text("delay", default_word,
                        "lag of the policy's data: rounds, auto (that of the sets), schedule:geometric, "
                        "schedule:algebraic or schedule:FACTOR (grows with t), or default: the policy's choice"),
        Parameter::text("lambda", default_word,
                        "regularisation of the policy's set, or default: sigma^2/B^2 (selfnorm: d times that)")}},
      {"confidence",
       {Parameter::real("delta", "0.05", "allowed probability of ever missing theta*").at_least(1e-100).below(1),
        Parameter::text("delay", "paper", "d of the monitored sets: a rule (`mixlab list delays`) or a number"),
        Parameter::text("monitor", "paper", "the sets to watch, blank-separated; see `mixlab list sets`"),
        Parameter::text("phi", "certified", "bias phi_d: certified, a number, or xFACTOR to misspecify it"),
        Parameter::text("lambda", default_word,
                        "regularisation of the monitored sets, or default: sigma^2/B^2 (selfnorm: d times that)")}},
  };
  return sections;
}

bool sweeps(const std::string& section, const std::string& key) {
  return section != "study" || key == "horizon";
}

/// A key that a cell may have; it points into the schema or the catalogue.
struct Slot {
  const std::string& section;
  const Parameter& parameter;
  std::string full_key() const { return section + "." + parameter.key(); }
};

const Entry& entry_for(Kind kind, const std::string& full_key, const std::string& name) {
  const Entry* entry = catalogue().find(kind, name);
  if (!entry) throw KeyError(full_key, "bad value for " + full_key + ": " + unknown_name(kind, name));
  return *entry;
}

/// The keys that apply to a cell of which `known` is already decided, in sweep order.
std::vector<Slot> slots_of(const Values& known) {
  std::vector<Slot> slots;
  const auto add = [&](const std::string& section, const std::vector<Parameter>& parameters) {
    for (const auto& parameter : parameters) slots.push_back({schema().find(section)->first, parameter});
  };
  const bool theta_is_given = known.has("problem.theta") && known.text("problem.theta") != "random";
  for (const char* section : {"study", "problem"})
    for (const auto& parameter : schema().at(section))
      if (sweeps(section, parameter.key()) && !(theta_is_given && parameter.key() == "theta_norm"))
        slots.push_back({schema().find(section)->first, parameter});
  add("noise", schema().at("noise"));
  if (known.has("noise.process"))
    add("noise", entry_for(Kind::noise, "noise.process", known.text("noise.process")).parameters);
  add("policy", schema().at("policy"));
  if (known.has("policy.name"))
    add("policy", entry_for(Kind::policies, "policy.name", known.text("policy.name")).parameters);
  add("confidence", schema().at("confidence"));
  std::vector<std::string> sets;
  if (known.has("confidence.monitor")) sets = split_blanks(known.text("confidence.monitor"));
  for (const auto& set : sets) add("confidence", entry_for(Kind::sets, "confidence.monitor", set).parameters);
  if (known.has("policy.set"))
    if (const Entry* entry = catalogue().find(Kind::sets, known.text("policy.set")))
      add("confidence", entry->parameters);
  return slots;
}

/// Every "section.key" that some study could have.
std::vector<std::string> all_known_keys() {
  std::vector<std::string> keys;
  for (const auto& [section, parameters] : schema())
    for (const auto& parameter : parameters) keys.push_back(section + "." + parameter.key());
  const auto add = [&](Kind kind, const std::string& section) {
    for (const auto& name : catalogue().names(kind))
      for (const auto& parameter : catalogue().find(kind, name)->parameters) {
        const std::string key = section + "." + parameter.key();
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
      }
  };
  add(Kind::noise, "noise");
  add(Kind::policies, "policy");
  add(Kind::sets, "confidence");
  return keys;
}

/// Whether a fixed key may say `default`.
bool takes_default(const std::string& section, const std::string& key) {
  const auto found = schema().find(section);
  if (found == schema().end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const Parameter& parameter) {
    return parameter.key() == key && parameter.fallback() == default_word;
  });
}

/// Blanks inside a value made one: "paper   oful" and "paper oful" are the same study.
std::string normalised(const Parameter& parameter, const std::string& section, const std::string& written) {
  if (parameter.type() != Parameter::Type::text) return to_text(parameter.parse(section, written));
  return join(split_blanks(written), " ");
}

/// The stem of the file name, fit to stand in a study file.
std::string name_from(const std::string& path) {
  std::string name = trim(std::filesystem::path(path).stem().string());
  for (char& c : name)
    if (c == '#' || static_cast<unsigned char>(c) < 0x20) c = '_';
  return name.empty() ? "study" : name;
}

/// As its reader would write it: 0.1 + 2 x 0.1 is 0.3.
std::string decimal_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.12g", value);
  return to_text(*parse_real(text));
}

/// The numbers of "first:last:step" or "log first:last:count"; nothing if `text` is of neither form.
std::vector<std::string> range_in(const std::string& text, const std::string& full_key) {
  const bool logarithmic = text.starts_with("log ");
  const auto pieces = split(logarithmic ? text.substr(4) : text, ':');
  std::vector<double> numbers;
  for (const auto& piece : pieces)
    if (const auto number = parse_real(piece)) numbers.push_back(*number);
  if (pieces.size() != 3 || numbers.size() != 3) return {};
  const double first = numbers[0], last = numbers[1], step = numbers[2];
  const double n_steps = logarithmic ? step - 1 : std::floor((last - first) / step + 1e-9);
  const bool is_sound =
      logarithmic ? first > 0 && last > 0 && first != last && n_steps >= 1 && step == std::floor(step) : n_steps >= 0;
  if (!is_sound || n_steps > largest_range)
    throw KeyError(full_key, "bad range in " + full_key + ": '" + text +
                                 "' (must be first:last:step or log first:last:count, from first to last in at most "
                                 "10000 steps); for instance 0.1:0.9:0.1 or log 1:1000:4");
  std::vector<std::string> values;
  for (double k = 0; k <= n_steps; ++k)
    values.push_back(decimal_text(logarithmic ? first * std::pow(last / first, k / n_steps) : first + k * step));
  return values;
}

/// The values a key is swept over: separated by commas, each a value or a range.
std::vector<std::string> alternatives_in(const std::string& written, const std::string& full_key) {
  std::vector<std::string> all;
  for (const auto& piece : split(written, ',')) {
    const auto range = range_in(piece, full_key);
    if (range.empty())
      all.push_back(piece);
    else
      all.insert(all.end(), range.begin(), range.end());
  }
  return all;
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

const std::vector<Parameter>& fixed_parameters(const std::string& section) {
  return schema().at(section);
}

std::string sweep_word(const std::string& full_key, const std::string& value) {
  const std::string key = full_key.substr(full_key.find('.') + 1);
  for (const char* speaks_for_itself : {"process", "name", "arms", "monitor"})
    if (key == speaks_for_itself) return value;
  return key + "=" + value;
}

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
      study_.effective_[full_key] = join(effective);
      return;
    }
    finish(known, point);
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

void Study::rethrow(const KeyError& error) const {
  const Assignment* assignment = file_.find(error.key);
  throw InputError((assignment ? assignment->origin : file_.path) + ": " + error.what());
}

const Expectation* Study::expectation(const std::string& set) const {
  for (const auto& expectation : expectations_)
    if (expectation.set == set) return &expectation;
  return nullptr;
}

std::string Study::effective_text() const {
  std::string text;
  auto sections = section_names;
  sections.push_back("expect");
  for (const auto& section : sections) {
    std::string body;
    for (const auto& [key, value] : effective_)
      if (key.starts_with(section + ".")) body += key.substr(section.size() + 1) + " = " + value + "\n";
    if (!body.empty()) text += "[" + section + "]\n" + body;
  }
  return text;
}

namespace {

bool changes_numbers(const std::string& key) {
  return key != "study.name" && key != "study.title" && key != "study.trajectories" && key != "study.part" &&
         key != "study.stop";
}

/// A key that is as good as not there, as it was not in earlier studies.
bool says_nothing(const std::string& key, const std::string& value) {
  return key == "problem.adversary" && value == "none";
}

/// A value as it enters the hash: `default` as `own`, so that studies keep the identity they were stored with.
std::string hashed_value(const std::string& full_key, const std::string& value) {
  const auto dot = full_key.find('.');
  if (!takes_default(full_key.substr(0, dot), full_key.substr(dot + 1))) return value;
  auto alternatives = split(value, ',');
  std::replace(alternatives.begin(), alternatives.end(), std::string(default_word), std::string(default_alias));
  return join(alternatives);
}

}  // namespace

std::string Study::hash() const {
  Hasher hasher;
  for (const auto& [key, value] : effective_) {
    if (!changes_numbers(key) || says_nothing(key, value)) continue;
    const std::string line = key + "=" + hashed_value(key, value) + "\n";
    hasher.add(line.data(), line.size());
  }
  return hasher.hex();
}

std::string Study::difference_from(const Study& other) const {
  std::string lines;
  std::set<std::string> keys;
  for (const auto& [key, value] : effective_) keys.insert(key);
  for (const auto& [key, value] : other.effective_) keys.insert(key);
  const auto value_in = [](const Study& study, const std::string& key) {
    const auto found = study.effective_.find(key);
    return found == study.effective_.end() ? std::string("not given") : found->second;
  };
  for (const auto& key : keys) {
    if (!changes_numbers(key)) continue;
    const std::string here = value_in(*this, key);
    const std::string there = value_in(other, key);
    if (here != there) lines += "  " + key + ": " + there + " there, " + here + " here\n";
  }
  return lines;
}

std::uint64_t environment_hash(const Cell& cell) {
  std::string text;
  for (const auto& [key, value] : cell.values)
    if ((key.starts_with("problem.") || key.starts_with("noise.")) && !says_nothing(key, to_text(value)))
      text += key + "=" + to_text(value) + "\n";
  return hash64(text);
}

}  // namespace mixlab::study
