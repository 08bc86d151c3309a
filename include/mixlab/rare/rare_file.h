// RARE.h5: the estimates, and every twisted path.
#pragma once

#include <string>
#include <vector>

#include "mixlab/rare/identity.h"
#include "mixlab/rare/survey.h"

namespace mixlab::rare {

/// Throws WriteError.
void write_rare(const std::string& path, const Identity& identity, const std::vector<CellAnswer>& answers);

/// The estimates of a RARE.h5. Throws InputError if it answers another question, DamagedFile if it is not whole or holds
/// something else.
std::vector<Estimate> read_estimates(const std::string& path, const Identity& identity);

}  // namespace mixlab::rare
