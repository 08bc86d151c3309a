#include "mixlab/store/soundness.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mixlab/core/error.h"
#include "mixlab/store/layout.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/row_block.h"

namespace mixlab::store {
namespace {

constexpr hsize_t elements_per_block = 1 << 18;  ///< of one variable

/// What is wrong with the file at hand.
struct Unsound {
  std::string what;
};

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw Unsound{name + what};
}

using Flags = std::vector<std::uint8_t>;

/// Where a value must be, and where there must be none, along the axis of a column.
struct Places {
  Flags rounds, sets;
  const Flags single = {1};
  const Flags& along(Axis axis) const { return axis == Axis::round ? rounds : axis == Axis::set ? sets : single; }
};

/// Rows of an older program have nothing in the columns that came after it.
template <class Column, class T>
bool is_older(const Column& column, T value) {
  if constexpr (std::is_integral_v<T>)
    return column.since > 1 && value == column.not_run;
  else
    return column.since > 1 && std::isnan(value);
}

template <class Column, class T>
bool is_sound(const Column& column, T value, bool is_wanted, std::int64_t horizon) {
  if constexpr (std::is_integral_v<T>) {
    if (!is_wanted) return value == column.not_run;
    return column.range == engine::Range::any || (value >= 0 && value <= horizon);
  } else {
    if (!is_wanted) return std::isnan(value);
    if (column.range == engine::Range::any || (column.range == engine::Range::above_minus_inf && value > 0))
      return true;
    return std::isfinite(value) && (column.range != engine::Range::not_negative || value >= 0);
  }
}

/// Whether all values are such as any row may have that was run; quick, as nearly always they are.
template <class Column, class T>
bool are_ordinary(const Column& column, const std::vector<T>& values, std::int64_t horizon) {
  bool ordinary = true;
  if constexpr (std::is_integral_v<T>) {
    for (const T value : values) ordinary &= value >= 0 && value <= horizon;
  } else {
    const T most = std::numeric_limits<T>::max(), least = column.range == engine::Range::not_negative ? 0 : -most;
    for (const T value : values) ordinary &= value >= least && value <= most;
  }
  return ordinary;
}

bool all_of(const Flags& flags) {
  return std::find(flags.begin(), flags.end(), 0) == flags.end();
}

/// Rows one after the other; those of which `is_run` is 0 hold nothing.
void require_sound(const RowBlock& block, std::int64_t version, const Flags& is_run, const Places& places,
                   std::int64_t horizon) {
  const bool all_run = all_of(is_run);
  block.for_each([&](const auto& column, const auto& values) {
    if (column.since > version) return;
    const Flags& wanted = places.along(column.axis);
    if (all_run && all_of(wanted) && are_ordinary(column, values, horizon)) return;
    auto value = values.begin();
    for (const std::uint8_t row_is_run : is_run)
      for (const std::uint8_t is_wanted : wanted) {
        if (!is_sound(column, *value, row_is_run && is_wanted, horizon) && !is_older(column, *value))
          fail(column.name, " out of range");
        ++value;
      }
  });
}

void require_ascending(const std::vector<std::int64_t>& rounds) {
  for (std::size_t i = 0; i < rounds.size(); ++i)
    if (rounds[i] <= (i == 0 ? 0 : rounds[i - 1])) fail("round", "s that do not ascend from 1 on");
  if (rounds.empty()) fail("round", "s are missing");
}

/// Coordinates that count from `first`.
void require_counted(const Reader& file, const char* dimension, std::int64_t first) {
  for_each_block(file.extent(dimension), elements_per_block, [&](const Extent& start, const Extent& count) {
    std::int64_t next = first + static_cast<std::int64_t>(start[0]);
    for (const std::int64_t number : file.read<std::int64_t>(dimension, start, count))
      if (number != next++) fail(dimension, " numbers that do not count up");
  });
}

void require_names(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  if (names.empty() || names.front().empty() || std::adjacent_find(names.begin(), names.end()) != names.end())
    fail("set", "s without a name of their own");
}

std::set<std::string> column_names(std::int64_t version) {
  std::set<std::string> names;
  engine::for_each_column<engine::Row>([&](const auto& column) {
    if (column.since <= version) names.insert(column.name);
  });
  return names;
}

/// Rows to read at once: whole chunks, few enough that they fit into memory.
hsize_t rows_per_block(hsize_t chunk, hsize_t n_rounds, hsize_t n_sets) {
  return chunk * std::max<hsize_t>(1, elements_per_block / (chunk * std::max(n_rounds, n_sets)));
}

std::set<std::string> require_sound_part(const Reader& file, std::int64_t version) {
  require_rows<engine::Row>(file, version, {"trajectory"});
  const auto rounds = file.read<std::int64_t>("round");
  const auto sets = file.read_text("set");
  require_ascending(rounds);
  require_names(sets);
  if (version >= 2 && file.integer_attribute("n_declared") < 0) fail("n_declared", " below 0");
  const std::int64_t first = file.integer_attribute("first"), end = file.integer_attribute("end");
  if (first < 0 || end <= first || static_cast<hsize_t>(end - first) != file.extent("trajectory").at(0))
    fail("trajectory", " numbers of another range");
  require_counted(file, "trajectory", first);
  const Places all{Flags(rounds.size(), 1), Flags(sets.size(), 1)};
  const hsize_t step = rows_per_block(1, rounds.size(), sets.size());
  for_each_block(file.extent("trajectory"), step, [&](const Extent& start, const Extent& count) {
    require_sound(read_rows<engine::Row>(file, version, start, count), version, Flags(count[0], 1), all, rounds.back());
  });
  auto names = column_names(version);
  names.insert("trajectory");
  return names;
}

void require_at_most(const Reader& file, const char* name, std::uint8_t most) {
  for (const std::uint8_t value : file.read<std::uint8_t>(name))
    if (value > most) fail(name, " out of range");
}

/// What a results file says of its cells, apart from their rows.
void require_sound_cells(const Reader& file, std::int64_t version, const std::vector<std::int64_t>& rounds,
                         const std::vector<std::int64_t>& horizons) {
  require_ascending(rounds);
  require_names(file.read_text("set"));
  for (const char* dimension : {"cell", "trajectory"}) require_counted(file, dimension, 0);
  for (const std::int64_t horizon : horizons)
    if (!std::binary_search(rounds.begin(), rounds.end(), horizon)) fail("study_horizon", " that is no round");
  for (const double delta : file.read<double>("confidence_delta"))
    if (!(delta > 0 && delta < 1)) fail("confidence_delta", " out of (0, 1)");
  if (version >= 2) {
    const auto n_rows = static_cast<std::int64_t>(file.extent("trajectory").at(0));
    for (const std::int64_t n : file.read<std::int64_t>("n_declared"))
      if (n < 0 || n > n_rows) fail("n_declared", " out of range");
  }
  require_at_most(file, "expected", 2);
  for (const char* flag : {"guaranteed", "bound_vacuous"}) require_at_most(file, flag, 1);
}

/// The checkpoints of a cell and the sets that it watches, as its radii have them: its rows and bounds must agree. A radius
/// may be infinite.
Places places_of(const Reader& file, hsize_t cell, const std::vector<std::int64_t>& rounds, std::size_t n_sets,
                 std::int64_t horizon) {
  const auto radius2 = file.read<double>("radius2", {cell, 0, 0}, {1, n_sets, rounds.size()});
  Places places{Flags(rounds.size()), Flags(n_sets)};
  for (std::size_t i = 0; i < radius2.size(); ++i)
    if (!std::isnan(radius2[i])) places.sets[i / rounds.size()] = places.rounds[i % rounds.size()] = 1;
  for (std::size_t i = 0; i < radius2.size(); ++i)
    if (places.sets[i / rounds.size()] && places.rounds[i % rounds.size()] && !(radius2[i] >= 0))
      fail("radius2", " missing or below 0");
  for (std::size_t i = 0; i < rounds.size(); ++i)
    if (rounds[i] == horizon && !places.rounds[i]) fail("radius2", " missing at the horizon");
  return places;
}

/// The right-hand side of a theorem, which has to apply, or of a lemma about every cell.
struct Bound {
  const char* name;
  enum class Applies { perhaps, always } applies;
};
constexpr Bound bounds_of_cells[] = {{"bound_worst_case", Bound::Applies::perhaps},
                                     {"bound_gap", Bound::Applies::perhaps},
                                     {"bound_potential", Bound::Applies::perhaps},
                                     {"bound_fresh_potential", Bound::Applies::always},
                                     {"bound_stale_rounds", Bound::Applies::always}};

void require_sound_bounds(const Reader& file, std::int64_t version, hsize_t cell, const Places& places) {
  for (const Bound& bound : bounds_of_cells) {
    if (layout_of(bound.name).since > version) continue;
    const auto values = file.read<double>(bound.name, {cell, 0}, {1, places.rounds.size()});
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool may_be_nan = !places.rounds[i] || bound.applies == Bound::Applies::perhaps;
      if (std::isnan(values[i]) ? !may_be_nan : !places.rounds[i] || values[i] < 0) fail(bound.name, " out of range");
    }
  }
}

