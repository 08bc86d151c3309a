// Experiments from a few lines of a study.
#pragma once

#include <string>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/study/study.h"

namespace mixlab::engine {

inline std::vector<Experiment> experiments_of(const std::string& text) {
  return make_experiments(study::Study(study::parse_study_text(text, "test.cfg")));
}

}  // namespace mixlab::engine
