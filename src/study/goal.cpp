#include "mixlab/study/goal.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mixlab::study {

Goal::Goal(const Study& study) : wanted_(study.cells().size(), study.trajectories()), due_(wanted_) {}

Goal::Goal(std::vector<std::int64_t> wanted, std::vector<std::int64_t> due)
    : wanted_(std::move(wanted)), due_(std::move(due)) {}

std::int64_t Goal::wanted() const {
  return std::accumulate(wanted_.begin(), wanted_.end(), std::int64_t{0});
}

std::int64_t Goal::n_stopped_before(std::int64_t n) const {
  return std::count_if(wanted_.begin(), wanted_.end(), [&](std::int64_t wanted) { return wanted < n; });
}

std::int64_t Goal::missing(const RowRanges& rows) const {
  std::int64_t n = 0;
  for (std::int64_t cell = 0; cell < n_cells(); ++cell)
    for (const auto& [first, end] : rows.missing(static_cast<int>(cell), 0, wanted(cell))) n += end - first;
  return n;
}

}  // namespace mixlab::study
