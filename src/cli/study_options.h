#pragma once

#include <iostream>

#include "command.h"
#include "mixlab/store/guard.h"
#include "mixlab/study/study.h"

namespace mixlab::cli {

inline void add_set_option(boost::program_options::options_description& options) {
  options.add_options()("set", boost::program_options::value<std::vector<std::string>>()->value_name("S.KEY=VALUE"),
                        "override a key of the study; ~S.KEY drops it; repeatable");
}

inline void add_until_option(boost::program_options::options_description& options) {
  options.add_options()("until", boost::program_options::value<std::string>()->value_name("decided"),
                        "stop each cell once all that is expected of it is decided; as --set "
                        "study.stop=verdict");
}

/// What the options change in the study.
inline std::vector<std::string> overrides_in(const Options& options) {
  std::vector<std::string> overrides;
  if (options.count("set")) overrides = options["set"].as<std::vector<std::string>>();
  if (options.count("until")) {
    const std::string until = options["until"].as<std::string>();
    if (until != "decided")
      throw InputError("bad --until: '" + until + "' (must be decided); leave it out to run every trajectory");
    overrides.push_back("study.stop=verdict");
  }
  return overrides;
}

/// In place of a study file: the study comes from standard input.
constexpr const char* standard_input = "-";

inline study::Study read_study(const Options& options) {
  const std::string path = required(options, "study", "STUDY.cfg");
  const auto overrides = overrides_in(options);
  return study::Study(path == standard_input
                          ? study::read_study_stream(std::cin, "standard input", overrides, store::read_series)
                          : study::read_study_file(path, overrides, store::read_series));
}

}  // namespace mixlab::cli
