// Laws of one independent draw, shared by the processes that are built from such draws.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "mixlab/core/parameter.h"
#include "mixlab/random/sampler.h"

namespace mixlab::noise {

enum class Shape { normal, sign, uniform };

/// A draw for each word, by `draw` one after the other.
template <double (*draw)(std::uint64_t word)>
void draw_each(std::span<const std::uint64_t> words, std::span<double> out) {
  for (std::size_t i = 0; i < words.size(); ++i) out[i] = draw(words[i]);
}

/// A law of unit variance that is 1-sub-Gaussian (MATHEMATICS.md B.1).
struct UnitLaw {
  Shape shape;
  double (*draw)(std::uint64_t word);
  double largest;  ///< essential supremum of the absolute value
  /// A draw for each word.
  void (*draw_all)(std::span<const std::uint64_t> words, std::span<double> out);
};

inline double uniform_of_unit_variance(std::uint64_t word) {
  return std::sqrt(3.0) * (2.0 * random::uniform(word) - 1.0);
}

inline UnitLaw unit_law(const std::string& name) {
  if (name == "gaussian")
    return {Shape::normal, random::normal, std::numeric_limits<double>::infinity(), random::normals};
  if (name == "rademacher") return {Shape::sign, random::sign, 1, draw_each<random::sign>};
  return {Shape::uniform, uniform_of_unit_variance, std::sqrt(3.0), draw_each<uniform_of_unit_variance>};
}

/// A draw for each of the next words of a stream.
inline void draw_all(const UnitLaw& law, random::Stream& stream, std::span<double> out) {
  std::array<std::uint64_t, 128> words;
  for (std::size_t first = 0; first < out.size(); first += words.size()) {
    const std::size_t n = std::min(words.size(), out.size() - first);
    for (std::size_t i = 0; i < n; ++i) words[i] = stream.next();
    law.draw_all(std::span(words).first(n), out.subspan(first, n));
  }
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
