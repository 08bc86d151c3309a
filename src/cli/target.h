#pragma once

#include <filesystem>

#include "mixlab/store/workspace.h"
#include "study_options.h"

namespace mixlab::cli {

/// What to compute, and where.
struct Target {
  study::Study study;
  store::Workspace workspace;
};

/// The study file and -o, or in place of both an OUT.h5 with the study that is stored there.
inline Target find_target(const Options& options) {
  const std::string path = required(options, "study", "STUDY.cfg");
  if (std::filesystem::path(path).extension() != ".h5") {
    study::Study study = read_study(options);
    store::Workspace workspace(output_path(options, study.file().path), say);
    return {std::move(study), std::move(workspace)};
  }
  for (const char* name : {"set", "output"})
    if (options.count(name))
      throw InputError("not a study file: '" + path + "' (its study is inside, --" + name +
                       " cannot change it); give the study file, or leave out --" + name);
  const store::Workspace workspace(path, say);
  return {workspace.stored_study(), workspace};
}

}  // namespace mixlab::cli
