#include "mixlab/store/results_writer.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "mixlab/core/stop.h"
#include "mixlab/core/text.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/provenance.h"
#include "mixlab/store/scratch.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/study/goal.h"

namespace mixlab::store {
namespace {

constexpr std::int64_t most_rows_per_chunk = 4096;
// Of the largest variable: what merging and reading hold in memory; raised only so that small variables keep
// reasonable chunks.
constexpr double bytes_per_chunk = 1 << 19, most_bytes_per_chunk = 1 << 24;
constexpr double least_rows_per_chunk = 64;
constexpr double results_overhead = 1e5;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
std::size_t position(const std::vector<T>& all, const T& wanted) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), wanted) - all.begin());
}

std::int64_t rows_per_chunk(std::int64_t n_rows, std::size_t n_rounds) {
  const double row = 8.0 * static_cast<double>(n_rounds);
  const auto fitting = static_cast<std::int64_t>(
      std::max(bytes_per_chunk / row, std::min(least_rows_per_chunk, most_bytes_per_chunk / row)));
  return std::min(n_rows, std::clamp<std::int64_t>(fitting, 1, most_rows_per_chunk));
}

/// Writes one results file, piece by piece.
class Assembly {
 public:
  Assembly(Writer& file, const ResultsContents& contents)
      : file_(file),
        contents_(contents),
        cells_(contents.cells),
        rounds_(engine::all_rounds(contents.cells)),
        sets_(contents.study.sets()),
        n_rows_(contents.study.trajectories()),
        chunk_(rows_per_chunk(n_rows_, rounds_.size())) {}

  void write() {
    attributes();
    dimensions();
    row_variables();
    set_variables();
    bound_variables();
    cell_variables();
    parameters();
    rows();
    put<std::int64_t>("n_run", n_run_);
  }

 private:
  void attributes() {
    const study::Study& study = contents_.study;
    file_.attribute("title", study.title());
    file_.attribute("name", study.name());
    file_.attribute("format", results_format);
    file_.attribute("format_version", format_version);
    file_.attribute("seed", std::to_string(study.seed()));
    file_.attribute("study", study.effective_text());
    file_.attribute("study_hash", study.hash());
    file_.attribute("study_file", study.file().text);
    file_.attribute("study_overrides", join(study.file().overrides, "", [](const auto& line) { return line + "\n"; }));
    file_.attribute("swept", join(study.swept(), " "));
    for (const auto& [path, text] : study.files().all()) file_.attribute(file_attribute + path, text);
    for (const auto& [name, text] : program_provenance()) file_.attribute(name, text);
    file_.attribute("numerics", contents_.numerics);
    for (const auto& [name, text] : summarise_runs(contents_.runs)) file_.attribute(name, text);
    file_.attribute("runs", contents_.runs);
  }

  void dimensions() {
    file_.dimension("cell", 0, static_cast<std::int64_t>(cells_.size()), layout_of("cell").meaning);
    file_.dimension("trajectory", 0, n_rows_, layout_of("trajectory").meaning);
    file_.dimension("round", rounds_, layout_of("round").meaning);
    file_.dimension("set", sets_, layout_of("set").meaning);
    if (!contents_.study.swept().empty()) file_.dimension("swept", contents_.study.swept(), layout_of("swept").meaning);
  }

  void row_variables() {
    const std::vector<std::string> leading = {"cell", "trajectory"};
    const Extent chunk = {1, static_cast<hsize_t>(chunk_)};
    engine::for_each_column<engine::Row>([&]<class Column>(const Column& column) {
      file_.variable(column.name, type_of<typename Column::Element>(), dimensions_of(column.axis, leading),
                     {.chunk = with_axis(chunk, column.axis, n_along(column.axis)),
                      .fill = &column.not_run,
                      .attributes = {{"long_name", column.meaning}, {"units", column.unit}}});
    });
    file_.variable("completed", Type::uint8, leading,
                   {.chunk = chunk, .attributes = {{"long_name", layout_of("completed").meaning}}});
  }

  std::size_t n_along(Axis axis) const {
    return axis == Axis::round ? rounds_.size() : axis == Axis::set ? sets_.size() : 1;
  }

  /// A variable of the layout with its data.
  template <class T>
  void put(const std::string& name, const std::vector<T>& data, const T* fill = nullptr) {
    const Variable& variable = layout_of(name);
    file_.put<T>(name, variable.dimensions, std::span<const T>(data), variable.meaning, fill);
  }
  void put(const std::string& name, const std::vector<std::string>& data) {
    const Variable& variable = layout_of(name);
    file_.put(name, variable.dimensions, data, variable.meaning);
  }

