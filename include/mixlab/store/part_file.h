// A part file: the rows of one range of trajectories of one cell, complete in itself. Its name means done.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/engine/row.h"
#include "mixlab/study/plan.h"

namespace mixlab::store {

/// What all parts of a study have in common.
struct PartContext {
  std::string study_hash;
  std::string study_text;
  std::string numerics;  ///< what last bits depend on
};

/// Rows side by side, as they lie in a file: row-major, trajectory first.
struct RowBlock {
  std::vector<double> regret;
  std::vector<std::int32_t> first_violation;
  std::vector<double> log10_p;
  std::vector<double> horizon_log10_p;
  std::vector<double> sup_ratio;
  std::vector<double> potential;
  std::vector<std::int32_t> first_bound_violation;
};

class Reader;
/// Throws InputError unless the file has all variables of a RowBlock, over `leading` dimensions.
void require_rows(const Reader& file, const std::vector<std::string>& leading);

/// Writes `folder`/file_name(part). Throws WriteError. The bytes depend on the rows and the context alone.
void write_part(const std::string& folder, const study::Part& part, const std::vector<engine::Row>& rows,
                const std::vector<std::int64_t>& rounds, const std::vector<std::string>& sets,
                const PartContext& context);

/// Throws DamagedFile unless the file is whole, InputError unless it is the part its name says and belongs to the study.
/// Returns the numerics it was made with.
std::string verify_part(const std::string& path, const study::Part& part, const std::string& study_hash);

/// Trajectories first..end-1 of a verified part; both must lie inside.
RowBlock read_part(const std::string& path, const study::Part& part, std::int64_t first, std::int64_t end);

}  // namespace mixlab::store
