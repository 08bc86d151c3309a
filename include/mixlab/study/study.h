// A study: typed, validated, swept into cells. A pure function of the study file and its overrides.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mixlab/core/catalogue.h"
#include "mixlab/core/error.h"
#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"
#include "mixlab/study/expectation.h"
#include "mixlab/study/study_file.h"

namespace mixlab::study {

/// The fixed keys of a section, in the order in which they sweep (last fastest).
const std::vector<Parameter>& fixed_parameters(const std::string& section);
inline const std::vector<std::string> section_names = {"study", "problem", "noise", "policy", "confidence"};

/// Value of a key that leaves the choice to the policy or the set; studies may also write `own`.
inline constexpr const char* default_word = "default";

/// One point of the sweep, every parameter that applies to it with its value.
struct Cell {
  int index = 0;
  Values values;                   ///< keys "section.key"
  std::string label;               ///< the swept values in words
  std::vector<std::string> sweep;  ///< values of Study::swept() as the study wrote them; "" where a key does not apply

  std::int64_t horizon() const { return values.integer("study.horizon"); }
  /// Names of the monitored sets.
  std::vector<std::string> monitor() const { return split_blanks(values.text("confidence.monitor")); }
};

class Study {
 public:
  /// Throws InputError naming file, line, key and remedy.
  explicit Study(StudyFile file);

  const std::string& name() const { return name_; }
  const std::string& title() const { return title_; }
  std::int64_t trajectories() const { return trajectories_; }
  std::uint64_t seed() const { return seed_; }
  int n_checkpoints() const { return n_checkpoints_; }
  /// Trajectories per part; 0: by the cost model.
  std::int64_t part() const { return part_; }
  const std::vector<Cell>& cells() const { return cells_; }
  /// Every set that some cell monitors, in order of first mention.
  const std::vector<std::string>& sets() const { return sets_; }
  /// Keys with several values, in sweep order.
  const std::vector<std::string>& swept() const { return swept_; }
  /// Everything of the catalogue that some cell uses.
  const std::vector<const Entry*>& entries() const { return entries_; }
  /// nullptr if the study says nothing about the set.
  const Expectation* expectation(const std::string& set) const;
  const StudyFile& file() const { return file_; }
  /// The files that the study names.
  const Attachments& files() const { return *file_.files; }

  /// Every key with its value as it takes effect, defaults included: keys "section.key". Not those whose default differs
  /// from cell to cell: left out, they mean the same again.
  const std::map<std::string, std::string>& effective() const { return effective_; }
  /// The effective study as a study file that gives the same study again.
  std::string effective_text() const;
  /// Whether a text, perhaps of an older mixlab, is this study as it takes effect.
  bool takes_effect_as(const StudyFile& text) const;
  /// Whether the default of a key that nobody gave differs from cell to cell.
  bool varies(const std::string& full_key) const { return varying_.contains(full_key); }
  /// Hash of every setting that can change a result. Not name, title, trajectories (may grow) or part.
  std::string hash() const;
  /// Whether `hash` is that, or what mixlab computed before: with the default of the last cell for every other.
  bool has_hash(const std::string& hash) const;
  /// "noise.rho: 0.9 there, 0.8 here" per line; empty if both are the same study.
  std::string difference_from(const Study& other) const;

  /// Throws InputError that names the place where `error.key` was given.
  [[noreturn]] void rethrow(const KeyError& error) const;

 private:
  class Reader;

  StudyFile file_;
  std::string name_;
  std::string title_;
  std::int64_t trajectories_ = 0;
  std::uint64_t seed_ = 0;
  int n_checkpoints_ = 0;
  std::int64_t part_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::string> sets_;
  std::vector<std::string> swept_;
  std::vector<const Entry*> entries_;
  std::vector<Expectation> expectations_;
  std::map<std::string, std::string> effective_;
  std::map<std::string, std::string> varying_;  ///< with the default of the last cell
};

/// A swept value in words: "rho=0.9", or the value alone where it is a name that speaks for itself ("linucb").
std::string sweep_word(const std::string& full_key, const std::string& value);

/// Key of the random streams of a cell: its [problem] and [noise], and nothing else.
std::uint64_t environment_hash(const Cell& cell);

}  // namespace mixlab::study