  void set_variables() {
    const std::size_t n = cells_.size() * sets_.size();
    std::vector<std::uint8_t> guaranteed(n, 0), expected(n, 0);
    std::vector<std::string> why_not(n);
    std::vector<double> radius2(n * rounds_.size(), nan);
    for (std::size_t c = 0; c < cells_.size(); ++c)
      for (const auto& set : cells_[c].sets) {
        const std::size_t at = c * sets_.size() + position(sets_, set.name);
        guaranteed[at] = set.why_not_guaranteed.empty();
        expected[at] = static_cast<std::uint8_t>(set.expected);
        why_not[at] = set.why_not_guaranteed;
        for (std::size_t i = 0; i < cells_[c].checkpoints.size(); ++i)
          radius2[at * rounds_.size() + position(rounds_, cells_[c].checkpoints[i])] = set.radius2[i];
      }
    put("guaranteed", guaranteed);
    put("why_not_guaranteed", why_not);
    put("expected", expected);
    put("radius2", radius2, &nan);
  }

  void bound_variables() {
    put("bound_worst_case", at_rounds(&engine::CellFacts::bound_worst_case), &nan);
    put("bound_gap", at_rounds(&engine::CellFacts::bound_gap), &nan);
    put("bound_potential", at_rounds(&engine::CellFacts::bound_potential), &nan);
    put("bound_fresh_potential", at_rounds(&engine::CellFacts::bound_fresh_potential), &nan);
    put("bound_stale_rounds", at_rounds(&engine::CellFacts::bound_stale_rounds), &nan);
    put("bound_vacuous", of_cells<std::uint8_t>([](const auto& cell) { return cell.bound_vacuous; }));
  }

  void cell_variables() {
    put("n_declared", std::vector(cells_.size(), contents_.n_declared));
    put("exponent_in_horizon", of_cells<double>([](const auto& cell) { return cell.exponent_in_horizon; }), &nan);
    put("exponent_in_memory", of_cells<double>([](const auto& cell) { return cell.exponent_in_memory; }), &nan);
    put("label", of_cells<std::string>([](const auto& cell) { return cell.label; }));
    put("caveat", of_cells<std::string>([](const auto& cell) { return cell.caveat; }));
    std::vector<std::string> sweep;
    for (const auto& cell : cells_) sweep.insert(sweep.end(), cell.sweep.begin(), cell.sweep.end());
    if (!sweep.empty()) put("sweep", sweep);
  }

  std::vector<double> at_rounds(std::vector<double> engine::CellFacts::*member) const {
    std::vector<double> all(cells_.size() * rounds_.size(), nan);
    for (std::size_t c = 0; c < cells_.size(); ++c)
      for (std::size_t i = 0; i < cells_[c].checkpoints.size(); ++i)
        all[c * rounds_.size() + position(rounds_, cells_[c].checkpoints[i])] = (cells_[c].*member)[i];
    return all;
  }

  template <class T, class Get>
  std::vector<T> of_cells(Get get) const {
    std::vector<T> all;
    for (const auto& cell : cells_) all.push_back(static_cast<T>(get(cell)));
    return all;
  }

  void parameters() {
    std::map<std::string, Value> sample;  // key -> a value, for its type
    for (const auto& cell : cells_)
      for (const auto& [key, value] : cell.values) sample.emplace(key, value);
    for (const auto& [key, value] : sample) {
      const std::string name = column_name(key);
      if (std::holds_alternative<std::string>(value))
        file_.put(name, {"cell"}, parameter<std::string>(key, ""), key);
      else if (std::holds_alternative<double>(value))
        file_.put<double>(name, {"cell"}, std::span<const double>(parameter<double>(key, nan)), key);
      else
        file_.put<std::int64_t>(name, {"cell"}, std::span<const std::int64_t>(parameter<std::int64_t>(key, -1)), key);
    }
  }

  template <class T>
  std::vector<T> parameter(const std::string& key, const T& absent) const {
    return of_cells<T>(
        [&](const auto& cell) { return cell.values.has(key) ? std::get<T>(cell.values.at(key)) : absent; });
  }

