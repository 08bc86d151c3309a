// Rows and cells whose values no study gives: NaN or infinite regret, escapes before the first round or after the last, sets
// with a radius that are not watched in a row, negative bounds, rows that are counted wrongly. A good seal does not rule them
// out, only a look does.
#pragma once

#include <set>
#include <string>

#include "mixlab/store/hdf5_reader.h"

namespace mixlab::store {

/// Throws InputError unless the rows of a part or results file of a version that we know are sound. Returns the names of
/// the variables that it has read whole: none for other files.
std::set<std::string> require_sound(const Reader& file);

}  // namespace mixlab::store
