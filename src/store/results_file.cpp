#include "mixlab/store/results_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/stored_study.h"
#include "mixlab/store/version_one.h"
#include "mixlab/study/study.h"

namespace mixlab::store {
namespace {

constexpr std::int64_t rows_per_range = 8192;  ///< about
constexpr double rounding = 1e-9;              ///< relative, of what one mathematical library computes and another

Reader open_merged(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) && std::filesystem::is_directory(path + ".parts", error))
    throw InputError("no results yet: '" + path + "' (only parts of it are there, in " + path +
                     ".parts); run the study to its end, or take what there is: mixlab merge " + shell_word(path) +
                     " --partial");
  return open_guarded(path);
}

template <class T>
bool is_among(const std::vector<T>& all, const T& wanted) {
  return std::find(all.begin(), all.end(), wanted) != all.end();
}

/// Every parameter by the name of its variable: its value in each cell, of the type that it is stored in.
using Columns = std::map<std::string, std::vector<Value>>;

Columns parameter_columns(const Reader& file) {
  Columns columns;
  for (const auto& name : file.variables())
    for (const auto& section : study::section_names) {
      if (!name.starts_with(section + "_") || file.extent(name).size() != 1) continue;
      auto& column = columns[name];
      const auto keep = [&](const auto& values) { column.assign(values.begin(), values.end()); };
      if (file.is_text(name))
        keep(file.read_text(name));
      else if (file.type_name(name) == name_of(Type::int64))
        keep(file.read<std::int64_t>(name));
      else
        keep(file.read<double>(name));
    }
  return columns;
}

/// "noise.rho" for "noise_rho"
std::string key_of(std::string column) {
  column[column.find('_')] = '.';
  return column;
}

/// What stands in a column for a cell that does not have its key.
bool is_absent(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text->empty();
  if (const auto* number = std::get_if<double>(&value)) return std::isnan(*number);
  return std::get<std::int64_t>(value) == -1;
}

/// The values of a cell as they took effect, which expectations speak of.
Values resolved(const study::Cell& cell, const Columns& columns) {
  Values values = cell.values;
  for (const auto& [name, column] : columns) {
    const std::string key = key_of(name);
    const Value& stored = column.at(static_cast<std::size_t>(cell.index));
    if (values.has(key) || !is_absent(stored)) values.set(key, stored);
  }
  return values;
}

double number_in(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number ? *number : static_cast<double>(std::get<std::int64_t>(value));
}

/// Whether a file stores what the study says. What took effect in place of a word, such as the rounds that the rule
/// `paper` chose, does not follow from the study alone.
bool agree(const Value& said, const Value& stored) {
  const auto* stored_text = std::get_if<std::string>(&stored);
  if (const auto* text = std::get_if<std::string>(&said))
    return !stored_text || *text == study::default_word || split_blanks(*text) == split_blanks(*stored_text);
  if (stored_text) return false;
  const double a = number_in(said), b = number_in(stored);
  return a == b || std::abs(a - b) <= rounding * std::abs(a);  // tau follows from rho
}

/// Whether rows are of a program with entries of its own (engine/machine.h), whose names this one need not know.
bool has_own_entries(const std::string& numerics) {
  const auto pieces = split(numerics, ';');
  return std::any_of(pieces.begin(), pieces.end(), [](const std::string& piece) {
    return piece.starts_with("program ") || piece.find(" revision ") != std::string::npos;
  });
}

/// Whether the text has the keys that take effect: one that came after it is part of the hash all the same.
bool has_its_keys(const study::StudyFile& text, const study::Study& study) {
  const auto& effective = study.effective();
  return std::all_of(effective.begin(), effective.end(),
                     [&](const auto& each) { return each.first.starts_with("file.") || text.find(each.first); });
}

