#pragma once

#include "mixlab/verdict/verdict.h"

namespace mixlab::cli {

/// The verdict with all that `check` knows, on standard output. `shown` is the part of it that somebody asked for.
void print_verdict_details(const verdict::Verdict& verdict, const verdict::Verdict& shown);

}  // namespace mixlab::cli
