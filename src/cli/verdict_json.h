// A verdict as json: what `mixlab check --format json` prints and `mixlab report` builds on.
#pragma once

#include <iosfwd>

#include "mixlab/core/error.h"
#include "mixlab/verdict/verdict.h"

namespace mixlab::cli {

enum class Undecided { is_acceptable, is_contradicted };
/// What a command ends with that has come to this verdict.
ExitCode exit_code_of(const verdict::Verdict& verdict, Undecided undecided = Undecided::is_acceptable);

/// Of `shown` the lists, of `verdict` the rest.
void print_verdict_json(std::ostream& out, const verdict::Verdict& verdict, const verdict::Verdict& shown,
                        ExitCode exit_code);

/// A word to the user if trajectories are missing.
void mention_missing_rows(const verdict::Verdict& verdict);

}  // namespace mixlab::cli