/// What a text says of a key that every study has, alternative by alternative. Throws KeyError.
std::vector<Value> alternatives_of(const study::StudyFile& text, const std::string& section, const std::string& key) {
  const auto& parameters = study::fixed_parameters(section);
  const auto parameter =
      std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& each) { return each.key() == key; });
  const auto* written = text.find(section + "." + key);
  std::vector<Value> values;
  for (const auto& piece : split(written ? written->value : parameter->fallback(), ','))
    values.push_back(parameter->parse(section, piece));
  return values;
}

/// A results file beside the study inside it. Throws InputError where they disagree.
class Comparison {
 public:
  explicit Comparison(const ResultsFile& results)
      : results_(results), file_(results.file()), sets_(results.sets()), rounds_(file_.read<std::int64_t>("round")) {}

  void with(const study::Study& study, const study::StudyFile& text) const {
    std::vector<std::int64_t> horizons;
    for (const auto& cell : study.cells()) horizons.push_back(cell.horizon());
    compare_axes(study.trajectories(), horizons, study.n_checkpoints(), study.sets());
    if (has_its_keys(text, study) && !study.has_hash(results_.study_hash()))
      disagree("its study_hash is of another study");
    const Columns columns = parameter_columns(file_);
    compare_parameters(study, text, columns);
    compare_expectations(study, columns);
    compare_places(study);
  }

  /// As far as the text goes without the names in it.
  void with(const study::StudyFile& text) const {
    for (const auto& assignment : text.assignments)
      if (assignment.section != "expect" && !is_among(study::section_names, assignment.section))
        disagree("there is no section [" + assignment.section + "]");
    const auto n = alternatives_of(text, "study", "trajectories"),
               rounds = alternatives_of(text, "study", "checkpoints");
    if (n.size() != 1 || rounds.size() != 1) disagree("trajectories and checkpoints cannot be swept");
    const auto horizons = file_.read<std::int64_t>("study_horizon");
    compare_alternatives(horizons, alternatives_of(text, "study", "horizon"));
    compare_alternatives(file_.read<double>("confidence_delta"), alternatives_of(text, "confidence", "delta"));
    std::vector<std::string> sets;
    for (const Value& monitor : alternatives_of(text, "confidence", "monitor"))
      for (const auto& set : split_blanks(std::get<std::string>(monitor)))
        if (!is_among(sets, set)) sets.push_back(set);
    compare_axes(std::get<std::int64_t>(n[0]), horizons, static_cast<int>(std::get<std::int64_t>(rounds[0])), sets);
  }

  [[noreturn]] void disagree(const std::string& why, const std::string& remedy = "restore or recompute it") const {
    throw InputError("results file and its study disagree: '" + results_.path() + "' (" + why + "); " + remedy);
  }

 private:
  void compare_axes(std::int64_t n_trajectories, const std::vector<std::int64_t>& horizons, int n_checkpoints,
                    const std::vector<std::string>& sets) const {
    std::set<std::int64_t> rounds;
    for (const std::int64_t horizon : std::set(horizons.begin(), horizons.end()))
      for (const std::int64_t t : study::checkpoints(horizon, n_checkpoints)) rounds.insert(t);
    if (results_.n_trajectories() != n_trajectories || sets_ != sets ||
        rounds_ != std::vector(rounds.begin(), rounds.end()) || file_.read<std::int64_t>("study_horizon") != horizons)
      disagree("its cells, rows, rounds or sets are not those of the study inside");
  }

  template <class T>
  void compare_alternatives(const std::vector<T>& of_cells, const std::vector<Value>& alternatives) const {
    for (const T value : of_cells)
      if (!is_among(alternatives, Value(value))) disagree(to_text(value) + " is not a value of the study inside");
  }

