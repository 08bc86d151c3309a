// What is kept of a twisted path; its columns are the variables of a file of rare events.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "mixlab/engine/row.h"

namespace mixlab::rare {

/// Axis::set stands for the targets here: pairs of a set and a level.
struct PathRow {
  std::int32_t component = 0;
  std::vector<double> log_weight;
  std::vector<std::int32_t> first_crossing;

  static constexpr auto columns() {
    using engine::Axis;
    using engine::column;
    return std::tuple{
        column(&PathRow::component, "component", Axis::none, -1, "", "component of the mixture it was drawn from", 1),
        column(&PathRow::log_weight, "log_weight", Axis::set, std::numeric_limits<double>::quiet_NaN(), "1",
               "natural log of dP/dQ at the first crossing; -inf if there is none", 1),
        column(&PathRow::first_crossing, "first_crossing", Axis::set, -1, "round",
               "first t with theta* outside the set made for this level, 0 = never", 1),
    };
  }
  bool operator==(const PathRow&) const = default;
};

}  // namespace mixlab::rare
