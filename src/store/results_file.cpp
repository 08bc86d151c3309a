#include "mixlab/store/results_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>

#include "mixlab/core/stop.h"
#include "mixlab/core/error.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/provenance.h"
#include "mixlab/store/scratch.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {
namespace {

constexpr std::int64_t rows_a_chunk = 4096;
// of the largest variable: what merging and reading hold in memory; more only for the sake of the other variables
constexpr double bytes_a_chunk = 1 << 19, most_bytes_a_chunk = 1 << 24;
constexpr double least_rows_a_chunk = 64;
constexpr const char* file_attribute = "file:";  // + path: the text of a file that the study names
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// In place of the values of a row that was not run.
template <class T>
constexpr T not_run = -1;
template <>
constexpr double not_run<double> = nan;

/// Throws InputError unless all that the program reads from a results file is there, and of one size.
void require_layout(const Reader& file) {
  require_rows(file, {"cell", "trajectory"});
  file.require("completed", Type::uint8, {"cell", "trajectory"});
  file.require("guaranteed", Type::uint8, {"cell", "set"});
  file.require("expected", Type::uint8, {"cell", "set"});
  file.require("bound_vacuous", Type::uint8, {"cell"});
  file.require("confidence_delta", Type::float64, {"cell"});
  file.require("study_horizon", Type::int64, {"cell"});
  for (const auto& name : file.variables())
    for (const auto& section : study::section_names)
      if (name.starts_with(section + "_")) file.require_extent(name, {"cell"});
  file.require("radius2", Type::float64, {"cell", "set", "round"});
  for (const char* name : {"bound_worst_case", "bound_gap", "bound_potential"})
    file.require(name, Type::float64, {"cell", "round"});
  file.require_text("label", {"cell"});
  file.require_text("set", {"set"});
}

template <class T>
std::size_t position(const std::vector<T>& all, const T& wanted) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), wanted) - all.begin());
}

std::vector<std::string> names_of(const std::vector<engine::MonitoredSet>& sets) {
  std::vector<std::string> names;
  for (const auto& set : sets) names.push_back(set.name);
  return names;
}

std::int64_t rows_in_chunk(std::int64_t n_rows, std::size_t n_rounds) {
  const double row = 8.0 * static_cast<double>(n_rounds);
  const auto fitting =
      static_cast<std::int64_t>(std::max(bytes_a_chunk / row, std::min(least_rows_a_chunk, most_bytes_a_chunk / row)));
  return std::min(n_rows, std::clamp<std::int64_t>(fitting, 1, rows_a_chunk));
}

/// Writes one results file, piece by piece.
class Assembly {
 public:
  Assembly(Writer& file, const ResultsContents& contents)
      : file_(file),
        contents_(contents),
        experiments_(contents.experiments),
        rounds_(all_rounds(contents.experiments)),
        sets_(contents.study.sets()),
        n_rows_(contents.study.trajectories()),
        chunk_(rows_in_chunk(n_rows_, rounds_.size())) {}

  void write() {
    attributes();
    dimensions();
    row_variables();
    cell_variables();
    parameters();
    rows();
  }

 private:
  void attributes() {
    const study::Study& study = contents_.study;
    file_.attribute("title", study.title());
    file_.attribute("name", study.name());
    file_.attribute("format", results_format);
    file_.attribute("format_version", results_version);
    file_.attribute("seed", std::to_string(study.seed()));
    file_.attribute("study", study.effective_text());
    file_.attribute("study_hash", study.hash());
    file_.attribute("study_file", study.file().text);
    std::string overrides;
    for (const auto& text : study.file().overrides) overrides += text + "\n";
    file_.attribute("study_overrides", overrides);
    for (const auto& [path, text] : study.files().all()) file_.attribute(file_attribute + path, text);
    for (const auto& [name, text] : program_provenance()) file_.attribute(name, text);
    file_.attribute("numerics", contents_.numerics);
    for (const auto& [name, text] : summarise_runs(contents_.runs)) file_.attribute(name, text);
    file_.attribute("runs", contents_.runs);
  }

  void dimensions() {
    file_.dimension("cell", 0, static_cast<std::int64_t>(experiments_.size()), "cell of the study");
    file_.dimension("trajectory", 0, n_rows_, "trajectory number");
    file_.dimension("round", rounds_, "round t");
    file_.dimension("set", sets_, "confidence set");
  }

