// Studies from a few lines of text.
#pragma once

#include <string>
#include <vector>

#include "message.h"
#include "mixlab/core/error.h"
#include "mixlab/study/study.h"

namespace mixlab::study {

inline Study study_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return Study(parse_study_text(text, "x.cfg", overrides));
}

inline std::string error_in(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return message_of<InputError>([&] { study_of(text, overrides); });
}

}  // namespace mixlab::study
