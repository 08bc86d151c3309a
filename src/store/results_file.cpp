#include "mixlab/store/results_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/version_one.h"
#include "mixlab/study/study.h"

namespace mixlab::store {
namespace {

constexpr std::int64_t rows_per_range = 8192;  ///< about

Reader open_merged(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) && std::filesystem::is_directory(path + ".parts", error))
    throw InputError("no results yet: '" + path + "' (only parts of it are there, in " + path +
                     ".parts); run the study to its end, or take what there is: mixlab merge " + shell_word(path) +
                     " --partial");
  return open_guarded(path);
}

}  // namespace

std::string column_name(const std::string& key) {
  std::string name = key;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

ResultsFile::ResultsFile(const std::string& path) : path_(path), file_(open_merged(path)) {
  if (file_.text_attribute("format") != results_format)
    throw InputError("not a results file: '" + path + "' (it is a " + file_.text_attribute("format") +
                     "); give the merged file, not one of its parts");
  version_ = file_.integer_attribute("format_version");
  if (version_ > format_version)
    throw InputError("results file of a newer mixlab: '" + path + "' (format version " + std::to_string(version_) +
                     ", this program knows " + std::to_string(format_version) + "); update mixlab");
  require_layout(file_, version_);
  if (sweep().size() != swept().size() * static_cast<std::size_t>(n_cells()))
    throw InputError("results file contradicts itself: '" + path +
                     "' (a value per cell is needed for each key of the attribute swept); restore or recompute it");
  require_own_study();
}

void ResultsFile::require_own_study() const {
  std::optional<study::Study> study;
  try {
    study.emplace(study::parse_study_text(study_text(), path_, {}, files()));
  } catch (const InputError&) {
    return;  // of a program that knows more than this one: the file speaks for itself
  }
  std::set<std::int64_t> rounds;
  std::vector<std::int64_t> horizons;
  std::vector<double> deltas;
  for (const auto& cell : study->cells()) {
    for (const std::int64_t t : study::checkpoints(cell.horizon(), study->n_checkpoints())) rounds.insert(t);
    horizons.push_back(cell.horizon());
    deltas.push_back(cell.values.real("confidence.delta"));
  }
  const bool same = n_trajectories() == study->trajectories() && sets() == study->sets() &&
                    file_.read<std::int64_t>("round") == std::vector(rounds.begin(), rounds.end()) &&
                    file_.read<std::int64_t>("study_horizon") == horizons &&
                    file_.read<double>("confidence_delta") == deltas;
  if (!same)
    throw InputError("results file and its study disagree: '" + path_ +
                     "' (its cells, rows, rounds or sets are not those of the study inside); restore or recompute it");
}

std::int64_t ResultsFile::n_cells() const {
  return static_cast<std::int64_t>(file_.extent("cell").at(0));
}
std::int64_t ResultsFile::n_trajectories() const {
  return static_cast<std::int64_t>(file_.extent("trajectory").at(0));
}

Attachments ResultsFile::files() const {
  Attachments files;
  for (const auto& name : file_.attributes())
    if (name.starts_with(file_attribute))
      files.add(name.substr(std::string(file_attribute).size()), file_.text_attribute(name));
  return files;
}

std::vector<std::string> ResultsFile::swept() const {
  return version_ < 2 ? version_one::swept(study_text(), path_) : split_blanks(file_.text_attribute("swept"));
}

std::vector<std::string> ResultsFile::sweep() const {
  if (version_ < 2) return version_one::sweep(*this);
  return file_.has("sweep") ? file_.read_text("sweep") : std::vector<std::string>{};
}

std::vector<std::string> ResultsFile::why_not_guaranteed() const {
  return version_ < 2 ? version_one::why_not_guaranteed(*this) : file_.read_text("why_not_guaranteed");
}

std::vector<std::string> ResultsFile::caveats() const {
  if (version_ < 2) return std::vector<std::string>(static_cast<std::size_t>(n_cells()));
  return file_.read_text("caveat");
}

std::vector<std::int64_t> ResultsFile::n_declared() const {
  if (version_ < 2) return std::vector<std::int64_t>(static_cast<std::size_t>(n_cells()), 0);
  return file_.read<std::int64_t>("n_declared");
}

std::vector<double> ResultsFile::exponent_in_horizon() const {
  return version_ < 2 ? version_one::exponent_in_horizon(*this) : file_.read<double>("exponent_in_horizon");
}

std::vector<double> ResultsFile::exponent_in_memory() const {
  return version_ < 2 ? version_one::exponent_in_memory(*this) : file_.read<double>("exponent_in_memory");
}

std::map<std::string, std::vector<std::string>> ResultsFile::parameters() const {
  std::map<std::string, std::vector<std::string>> columns;
  for (const auto& name : file_.variables())
    for (const auto& section : study::section_names) {
      if (!name.starts_with(section + "_") || file_.extent(name).size() != 1) continue;
      auto& column = columns[section + "." + name.substr(section.size() + 1)];
      if (file_.is_text(name))
        column = file_.read_text(name);
      else
        for (const double value : file_.read<double>(name)) column.push_back(to_text(value));
    }
  return columns;
}

study::RowRanges ResultsFile::completed() const {
  study::RowRanges rows;
  for (std::int64_t cell = 0; cell < n_cells(); ++cell)
    for_each_range([&](std::int64_t first, std::int64_t end) {
      const auto flags =
          file_.read<std::uint8_t>("completed", {static_cast<hsize_t>(cell), static_cast<hsize_t>(first)},
                                   {1, static_cast<hsize_t>(end - first)});
      const auto at = [&](std::int64_t i) { return flags[static_cast<std::size_t>(i - first)] == 1; };
      for (std::int64_t i = first; i < end;) {
        std::int64_t stop = i;
        while (stop < end && at(stop)) ++stop;
        rows.add(static_cast<int>(cell), i, stop);
        i = stop + 1;
      }
    });
  return rows;
}

void ResultsFile::for_each_range(const std::function<void(std::int64_t first, std::int64_t end)>& visit) const {
  const std::int64_t n = n_trajectories();
  const auto chunk = static_cast<std::int64_t>(file_.chunk("completed").at(1));
  const std::int64_t step = chunk * std::max<std::int64_t>(1, rows_per_range / chunk);
  for (std::int64_t first = 0; first < n; first += step) visit(first, std::min(n, first + step));
}

RowBlock ResultsFile::read(int cell, std::int64_t first, std::int64_t end) const {
  return read_rows<engine::Row>(file_, version_, {static_cast<hsize_t>(cell), static_cast<hsize_t>(first)},
                                {1, static_cast<hsize_t>(end - first)});
}

}  // namespace mixlab::store
