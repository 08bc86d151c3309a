#pragma once

#include "mixlab/verdict/verdict.h"

namespace mixlab::cli {

/// The verdict for a person's eyes, on standard output; the last line is its sentence.
void print_verdict_table(const verdict::Verdict& verdict);

}  // namespace mixlab::cli
