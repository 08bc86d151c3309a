// When a round is stale: det V_{t-1} > 2 det V_{t-d(t)} (MATHEMATICS.md F.4).
#pragma once

#include <numbers>

namespace mixlab::engine {

/// Of log det, at most, between the data that a round was played with and those before it. With arms along the axes the
/// determinant is often exactly twice what it was, which is not stale, whichever way it is rounded.
inline constexpr double largest_fresh_growth = std::numbers::ln2 + 1e-9;

}  // namespace mixlab::engine
