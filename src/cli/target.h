#pragma once

#include <filesystem>

#include "study_options.h"
#include "study_run.h"

namespace mixlab::cli {

/// What to compute, and where.
struct Target {
  study::Study study;
  store::Workspace workspace;
};

/// The study file and -o, or in place of both an OUT.h5 with the study that is stored there.
inline Target find_target(const Options& options) {
  const std::string path = required(options, "study", "STUDY.cfg");
  if (path == standard_input && !options.count("output"))
    throw InputError("missing output: a study from standard input has no name; give one with -o OUT.h5");
  if (std::filesystem::path(path).extension() != ".h5") {
    study::Study study = read_study(options);
    store::Workspace workspace = workspace_at(output_path(options, study.file().path), say);
    return {std::move(study), std::move(workspace)};
  }
  for (const char* name : {"set", "output"})
    if (options.count(name))
      throw InputError("not a study file: '" + path + "' (its study is inside, --" + name +
                       " cannot change it); give the study file, or leave out --" + name);
  const store::Workspace workspace = workspace_at(path, say);
  study::Study study = workspace.stored_study();
  if (options.count("until")) {
    auto overrides = study.file().overrides;
    for (const auto& change : overrides_in(options)) overrides.push_back(change);
    study = study::Study(study::parse_study_text(study.file().text, study.file().path, overrides, study.files()));
  }
  return {std::move(study), workspace};
}

}  // namespace mixlab::cli
