// What a study expects of a confidence set, cell by cell: "any; holds if noise.rho=0; broken if noise.rho>=0.9".
#pragma once

#include <string>
#include <vector>

#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"

namespace mixlab::study {

enum class Expected { any, holds, broken };

std::string name_of(Expected expected);

struct Condition {
  std::string key;  ///< "section.key"
  std::string comparison;
  std::string value;

  bool is_order() const;  ///< < <= > or >=
  /// Whether it holds where the key has the value `actual`; numbers are compared as numbers.
  bool holds_of(const std::string& actual) const;
};

struct Clause {
  Expected expected = Expected::any;
  std::vector<Condition> conditions;  ///< all must hold; none: always
};

struct Expectation {
  std::string set;
  std::vector<Clause> clauses;

  /// The last matching clause wins; `fallback` if none matches. A condition on a key that the cell lacks is false.
  Expected in(const Values& cell, Expected fallback) const;
};

/// Throws KeyError for expect.SET.
Expectation parse_expectation(const std::string& set, const std::string& text);

}  // namespace mixlab::study