  void row_variables() {
    const std::vector<std::string> leading = {"cell", "trajectory"};
    const Extent chunk = {1, static_cast<hsize_t>(chunk_)};
    for_each_column([&]<class T>(const RowColumn& column, std::vector<T> RowBlock::*) {
      Extent whole_rows = chunk;
      if (*column.last) whole_rows.push_back(n_last(column));
      file_.variable(column.name, type_of<T>(), column.dimensions(leading),
                     {.chunk = whole_rows, .fill = &not_run<T>, .attributes = {{"long_name", column.meaning}}});
    });
    file_.variable("completed", Type::uint8, leading,
                   {.chunk = chunk, .attributes = {{"long_name", "1 where the row was run"}}});
  }

  /// Values of a column a row.
  std::size_t n_last(const RowColumn& column) const {
    const std::string last = column.last;
    return last == "round" ? rounds_.size() : last == "set" ? sets_.size() : 1;
  }

  // What belongs to a cell rather than to its trajectories.
  void cell_variables() {
    const std::size_t n_cells = experiments_.size();
    std::vector<std::uint8_t> guaranteed(n_cells * sets_.size(), 0);
    std::vector<std::uint8_t> expected(n_cells * sets_.size(), 0);
    std::vector<double> radius2(n_cells * sets_.size() * rounds_.size(), nan);
    std::vector<double> worst_case(n_cells * rounds_.size(), nan);
    std::vector<double> gap(worst_case);
    std::vector<double> potential(worst_case);
    std::string reasons;
    for (std::size_t c = 0; c < n_cells; ++c) {
      const engine::Experiment& experiment = experiments_[c];
      for (const auto& monitored : experiment.sets) {
        const std::size_t at = c * sets_.size() + position(sets_, monitored.name);
        guaranteed[at] = monitored.why_not_guaranteed.empty();
        expected[at] = static_cast<std::uint8_t>(monitored.expected);
        if (!guaranteed[at])
          reasons += std::to_string(c) + " " + monitored.name + ": " + monitored.why_not_guaranteed + "\n";
        for (const std::int64_t t : experiment.checkpoints)
          radius2[at * rounds_.size() + position(rounds_, t)] = experiment.largest_radius2(*monitored.set, t);
      }
      for (const std::int64_t t : experiment.checkpoints) {
        const std::size_t at = c * rounds_.size() + position(rounds_, t);
        worst_case[at] = experiment.worst_case_bound(t);
        gap[at] = experiment.gap_bound(t);
        potential[at] = bandit::potential_bound(experiment.bound_constants(), t);
      }
    }
    file_.variable(
        "guaranteed", Type::uint8, {"cell", "set"},
        {.attributes = {{"long_name", "1 where the theory covers the set for the policy that collected the data"},
                        {"flag_meanings", "not_guaranteed guaranteed"},
                        {"reasons", reasons}}});
    file_.write("guaranteed", Type::uint8, guaranteed.data());
    file_.variable("expected", Type::uint8, {"cell", "set"},
                   {.attributes = {{"long_name", "what the study expects"}, {"flag_meanings", "any holds broken"}}});
    file_.write("expected", Type::uint8, expected.data());
    std::vector<std::uint8_t> vacuous;
    for (const auto& experiment : experiments_) vacuous.push_back(experiment.bound_is_vacuous());
    file_.variable("bound_vacuous", Type::uint8, {"cell"},
                   {.attributes = {{"long_name", "1 where the worst-case theorem at the horizon is not below 2BT"}}});
    file_.write("bound_vacuous", Type::uint8, vacuous.data());
    using Span = std::span<const double>;
    file_.put<double>("bound_worst_case", {"cell", "round"}, Span(worst_case), "worst-case regret theorem", &nan);
    file_.put<double>("bound_gap", {"cell", "round"}, Span(gap), "gap-dependent regret theorem", &nan);
    file_.put<double>("bound_potential", {"cell", "round"}, Span(potential), "delayed elliptical potential lemma",
                      &nan);
    file_.put<double>("radius2", {"cell", "set", "round"}, Span(radius2),
                      "squared radius (largest possible where it depends on data)", &nan);
  }

