// Which question pieces and files of `mixlab rare` answer.
#pragma once

#include <string>
#include <vector>

#include "mixlab/rare/survey.h"

namespace mixlab::rare {

/// Everything that the numbers depend on.
struct Identity {
  std::string question;  ///< a hash
  std::string study_hash;
  std::string study_text;  ///< effective
  std::string numerics;    ///< what last bits depend on
};
Identity identify(const study::Study& study, const std::vector<engine::Experiment>& experiments,
                  const Question& question);

}  // namespace mixlab::rare