  void compare_parameters(const study::Study& study, const study::StudyFile& text, const Columns& columns) const {
    std::set<std::string> written;
    for (const auto& assignment : text.assignments) written.insert(assignment.full_key());
    for (const auto& cell : study.cells())
      for (const auto& [key, value] : cell.values) {
        const auto column = columns.find(column_name(key));
        if (column == columns.end() && written.contains(key)) disagree(column_name(key) + " is missing");
        if (column == columns.end() || agree(value, column->second.at(static_cast<std::size_t>(cell.index)))) continue;
        disagree(column_name(key) + " of cell " + std::to_string(cell.index) + " is not that of the study inside");
      }
  }

  /// What is expected without a word of the study follows from `guaranteed`, which it takes experiments to know.
  void compare_expectations(const study::Study& study, const Columns& columns) const {
    const auto expected = file_.read<std::uint8_t>("expected"), guaranteed = file_.read<std::uint8_t>("guaranteed");
    std::size_t at = 0;
    for (const auto& cell : study.cells()) {
      const auto monitor = cell.monitor();
      const Values values = resolved(cell, columns);
      for (const auto& set : sets_) {
        auto wanted = guaranteed[at] ? study::Expected::holds : study::Expected::any;
        if (const auto* expectation = study.expectation(set)) wanted = expectation->in(values, wanted);
        if (!is_among(monitor, set)) wanted = study::Expected::any;
        if (expected[at++] != static_cast<std::uint8_t>(wanted))
          disagree("what is expected of " + set + " in cell " + std::to_string(cell.index) +
                   " is not what the study inside says");
      }
    }
  }

  /// A radius is where the study has a checkpoint and watches the set. The rows have values at the same places, or are not
  /// sound (soundness.h).
  void compare_places(const study::Study& study) const {
    std::map<std::int64_t, std::vector<std::int64_t>> checkpoints;  // of a horizon
    for (const auto& cell : study.cells()) {
      auto& own = checkpoints[cell.horizon()];
      if (own.empty()) own = study::checkpoints(cell.horizon(), study.n_checkpoints());
      const auto monitor = cell.monitor();
      const auto radius2 =
          file_.read<double>("radius2", {static_cast<hsize_t>(cell.index), 0, 0}, {1, sets_.size(), rounds_.size()});
      auto value = radius2.begin();
      for (const auto& set : sets_) {
        const bool is_watched = is_among(monitor, set);
        for (const std::int64_t t : rounds_)
          if (std::isnan(*value++) == (is_watched && std::binary_search(own.begin(), own.end(), t)))
            disagree("the checkpoints or sets of cell " + std::to_string(cell.index) +
                     " are not those of the study inside");
      }
    }
  }

  const ResultsFile& results_;
  const Reader& file_;
  const std::vector<std::string> sets_;
  const std::vector<std::int64_t> rounds_;
};

}  // namespace

