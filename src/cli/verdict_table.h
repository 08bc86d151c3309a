#pragma once

#include "mixlab/verdict/verdict.h"

namespace mixlab::cli {

/// The verdict on one screen, on standard output: the first line is what was found. `shown` is the part of it that
/// somebody asked for.
void print_verdict_table(const verdict::Verdict& verdict, const verdict::Verdict& shown);

/// What was found, then title and overrides of the study: how every table begins.
void print_verdict_head(const verdict::Verdict& verdict);

/// "kept, but empty (2.06e+05 > 2BT)"
std::string theorem_words(const verdict::BoundFinding& bound);

}  // namespace mixlab::cli
