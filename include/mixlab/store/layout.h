// The variables of a results file: one table for the writer's attributes, for the reader's checks, for
// `mixlab describe format` and for the tests that compare analysis/FORMAT.md and the Python reader with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/store/hdf5_reader.h"

namespace mixlab::store {

inline constexpr const char* results_format = "mixlab results";
/// Of results and parts. Older versions stay readable; a variable says since when it is there.
inline constexpr std::int64_t format_version = 3;

struct Variable {
  std::string name;
  std::vector<std::string> dimensions;
  Type type = Type::float64;
  std::string unit;
  std::string meaning;
  std::int64_t since = 1;
  bool optional = false;  ///< absent where the study gives no occasion
};

/// Dimensions, row columns and what belongs to cells; not the parameters, which depend on the study.
const std::vector<Variable>& results_layout();
/// Throws std::logic_error if there is none of that name.
const Variable& layout_of(const std::string& name);

/// The attribute format_version; throws InputError if this program does not know that version. `what`: "results file"
std::int64_t known_version(const Reader& file, const char* what);
/// Throws InputError unless the file has every variable of its version, with its type, over its dimensions.
void require_layout(const Reader& file, std::int64_t version);

}  // namespace mixlab::store