  // Chunk by chunk, so that each is compressed once and memory stays flat.
  void rows() {
    std::map<int, std::vector<const RowSource*>> by_cell;
    for (const auto& source : contents_.sources) by_cell[source.part.cell].push_back(&source);
    for (auto& [cell, sources] : by_cell)
      std::sort(sources.begin(), sources.end(), [](auto* a, auto* b) { return a->part.first < b->part.first; });
    study::RowRanges old_rows;
    if (contents_.old) old_rows = contents_.old->completed();
    n_run_.assign(cells_.size(), 0);
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const auto cell = static_cast<int>(c);
      for (std::int64_t first = 0; first < n_rows_; first += chunk_) {
        Stop::check();
        const std::int64_t end = std::min(first + chunk_, n_rows_);
        Chunk chunk(*this, cell, first, end);
        study::RowRanges filled;
        chunk.take_old(old_rows, filled);
        for (const RowSource* source : by_cell[cell])
          if (source->part.first < end && source->part.end > first) chunk.take(*source, filled);
        chunk.write();
        n_run_[c] += filled.count();
      }
    }
  }

  /// Kept open until another is wanted: several chunks may begin in one part.
  const PartFile& open(const RowSource& source) {
    if (!part_ || part_->path() != source.path) part_.emplace(source.path, source.part, contents_.study);
    return *part_;
  }

  /// The rows first..end-1 of a cell, in memory.
  class Chunk {
   public:
    Chunk(Assembly& assembly, int cell, std::int64_t first, std::int64_t end)
        : a_(assembly), cell_(cell), first_(first), end_(end) {
      const auto n = static_cast<std::size_t>(a_.chunk_);
      block_.for_each(
          [&](const auto& column, auto& array) { array.assign(n * a_.n_along(column.axis), column.not_run); });
      completed_.assign(n, 0);
      const auto& facts = a_.cells_[static_cast<std::size_t>(cell)];
      for (const std::int64_t t : facts.checkpoints) own_.rounds.push_back(position(a_.rounds_, t));
      for (const auto& name : facts.set_names()) own_.sets.push_back(position(a_.sets_, name));
      all_.rounds.resize(a_.rounds_.size());
      all_.sets.resize(a_.sets_.size());
      std::iota(all_.rounds.begin(), all_.rounds.end(), std::size_t{0});
      std::iota(all_.sets.begin(), all_.sets.end(), std::size_t{0});
    }

    void take_old(const study::RowRanges& old_rows, study::RowRanges& filled) {
      if (!a_.contents_.old) return;
      const std::int64_t end = std::min(end_, a_.contents_.old->n_trajectories());
      std::int64_t at = first_;
      const auto take_range = [&](std::int64_t from, std::int64_t to) {
        if (from >= to) return;
        place(a_.contents_.old->read(cell_, from, to), from, to, all_);
        filled.add(cell_, from, to);
      };
      for (const auto& [hole_first, hole_end] : old_rows.missing(cell_, first_, end)) {
        take_range(at, hole_first);
        at = hole_end;
      }
      take_range(at, end);
    }

    void take(const RowSource& source, study::RowRanges& filled) {
      const std::int64_t first = std::max(first_, source.part.first);
      const std::int64_t end = std::min(end_, source.part.end);
      for (const auto& [from, to] : filled.missing(cell_, first, end)) {
        place(a_.open(source).read(from, to), from, to, own_);
        filled.add(cell_, from, to);
      }
    }

    void write() {
      const Extent start = {static_cast<hsize_t>(cell_), static_cast<hsize_t>(first_)};
      block_.for_each([&]<class T>(const auto& column, const std::vector<T>& array) {
        a_.file_.write_chunk(column.name, with_axis(start, column.axis, 0), std::span<const T>(array));
      });
      a_.file_.write_chunk("completed", start, std::span<const std::uint8_t>(completed_));
    }

   private:
    /// Where the columns of a source belong in the file's.
    struct Places {
      std::vector<std::size_t> rounds, sets;
      const std::vector<std::size_t> single = {0};
      const std::vector<std::size_t>& along(Axis axis) const {
        return axis == Axis::round ? rounds : axis == Axis::set ? sets : single;
      }
    };

    /// Copies rows from..to-1.
    void place(const RowBlock& source, std::int64_t from, std::int64_t to, const Places& places) {
      const auto first = static_cast<std::size_t>(from - first_), n = static_cast<std::size_t>(to - from);
      RowBlock::for_each_pair(source, block_, [&](const auto& column, const auto& values, auto& array) {
        const std::size_t width = a_.n_along(column.axis);
        auto value = values.begin();
        auto row = array.begin() + static_cast<std::ptrdiff_t>(first * width);
        for (std::size_t i = 0; i < n; ++i, row += static_cast<std::ptrdiff_t>(width))
          for (const std::size_t at : places.along(column.axis)) row[static_cast<std::ptrdiff_t>(at)] = *value++;
      });
      std::fill_n(completed_.begin() + static_cast<std::ptrdiff_t>(first), n, std::uint8_t{1});
    }

    Assembly& a_;
    int cell_;
    std::int64_t first_;
    std::int64_t end_;
    RowBlock block_;
    std::vector<std::uint8_t> completed_;
    Places own_, all_;  ///< of the cell's own parts, of a merged file
  };

  Writer& file_;
  const ResultsContents& contents_;
  const std::vector<engine::CellFacts>& cells_;
  std::vector<std::int64_t> rounds_;
  std::vector<std::string> sets_;
  std::int64_t n_rows_;
  std::int64_t chunk_;
  std::vector<std::int64_t> n_run_;
  std::optional<PartFile> part_;
};

}  // namespace

void write_results(const std::string& path, const ResultsContents& contents) {
  Temporary made(scratch_for(path, results_size(contents.study, contents.cells)) + "/" +
                 std::filesystem::path(path).filename().string());
  {
    Writer file = Writer::on_disk(made.file(), path);
    Assembly(file, contents).write();
    file.close();
  }
  seal(made, path);
}

double row_size(const study::Study& study, const std::vector<engine::CellFacts>& cells) {
  constexpr double completed = 1;
  return bytes_per_row<engine::Row>(engine::all_rounds(cells).size(), study.sets().size()) + completed;
}

double results_size(const study::Study& study, const std::vector<engine::CellFacts>& cells) {
  return row_size(study, cells) * static_cast<double>(study::Goal(study).wanted()) + results_overhead;
}

}  // namespace mixlab::store
