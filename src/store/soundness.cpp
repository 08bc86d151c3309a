#include "mixlab/store/soundness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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

/// The p-value of a set without bounds, whose bias is infinite, is infinite too.
bool may_be_infinite(const std::string& name) {
  return name.ends_with("log10_p");
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
  if constexpr (std::is_integral_v<T>)
    return is_wanted ? value >= 0 && value <= horizon : value == column.not_run;
  else if (!is_wanted)
    return std::isnan(value);
  else
    return std::isfinite(value) || (may_be_infinite(column.name) && value > 0);
}

/// Whether all values are such as any row may have that was run; quick, as nearly always they are.
template <class T>
bool are_ordinary(const std::vector<T>& values, std::int64_t horizon) {
  bool ordinary = true;
  if constexpr (std::is_integral_v<T>)
    for (const T value : values) ordinary &= value >= 0 && value <= horizon;
  else
    for (const T value : values) ordinary &= std::abs(value) <= std::numeric_limits<T>::max();
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
    if (all_run && all_of(wanted) && are_ordinary(values, horizon)) return;
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
  const Places all{Flags(rounds.size(), 1), Flags(sets.size(), 1)};
  const hsize_t step = rows_per_block(1, rounds.size(), sets.size());
  for_each_block(file.extent("trajectory"), step, [&](const Extent& start, const Extent& count) {
    require_sound(read_rows<engine::Row>(file, version, start, count), version, Flags(count[0], 1), all, rounds.back());
  });
  return column_names(version);
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

/// The checkpoints of a cell and the sets that it watches, as one of its rows has them: all others must agree.
Places places_of(const RowBlock& block, std::size_t row, const std::vector<std::int64_t>& rounds,
                 std::int64_t horizon) {
  Places places;
  const auto& regret = block.of(&engine::Row::regret);
  const auto& escapes = block.of(&engine::Row::first_violation);
  const std::size_t n_sets = escapes.size() * rounds.size() / regret.size();
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    places.rounds.push_back(!std::isnan(regret[row * rounds.size() + i]));
    if (rounds[i] == horizon && !places.rounds.back()) fail("regret", " missing at the horizon");
  }
  for (std::size_t s = 0; s < n_sets; ++s) places.sets.push_back(escapes[row * n_sets + s] >= 0);
  return places;
}

std::set<std::string> require_sound_results(const Reader& file, std::int64_t version) {
  require_layout(file, version);
  const auto rounds = file.read<std::int64_t>("round"), horizons = file.read<std::int64_t>("study_horizon");
  const std::size_t n_sets = file.extent("set").at(0);
  require_sound_cells(file, version, rounds, horizons);
  const hsize_t n_rows = file.extent("trajectory").at(0);
  const hsize_t chunk = std::clamp<hsize_t>(file.chunk("completed").at(1), 1, std::max<hsize_t>(1, n_rows));
  const hsize_t step = rows_per_block(chunk, rounds.size(), n_sets);
  const Places nothing{Flags(rounds.size()), Flags(n_sets)};
  for (std::size_t cell = 0; cell < horizons.size(); ++cell) {
    std::optional<Places> places;
    for (hsize_t first = 0; first < n_rows; first += step) {
      const Extent start = {cell, first}, count = {1, std::min(step, n_rows - first)};
      const auto completed = file.read<std::uint8_t>("completed", start, count);
      if (std::any_of(completed.begin(), completed.end(), [](std::uint8_t flag) { return flag > 1; }))
        fail("completed", " out of range");
      const RowBlock block = read_rows<engine::Row>(file, version, start, count);
      const auto run = std::find(completed.begin(), completed.end(), 1);
      if (!places && run != completed.end())
        places.emplace(places_of(block, static_cast<std::size_t>(run - completed.begin()), rounds, horizons[cell]));
      require_sound(block, version, completed, places ? *places : nothing, horizons[cell]);
    }
  }
  auto names = column_names(version);
  names.insert("completed");
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
                     ", which no trajectory gives); restore or recompute it");
  }
  return {};
}

}  // namespace mixlab::store
