// What a verdict has to say, field by field: table, csv and json all print these lists.
#pragma once

#include "mixlab/verdict/verdict.h"
#include "record.h"

namespace mixlab::cli {

const Fields<verdict::Finding>& finding_fields();
const Fields<verdict::BoundFinding>& bound_fields();
const Fields<verdict::Comparison>& comparison_fields();
const Fields<verdict::Rate>& rate_fields();
const Fields<verdict::Summary>& summary_fields();

}  // namespace mixlab::cli