  void parameters() {
    std::vector<std::string> labels;
    std::map<std::string, Value> sample;  // key -> a value, for its type
    for (const auto& experiment : experiments_) {
      labels.push_back(experiment.cell.label);
      for (const auto& [key, value] : experiment.cell.values) sample.emplace(key, value);
    }
    file_.put("label", {"cell"}, labels, "the cell in words");
    for (const auto& [key, value] : sample) {
      std::string name = key;
      std::replace(name.begin(), name.end(), '.', '_');
      if (std::holds_alternative<std::string>(value))
        file_.put(name, {"cell"}, column<std::string>(key, ""), key);
      else if (std::holds_alternative<double>(value))
        file_.put<double>(name, {"cell"}, std::span<const double>(column<double>(key, nan)), key);
      else
        file_.put<std::int64_t>(name, {"cell"}, std::span<const std::int64_t>(column<std::int64_t>(key, -1)), key);
    }
  }

  template <class T>
  std::vector<T> column(const std::string& key, const T& absent) const {
    std::vector<T> values;
    for (const auto& experiment : experiments_)
      values.push_back(experiment.cell.values.has(key) ? std::get<T>(experiment.cell.values.at(key)) : absent);
    return values;
  }

  // Chunk by chunk, so that each is compressed once and memory stays flat.
  void rows() {
    std::map<int, std::vector<const RowSource*>> by_cell;
    for (const auto& source : contents_.sources) by_cell[source.part.cell].push_back(&source);
    for (auto& [cell, sources] : by_cell)
      std::sort(sources.begin(), sources.end(), [](auto* a, auto* b) { return a->part.first < b->part.first; });
    study::Rows old_rows;
    if (contents_.old) old_rows = contents_.old->completed();
    for (std::size_t c = 0; c < experiments_.size(); ++c) {
      const auto cell = static_cast<int>(c);
      for (std::int64_t first = 0; first < n_rows_; first += chunk_) {
        Stop::check();
        const std::int64_t end = std::min(first + chunk_, n_rows_);
        Chunk chunk(*this, cell, first, end);
        study::Rows filled;
        chunk.take_old(old_rows, filled);
        for (const RowSource* source : by_cell[cell])
          if (source->part.first < end && source->part.end > first) chunk.take(*source, filled);
        chunk.write();
      }
    }
  }

  /// The rows first..end-1 of a cell, in memory.
  class Chunk {
   public:
    Chunk(Assembly& assembly, int cell, std::int64_t first, std::int64_t end)
        : a_(assembly), cell_(cell), first_(first), end_(end) {
      const auto n = static_cast<std::size_t>(a_.chunk_);
      for_each_column([&]<class T>(const RowColumn& column, std::vector<T> RowBlock::*member) {
        (block_.*member).assign(n * a_.n_last(column), not_run<T>);
      });
      completed_.assign(n, 0);
      const auto& experiment = a_.experiments_[static_cast<std::size_t>(cell)];
      for (const std::int64_t t : experiment.checkpoints) own_rounds_.push_back(position(a_.rounds_, t));
      for (const auto& name : names_of(experiment.sets)) own_sets_.push_back(position(a_.sets_, name));
      all_rounds_.resize(a_.rounds_.size());
      all_sets_.resize(a_.sets_.size());
      std::iota(all_rounds_.begin(), all_rounds_.end(), std::size_t{0});
      std::iota(all_sets_.begin(), all_sets_.end(), std::size_t{0});
    }

    void take_old(const study::Rows& old_rows, study::Rows& filled) {
      if (!a_.contents_.old) return;
      const std::int64_t end = std::min(end_, a_.contents_.old->n_trajectories());
      std::int64_t at = first_;
      const auto take_range = [&](std::int64_t from, std::int64_t to) {
        if (from >= to) return;
        place(a_.contents_.old->read(cell_, from, to), from, to, all_rounds_, all_sets_);
        filled.add(cell_, from, to);
      };
      for (const auto& [hole_first, hole_end] : old_rows.missing(cell_, first_, end)) {
        take_range(at, hole_first);
        at = hole_end;
      }
      take_range(at, end);
    }

    void take(const RowSource& source, study::Rows& filled) {
      const std::int64_t first = std::max(first_, source.part.first);
      const std::int64_t end = std::min(end_, source.part.end);
      for (const auto& [from, to] : filled.missing(cell_, first, end)) {
        place(read_part(source.path, source.part, from, to), from, to, own_rounds_, own_sets_);
        filled.add(cell_, from, to);
      }
    }

    void write() {
      const Extent start = {static_cast<hsize_t>(cell_), static_cast<hsize_t>(first_)};
      for_each_column([&]<class T>(const RowColumn& column, std::vector<T> RowBlock::*member) {
        Extent whole_rows = start;
        if (*column.last) whole_rows.push_back(0);
        a_.file_.write_chunk(column.name, whole_rows, std::span<const T>(block_.*member));
      });
      a_.file_.write_chunk("completed", start, std::span<const std::uint8_t>(completed_));
    }

