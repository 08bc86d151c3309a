// Many small populations with a known answer: right on average, and their intervals cover.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "mixlab/rare/estimate.h"
#include "mixlab/rare/survey.h"

namespace mixlab::rare {

/// Asked for the long forms of the tests.
inline bool long_form() {
  return std::getenv("MIXLAB_SOAK") != nullptr;
}

/// The mean of all is within 5 standard errors of the truth (false alarm 6e-7); the ratio of the two.
inline double ratio_to(double truth, const std::string& method, const std::vector<Repetition>& populations,
                       std::size_t level) {
  const Estimate estimate = estimate_repetitions(method, populations, level, Estimate::none);
  const double ratio = std::pow(10, estimate.log10_estimate) / truth;
  BOOST_TEST_MESSAGE(method << ", exact " << truth << ": mean/exact " << ratio << ", relative error "
                            << estimate.relative_error << ", z " << (ratio - 1) / estimate.relative_error << ", "
                            << estimate.paths << " paths, " << estimate.hits << " of " << populations.size()
                            << " populations found some");
  BOOST_TEST(std::abs(ratio - 1) < 5 * estimate.relative_error);
  BOOST_TEST(estimate.relative_error < 0.3);
  return ratio;
}

/// In groups as a survey has them: of those that call themselves reliable 92 % or more cover the truth. Of 500 that is missed
/// with probability 2e-3 if coverage is 95 %; but the seed is that of the study, so the outcome is always the same.
inline void intervals_cover(double truth, const std::string& method, const std::vector<Repetition>& populations,
                            std::size_t level) {
  int groups = 0, reliable = 0, covering = 0;
  for (auto at = populations.begin(); populations.end() - at >= Question::n_populations; ++groups) {
    const std::vector<Repetition> group(at, at + Question::n_populations);
    at += Question::n_populations;
    const Estimate estimate = estimate_repetitions(method, group, level, Estimate::none);
    reliable += estimate.reliable;
    covering +=
        estimate.reliable && estimate.log10_low <= std::log10(truth) && std::log10(truth) <= estimate.log10_high;
  }
  BOOST_TEST_MESSAGE(method << ", exact " << truth << ": of " << groups << " runs " << reliable
                            << " call themselves reliable, " << covering << " of them cover");
  BOOST_TEST(reliable >= 100);  // or nothing is said
  BOOST_TEST(covering >= 0.92 * reliable);
}

}  // namespace mixlab::rare
