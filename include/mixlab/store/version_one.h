// What format version 1 kept only as text made for people, or not at all: read back here and nowhere else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mixlab::store {

class ResultsFile;

namespace version_one {

/// Keys of the study text whose value lists alternatives.
std::vector<std::string> swept(const std::string& study_text, const std::string& path);
/// Their values, cell by cell: as they took effect, since what was written is not kept.
std::vector<std::string> sweep(const ResultsFile& results);
/// From the attribute `reasons` of `guaranteed`, a line "CELL SET: reason" each.
std::vector<std::string> why_not_guaranteed(const ResultsFile& results);
std::vector<double> exponent_in_horizon(const ResultsFile& results);
std::vector<double> exponent_in_memory(const ResultsFile& results);

}  // namespace version_one
}  // namespace mixlab::store
