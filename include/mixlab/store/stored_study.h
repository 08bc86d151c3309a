// A study as it lies beside its rows: in the attributes of a results file, or as small files in a folder of parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "mixlab/study/study.h"

namespace mixlab::store {

class ResultsFile;

/// With the user's own file and its overrides, if they still give that study.
study::Study study_in(const ResultsFile& results);
study::Study study_in_folder(const std::string& folder);

bool folder_has_study(const std::string& folder);
/// Throws WriteError. The study is there when this has returned, and not before.
void write_study(const std::string& folder, const study::Study& study);
/// Trajectories per cell that the study asked for when it was first written there, however much it has grown; nothing
/// if no study is there or a program wrote it that did not keep the number.
std::optional<std::int64_t> declared_in_folder(const std::string& folder);
void remove_study(const std::string& folder);

}  // namespace mixlab::store