   private:
    /// Copies rows from..to-1; `rounds` and `sets` say where the columns of `source` belong.
    void place(const RowBlock& source, std::int64_t from, std::int64_t to, const std::vector<std::size_t>& rounds,
               const std::vector<std::size_t>& sets) {
      const auto first = static_cast<std::size_t>(from - first_), n = static_cast<std::size_t>(to - from);
      const std::vector<std::size_t> single = {0};
      for_each_column([&]<class T>(const RowColumn& column, std::vector<T> RowBlock::*member) {
        const std::string last = column.last;
        const auto& places = last == "round" ? rounds : last == "set" ? sets : single;
        const T* value = (source.*member).data();
        T* row = (block_.*member).data() + first * a_.n_last(column);
        for (std::size_t i = 0; i < n; ++i, row += a_.n_last(column))
          for (const std::size_t at : places) row[at] = *value++;
      });
      std::fill_n(completed_.begin() + static_cast<std::ptrdiff_t>(first), n, std::uint8_t{1});
    }

    Assembly& a_;
    int cell_;
    std::int64_t first_;
    std::int64_t end_;
    RowBlock block_;
    std::vector<std::uint8_t> completed_;
    std::vector<std::size_t> own_rounds_, own_sets_, all_rounds_, all_sets_;
  };

  Writer& file_;
  const ResultsContents& contents_;
  const std::vector<engine::Experiment>& experiments_;
  std::vector<std::int64_t> rounds_;
  std::vector<std::string> sets_;
  std::int64_t n_rows_;
  std::int64_t chunk_;
};

Reader open_merged(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) && std::filesystem::is_directory(path + ".parts", error))
    throw InputError("no results yet: '" + path + "' (only parts of it are there, in " + path +
                     ".parts); run the study to its end, or take what there is: mixlab merge " + path + " --partial");
  return open_guarded(path);
}

}  // namespace

ResultsFile::ResultsFile(const std::string& path) : path_(path), file_(open_merged(path)) {
  if (file_.text_attribute("format") != results_format)
    throw InputError("not a results file: '" + path + "' (it is a " + file_.text_attribute("format") +
                     "); give the merged file, not one of its parts");
  if (const std::int64_t version = file_.integer_attribute("format_version"); version > results_version)
    throw InputError("results file of a newer mixlab: '" + path + "' (format version " + std::to_string(version) +
                     ", this program knows " + std::to_string(results_version) + "); update mixlab");
  require_layout(file_);
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

study::Rows ResultsFile::completed() const {
  study::Rows rows;
  const std::int64_t n = n_trajectories();
  for (std::int64_t cell = 0; cell < n_cells(); ++cell) {
    for (std::int64_t first = 0; first < n; first += rows_a_chunk) {
      const std::int64_t end = std::min(n, first + rows_a_chunk);
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
    }
  }
  return rows;
}

RowBlock ResultsFile::read(int cell, std::int64_t first, std::int64_t end) const {
  return read_rows(file_, {static_cast<hsize_t>(cell), static_cast<hsize_t>(first)},
                   {1, static_cast<hsize_t>(end - first)});
}

void write_results(const std::string& path, const ResultsContents& contents) {
  Temporary made(temporary_name(scratch_for(path, results_size(contents.study, contents.experiments)) + "/" +
                                std::filesystem::path(path).filename().string()));
  {
    Writer file = Writer::on_disk(made.path(), seal_size);
    Assembly(file, contents).write();
    file.close();
  }
  seal(made, path);
}

double row_size(const study::Study& study, const std::vector<engine::Experiment>& experiments) {
  return 8.0 * static_cast<double>(all_rounds(experiments).size()) + 28.0 * static_cast<double>(study.sets().size()) +
         13;
}

double results_size(const study::Study& study, const std::vector<engine::Experiment>& experiments) {
  const double n_rows = static_cast<double>(study.trajectories()) * static_cast<double>(experiments.size());
  return row_size(study, experiments) * n_rows + 1e5;
}

std::vector<std::int64_t> all_rounds(const std::vector<engine::Experiment>& experiments) {
  std::set<std::int64_t> rounds;
  for (const auto& experiment : experiments)
    rounds.insert(experiment.checkpoints.begin(), experiment.checkpoints.end());
  return {rounds.begin(), rounds.end()};
}

}  // namespace mixlab::store
