#pragma once

#include <algorithm>
#include <cstdint>

namespace mixlab::verdict {

/// An n in 1..largest with yes(n) and not yes(n - 1), or `largest` + 1.
template <class Predicate>
std::int64_t smallest(std::int64_t largest, const Predicate& yes) {
  std::int64_t high = 1;
  while (high <= largest && !yes(high)) high *= 2;
  std::int64_t low = high / 2;  // not yes, or 0
  high = std::min(high, largest + 1);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (yes(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace mixlab::verdict
