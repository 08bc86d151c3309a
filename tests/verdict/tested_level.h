// The delta and the error rate of the tests of evidence.
#pragma once

namespace mixlab::verdict {

inline constexpr double tested_delta = 0.05, tested_alpha = 0.05;

}  // namespace mixlab::verdict
