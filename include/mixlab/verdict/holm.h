#pragma once

#include <vector>

namespace mixlab::verdict {

/// Holm's adjusted p-values: rejecting those at most alpha keeps the probability of any false rejection below alpha,
/// however the tests depend on each other.
std::vector<double> holm(const std::vector<double>& p_values);

}  // namespace mixlab::verdict
