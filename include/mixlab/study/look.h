// When a cell is looked at: after 64, 128, 256, ... of its trajectories, whatever the study, so that what a look says
// does not depend on parts, shards or growth (MATHEMATICS.md D.3).
#pragma once

#include <cstdint>
#include <vector>

namespace mixlab::study {

inline constexpr std::int64_t first_look = 64;

/// The first look after n trajectories.
constexpr std::int64_t look_after(std::int64_t n) {
  std::int64_t look = first_look;
  while (look <= n) look *= 2;
  return look;
}

/// All looks at n trajectories or fewer.
inline std::vector<std::int64_t> looks_until(std::int64_t n) {
  std::vector<std::int64_t> looks;
  for (std::int64_t look = first_look; look <= n; look *= 2) looks.push_back(look);
  return looks;
}

}  // namespace mixlab::study
