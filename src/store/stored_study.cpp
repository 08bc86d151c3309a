#include "mixlab/store/stored_study.h"

#include <filesystem>

#include "mixlab/core/error.h"
#include "mixlab/core/file.h"
#include "mixlab/core/text.h"
#include "mixlab/store/results_file.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/study/plan.h"

namespace mixlab::store {
namespace {

namespace fs = std::filesystem;

// The study as it takes effect, the user's own file, and what --set said.
constexpr const char* study_name = "study.cfg";
constexpr const char* original_name = "original.cfg";
constexpr const char* overrides_name = "overrides.txt";
// Files that the study names: "file-N" each, and a list of "N path".
constexpr const char* files_name = "files.txt";
constexpr const char* file_prefix = "file-";
// Trajectories per cell that the study asked for when it was first run here.
constexpr const char* declared_name = "declared.txt";
constexpr std::size_t largest_text = 256 << 20;

/// The text of a file in a folder of parts; empty if there is none.
std::string text_of(const std::string& path) {
  if (!is_there(path, Links::refused)) return {};
  return read_text_file(path, largest_text, Links::refused);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto& line : split(text, '\n'))
    if (!line.empty()) lines.push_back(line);
  return lines;
}

/// The study behind `effective`; if the user's own file still gives it, with that file and its overrides.
study::Study study_from(const std::string& effective, const std::string& original, const std::string& overrides,
                        const Attachments& files, const std::string& where) {
  study::StudyFile text = study::parse_study_text(effective, where, {}, files, study::Source::stored);
  try {
    const study::Assignment* name = text.find("study.name");  // a study without one is named after its file
    study::Study own(study::parse_study_text(original, (name ? name->value : where) + ".cfg", lines_of(overrides),
                                             files, study::Source::stored));
    if (own.takes_effect_as(text)) return own;
  } catch (const InputError&) {
  }
  return study::Study(std::move(text));
}

}  // namespace

study::Study study_in(const ResultsFile& results) {
  return study_from(results.study_text(), results.file().text_attribute("study_file"),
                    results.file().text_attribute("study_overrides"), results.files(), results.path());
}

study::Study study_in_folder(const std::string& folder) {
  const auto read = [&](const char* name) { return text_of(folder + "/" + name); };
  Attachments files;
  for (const auto& line : lines_of(read(files_name))) {
    const auto blank = line.find(' ');
    if (blank != std::string::npos)
      files.add(line.substr(blank + 1), text_of(folder + "/" + file_prefix + line.substr(0, blank)));
  }
  return study_from(read(study_name), read(original_name), read(overrides_name), files, folder + "/" + study_name);
}

bool folder_has_study(const std::string& folder) {
  return is_there(folder + "/" + study_name, Links::refused);
}

void write_study(const std::string& folder, const study::Study& study) {
  std::string overrides;
  for (const auto& text : study.file().overrides) overrides += text + "\n";
  std::string list;
  int n_files = 0;
  for (const auto& [path, text] : study.files().all()) {
    write_text(folder + "/" + file_prefix + std::to_string(n_files), text);
    list += std::to_string(n_files++) + " " + path + "\n";
  }
  write_text(folder + "/" + files_name, list);
  write_text(folder + "/" + original_name, study.file().text);
  write_text(folder + "/" + overrides_name, overrides);
  if (!declared_in_folder(folder))
    write_text(folder + "/" + declared_name, std::to_string(study.trajectories()) + "\n");
  write_text(folder + "/" + study_name, study.effective_text());
}

std::optional<std::int64_t> declared_in_folder(const std::string& folder) {
  return parse_integer(trim(text_of(folder + "/" + declared_name)));
}

void remove_study(const std::string& folder) {
  std::error_code error;
  for (const char* name : {study_name, original_name, overrides_name, files_name, declared_name})
    fs::remove(folder + "/" + name, error);
  for (int i = 0; fs::remove(folder + "/" + file_prefix + std::to_string(i), error); ++i) {
  }
}

}  // namespace mixlab::store
