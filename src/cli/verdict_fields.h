// What a verdict has to say, field by field: the details, csv and json all print these lists.
#pragma once

#include "mixlab/verdict/verdict.h"
#include "record.h"

namespace mixlab::cli {

const Fields<verdict::Finding>& finding_fields();
const Fields<verdict::BoundFinding>& bound_fields();
const Fields<verdict::Comparison>& comparison_fields();
const Fields<verdict::Rate>& rate_fields();
const Fields<verdict::Summary>& summary_fields();

/// The same for csv and json: behind them the swept keys by their full name ("noise.rho"; of a comparison "noise.rho_a"
/// and "noise.rho_b", of a rate null where its cells differ), and what is known of the cell. They refer to the verdict.
Fields<verdict::Finding> finding_fields(const verdict::Verdict& verdict);
Fields<verdict::BoundFinding> bound_fields(const verdict::Verdict& verdict);
Fields<verdict::Comparison> comparison_fields(const verdict::Verdict& verdict);
Fields<verdict::Rate> rate_fields(const verdict::Verdict& verdict);
Fields<verdict::Summary> summary_fields(const verdict::Verdict& verdict);

/// Whether what was expected is so: "ok", "NO", "?", or "-" where nothing was expected.
std::string met(const verdict::Judgement& judgement);

}  // namespace mixlab::cli