/// The rows of one cell; returns how many were run.
std::int64_t require_sound_rows(const Reader& file, std::int64_t version, hsize_t cell, const Places& places,
                                std::int64_t horizon) {
  const hsize_t n_rows = file.extent("trajectory").at(0);
  const hsize_t chunk = std::clamp<hsize_t>(file.chunk("completed").at(1), 1, std::max<hsize_t>(1, n_rows));
  const hsize_t step = rows_per_block(chunk, places.rounds.size(), places.sets.size());
  std::int64_t n_run = 0;
  for (hsize_t first = 0; first < n_rows; first += step) {
    const Extent start = {cell, first}, count = {1, std::min(step, n_rows - first)};
    const auto completed = file.read<std::uint8_t>("completed", start, count);
    if (std::any_of(completed.begin(), completed.end(), [](std::uint8_t flag) { return flag > 1; }))
      fail("completed", " out of range");
    n_run += std::count(completed.begin(), completed.end(), 1);
    require_sound(read_rows<engine::Row>(file, version, start, count), version, completed, places, horizon);
  }
  return n_run;
}

std::set<std::string> require_sound_results(const Reader& file, std::int64_t version) {
  require_layout(file, version);
  const auto rounds = file.read<std::int64_t>("round"), horizons = file.read<std::int64_t>("study_horizon");
  require_sound_cells(file, version, rounds, horizons);
  const std::size_t n_sets = file.extent("set").at(0);
  std::vector<std::int64_t> n_run;
  for (std::size_t cell = 0; cell < horizons.size(); ++cell) {
    const Places places = places_of(file, cell, rounds, n_sets, horizons[cell]);
    require_sound_bounds(file, version, cell, places);
    n_run.push_back(require_sound_rows(file, version, cell, places, horizons[cell]));
  }
  if (version >= 2 && file.read<std::int64_t>("n_run") != n_run)
    fail("n_run", " that is not the number of completed rows");
  auto names = column_names(version);
  names.insert({"completed", "radius2", "cell", "trajectory"});
  return names;
}

}  // namespace

std::set<std::string> require_sound(const Reader& file) {
  if (!file.has_attribute("format") || !file.has_attribute("format_version")) return {};
  const std::string format = file.text_attribute("format");
  const std::int64_t version = file.integer_attribute("format_version");
  if (version < 1 || version > format_version) return {};
  try {
    if (format == part_format) return require_sound_part(file, version);
    if (format == results_format) return require_sound_results(file, version);
  } catch (const Unsound& found) {
    throw InputError("not the rows of a study: '" + file.path() + "' (" + found.what +
                     ", which no study gives); restore or recompute it");
  }
  return {};
}

}  // namespace mixlab::store
