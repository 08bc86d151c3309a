// What is kept of a trajectory. Every column is named once, in Row::columns(): blocks of rows, part files, the merged
// file, size estimates, comparisons, exports, `mixlab describe format` and the tests of analysis/FORMAT.md and of the
// Python reader follow that table.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace mixlab::engine {

/// What the values of a column stand over beside the trajectory: nothing, the checkpoints or the monitored sets.
enum class Axis { none, round, set };

/// What a row that was run may hold; a file with anything else is refused.
enum class Range {
  ordinary,         ///< a finite number; a whole one from 0 to the horizon
  not_negative,     ///< the same, not below 0
  above_minus_inf,  ///< also plus infinity
  any,
};

template <class Member>
struct ElementOf {
  using Type = Member;
};
template <class T>
struct ElementOf<std::vector<T>> {
  using Type = T;
};

template <class Row, class Member>
struct Column {
  using Element = typename ElementOf<Member>::Type;

  Member Row::*member;
  const char* name;
  Axis axis;
  Element not_run;  ///< in place of the values of a row that was not run, and of columns that an old file lacks
  const char* unit;
  const char* meaning;
  int since;  ///< first version of the file format that has it
  Range range = Range::ordinary;

  std::span<const Element> values(const Row& row) const {
    if constexpr (std::is_same_v<Member, Element>)
      return {&(row.*member), 1};
    else
      return row.*member;
  }
  /// Adds a value to a row that is being assembled.
  void append(Row& row, Element value) const {
    if constexpr (std::is_same_v<Member, Element>)
      row.*member = value;
    else
      (row.*member).push_back(value);
  }
};

template <class Row, class Member>
constexpr auto column(Member Row::*member, const char* name, Axis axis,
                      std::type_identity_t<typename ElementOf<Member>::Type> not_run, const char* unit,
                      const char* meaning, int since, Range range = Range::ordinary) {
  return Column<Row, Member>{member, name, axis, not_run, unit, meaning, since, range};
}

/// visit(column), column by column.
template <class Row, class Visit>
constexpr void for_each_column(Visit&& visit) {
  std::apply([&](const auto&... columns) { (visit(columns), ...); }, Row::columns());
}

struct Row {
  std::vector<double> regret;
  std::vector<std::int32_t> first_violation;
  std::vector<double> log10_p;
  std::vector<double> horizon_log10_p;
  std::vector<double> sup_ratio;
  double potential = 0;
  double fresh_potential = 0;
  std::int32_t stale_rounds = 0;
  std::int32_t first_bound_violation = 0;

  static constexpr auto columns() {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return std::tuple{
        column(&Row::regret, "regret", Axis::round, nan, "reward",
               "cumulative pseudo-regret; NaN at rounds that are no checkpoint of the cell", 1),
        column(&Row::first_violation, "first_violation", Axis::set, -1, "round",
               "first t with theta* outside C_t, 0 = never, -1 = not run or not watched in this cell", 1),
        column(&Row::log10_p, "log10_p", Axis::set, nan, "1", "log10 of the anytime p-value, not clipped at 0", 1,
               Range::above_minus_inf),  // plus infinity for a set without bounds
        column(&Row::horizon_log10_p, "horizon_log10_p", Axis::set, nan, "1",
               "log10 of the p-value of the last set C_T alone, not clipped at 0: theta* is outside it where this is "
               "below log10(delta)",
               1, Range::above_minus_inf),
        column(&Row::sup_ratio, "sup_ratio", Axis::set, nan, "1", "sup over t of q_t/beta_t^2; above 1 is a miss", 1,
               Range::not_negative),
        column(&Row::potential, "potential", Axis::none, nan, "1",
               "sum over t > lag of min(1, norm^2 of X_t in the inverse of V_{t-lag})", 1, Range::not_negative),
        column(&Row::fresh_potential, "fresh_potential", Axis::none, nan, "1",
               "the same over the rounds that are not stale", 3, Range::not_negative),
        column(&Row::stale_rounds, "stale_rounds", Axis::none, -1, "1",
               "rounds t > lag with det V_{t-1} > 2 det V_{t-lag}, -1 = not run", 3),
        column(&Row::first_bound_violation, "first_bound_violation", Axis::none, -1, "round",
               "first t with regret above the worst-case theorem, 0 = never (also where no theorem applies), -1 = not "
               "run",
               1),
    };
  }

  bool operator==(const Row&) const = default;
};

/// Bit for bit: NaN equals NaN, 0 differs from -0.
template <class Row>
bool same_bits(const Row& a, const Row& b) {
  bool same = true;
  for_each_column<Row>([&](const auto& column) {
    const auto left = column.values(a), right = column.values(b);
    same = same && left.size() == right.size() && std::memcmp(left.data(), right.data(), left.size_bytes()) == 0;
  });
  return same;
}

}  // namespace mixlab::engine
