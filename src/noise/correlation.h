// The parameter of processes with geometric memory: rho, or tau with |rho| = exp(-1/tau).
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "mixlab/core/error.h"
#include "mixlab/core/parameter.h"

namespace mixlab::noise {

inline std::vector<Parameter> correlation_parameters() {
  return {Parameter::real("rho", "", "lag-one correlation; give rho or tau").above(-1).below(1),
          Parameter::real("tau", "", "mixing time 1/log(1/|rho|); give rho or tau").above(0).at_most(1e9)};
}

/// Exactly one of the two is given; fills in the other.
inline void complete_correlation(Values& parameters) {
  const bool has_rho = parameters.has("rho");
  if (has_rho == parameters.has("tau"))
    throw KeyError(
        has_rho ? "noise.tau" : "noise.process",
        std::string(has_rho ? "both noise.rho and noise.tau are given" : "neither noise.rho nor noise.tau is given") +
            " (must be exactly one, tau = 1/log(1/|rho|)); " + (has_rho ? "remove one" : "for instance rho = 0.9"));
  if (has_rho) {
    const double rho = std::abs(parameters.real("rho"));
    parameters.set("tau", rho == 0 ? 0.0 : -1.0 / std::log(rho));
  } else {
    parameters.set("rho", std::exp(-1.0 / parameters.real("tau")));
  }
}

/// Standard deviation of what an autoregression of unit variance owes to the innovations of m - l rounds, l rounds
/// later: the square root of rho^{2l} - rho^{2m} (F3).
inline double innovations_between(double rho, std::int64_t l, std::int64_t m) {
  const double rho2 = rho * rho;
  return std::sqrt(std::pow(rho2, static_cast<double>(l)) * (1 - std::pow(rho2, static_cast<double>(m - l))));
}

/// The sum of innovations_between(rho, l + j n, l + (j+1) n) over all j >= 0.
inline double innovations_from(double rho, std::int64_t l, std::int64_t n) {
  return innovations_between(rho, l, l + n) / (1 - std::pow(std::abs(rho), static_cast<double>(n)));
}

}  // namespace mixlab::noise