std::string column_name(const std::string& key) {
  std::string name = key;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

ResultsFile::ResultsFile(const std::string& path) : path_(path), file_(open_merged(path)) {
  if (file_.text_attribute("format") != results_format)
    throw InputError("not a results file: '" + path + "' (it is a " + file_.text_attribute("format") +
                     "); give the merged file, not one of its parts");
  version_ = known_version(file_, "results file");
  require_layout(file_, version_);
  if (sweep().size() != swept().size() * static_cast<std::size_t>(n_cells()))
    throw InputError("results file contradicts itself: '" + path +
                     "' (a value per cell is needed for each key of the attribute swept); restore or recompute it");
  require_own_study();
}

void ResultsFile::require_own_study() const {
  const Comparison comparison(*this);
  std::optional<study::StudyFile> text;
  std::optional<study::Study> study;
  try {
    text = study::parse_study_text(study_text(), path_, {}, {}, study::Source::stored);
    study.emplace(study_in(*this));
  } catch (const InputError& error) {
    if (!text || !has_own_entries(numerics()))
      comparison.disagree("the study inside cannot be read: " + std::string(error.what()),
                          "restore or recompute it, or read it with the program that wrote it");
  }
  try {
    if (study)
      comparison.with(*study, *text);
    else
      comparison.with(*text);
  } catch (const KeyError& error) {
    comparison.disagree(error.what());
  }
}

std::int64_t ResultsFile::n_cells() const {
  return static_cast<std::int64_t>(file_.extent("cell").at(0));
}
std::int64_t ResultsFile::n_trajectories() const {
  return static_cast<std::int64_t>(file_.extent("trajectory").at(0));
}

Attachments ResultsFile::files() const {
  Attachments files;
  for (const auto& name : file_.attributes())
    if (name.starts_with(file_attribute))
      files.add(name.substr(std::string(file_attribute).size()), file_.text_attribute(name));
  return files;
}

std::vector<std::string> ResultsFile::swept() const {
  return version_ < 2 ? version_one::swept(study_text(), path_) : split_blanks(file_.text_attribute("swept"));
}

std::vector<std::string> ResultsFile::sweep() const {
  if (version_ < 2) return version_one::sweep(*this);
  return file_.has("sweep") ? file_.read_text("sweep") : std::vector<std::string>{};
}

std::vector<std::string> ResultsFile::why_not_guaranteed() const {
  return version_ < 2 ? version_one::why_not_guaranteed(*this) : file_.read_text("why_not_guaranteed");
}

std::vector<std::string> ResultsFile::caveats() const {
  if (version_ < 2) return std::vector<std::string>(static_cast<std::size_t>(n_cells()));
  return file_.read_text("caveat");
}

std::vector<std::int64_t> ResultsFile::n_declared() const {
  if (version_ < 2) return std::vector<std::int64_t>(static_cast<std::size_t>(n_cells()), 0);
  return file_.read<std::int64_t>("n_declared");
}

std::vector<double> ResultsFile::exponent_in_horizon() const {
  return version_ < 2 ? version_one::exponent_in_horizon(*this) : file_.read<double>("exponent_in_horizon");
}

std::vector<double> ResultsFile::exponent_in_memory() const {
  return version_ < 2 ? version_one::exponent_in_memory(*this) : file_.read<double>("exponent_in_memory");
}

std::map<std::string, std::vector<std::string>> ResultsFile::parameters() const {
  std::map<std::string, std::vector<std::string>> columns;
  for (const auto& [name, values] : parameter_columns(file_))
    for (const Value& value : values) columns[key_of(name)].push_back(to_text(value));
  return columns;
}

study::RowRanges ResultsFile::completed() const {
  study::RowRanges rows;
  for (std::int64_t cell = 0; cell < n_cells(); ++cell)
    for_each_range([&](std::int64_t first, std::int64_t end) {
      const auto flags =
          file_.read<std::uint8_t>("completed", {static_cast<hsize_t>(cell), static_cast<hsize_t>(first)},
                                   {1, static_cast<hsize_t>(end - first)});
      const auto at = [&](std::int64_t i) { return flags[static_cast<std::size_t>(i - first)] == 1; };
      for (std::int64_t i = first; i < end;) {
        std::int64_t stop = i;
        while (stop < end && at(stop)) ++stop;
        rows.add(static_cast<int>(cell), i, stop);
        i = stop + 1;
      }
    });
  return rows;
}

void ResultsFile::for_each_range(const std::function<void(std::int64_t first, std::int64_t end)>& visit) const {
  const std::int64_t n = n_trajectories();
  const auto chunk = static_cast<std::int64_t>(file_.chunk("completed").at(1));
  const std::int64_t step = chunk * std::max<std::int64_t>(1, rows_per_range / chunk);
  for (std::int64_t first = 0; first < n; first += step) visit(first, std::min(n, first + step));
}

RowBlock ResultsFile::read(int cell, std::int64_t first, std::int64_t end) const {
  return read_rows<engine::Row>(file_, version_, {static_cast<hsize_t>(cell), static_cast<hsize_t>(first)},
                                {1, static_cast<hsize_t>(end - first)});
}

}  // namespace mixlab::store
