// Laws of one independent draw, shared by the processes that are built from such draws.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "mixlab/core/parameter.h"
#include "mixlab/random/sampler.h"

namespace mixlab::noise {

enum class Shape { normal, sign, uniform };

/// A law of unit variance that is 1-sub-Gaussian (MATHEMATICS.md B.1).
struct UnitLaw {
  Shape shape;
  double (*draw)(std::uint64_t word);
  double largest;  ///< essential supremum of the absolute value
};

inline UnitLaw unit_law(const std::string& name) {
  if (name == "gaussian") return {Shape::normal, random::normal, std::numeric_limits<double>::infinity()};
  if (name == "rademacher") return {Shape::sign, random::sign, 1};
  return {Shape::uniform, [](std::uint64_t word) { return std::sqrt(3.0) * (2.0 * random::uniform(word) - 1.0); },
          std::sqrt(3.0)};
}

inline Parameter unit_law_parameter(const std::string& fallback, const std::string& help) {
  return Parameter::text("law", fallback, help).one_of({"gaussian", "rademacher", "uniform"});
}

/// An innovation in [-1, 1] whose sub-Gaussian proxy equals its variance s^2 (MATHEMATICS.md B.0).
struct BoundedLaw {
  Shape shape;
  double (*draw)(std::uint64_t word);
  double s;
  double largest = 1;
};

inline BoundedLaw bounded_law(const std::string& name) {
  if (name == "rademacher") return {Shape::sign, random::sign, 1};
  return {Shape::uniform, [](std::uint64_t word) { return 2.0 * random::uniform(word) - 1.0; }, 1 / std::sqrt(3.0)};
}

inline Parameter bounded_law_parameter() {
  return Parameter::text("law", "rademacher", "distribution of an innovation").one_of({"rademacher", "uniform"});
}

}  // namespace mixlab::noise
