#pragma once

#include "command.h"
#include "mixlab/store/guard.h"
#include "mixlab/study/study.h"

namespace mixlab::cli {

inline void add_set_option(boost::program_options::options_description& options) {
  options.add_options()("set", boost::program_options::value<std::vector<std::string>>()->value_name("S.KEY=VALUE"),
                        "override a key of the study; repeatable");
}

inline study::Study read_study(const Options& options) {
  const std::string path = required(options, "study", "STUDY.cfg");
  return study::Study(study::read_study_file(
      path, options.count("set") ? options["set"].as<std::vector<std::string>>() : std::vector<std::string>{},
      store::read_series));
}

}  // namespace mixlab::cli
