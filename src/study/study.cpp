#include "mixlab/study/study.h"

#include <algorithm>
#include <set>

#include "mixlab/core/hash.h"
#include "mixlab/core/text.h"
#include "schema.h"

namespace mixlab::study {

std::string sweep_word(const std::string& full_key, const std::string& value) {
  const std::string key = full_key.substr(full_key.find('.') + 1);
  for (const char* speaks_for_itself : {"process", "name", "arms", "monitor"})
    if (key == speaks_for_itself) return value;
  return key + "=" + value;
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

std::string hash_of(const std::map<std::string, std::string>& effective) {
  Hasher hasher;
  for (const auto& [key, value] : effective) {
    if (!changes_numbers(key) || says_nothing(key, value)) continue;
    const std::string line = key + "=" + hashed_value(key, value) + "\n";
    hasher.add(line.data(), line.size());
  }
  return hasher.hex();
}

}  // namespace

bool Study::takes_effect_as(const StudyFile& text) const {
  if (!text.find("study.trajectories")) return false;
  return std::all_of(text.assignments.begin(), text.assignments.end(), [&](const Assignment& assignment) {
    const std::string key = assignment.full_key();
    const auto own = effective_.find(key);
    // Older mixlabs wrote the default of one of the cells, and `own` for `default`.
    return own == effective_.end() ? varies(key)
                                   : hashed_value(key, own->second) == hashed_value(key, assignment.value);
  });
}

std::string Study::hash() const {
  return hash_of(effective_);
}

bool Study::has_hash(const std::string& hash) const {
  auto former = effective_;
  former.insert(varying_.begin(), varying_.end());
  return hash == hash_of(effective_) || hash == hash_of(former);
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
