#include "trace_picture.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "mixlab/core/text.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/trace_file.h"
#include "mixlab/store/workspace.h"

namespace mixlab::cli {
namespace {

namespace fs = std::filesystem;

void require_picture_name(const std::string& path) {
  const std::string kind = fs::path(path).extension();
  if (kind != ".svg" && kind != ".png" && kind != ".pdf")
    throw InputError("bad --plot: '" + path + "' (must end in .svg, .png or .pdf); choose another");
  store::require_folder_of(path);
}

void require_set(const std::string& name, const engine::Experiment& experiment) {
  std::vector<std::string> names;
  for (const auto& monitored : experiment.sets) names.push_back(monitored.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw InputError("bad --only: '" + name + "' (this cell watches " + join(names) + "); choose one of them");
}

}  // namespace

std::optional<TracePicture> TracePicture::asked(const Options& options, const engine::Experiment& experiment) {
  if (!options.count("plot")) {
    if (options.count("only"))
      throw InputError("bad option: --only (it chooses what --plot draws); add --plot FILE.svg");
    return std::nullopt;
  }
  const std::string path = options["plot"].as<std::string>();
  require_picture_name(path);
  if (experiment.p != 2)
    throw InputError("bad option: --plot (the cell has dimension " + std::to_string(experiment.p) +
                     ", a picture needs 2); -o writes every round for your own");
  const std::string set = options.count("only") ? options["only"].as<std::string>() : "";
  if (!set.empty()) require_set(set, experiment);
  TracePicture picture;
  picture.path_ = path;
  picture.set_ = set;
  return picture;
}

void TracePicture::draw(const engine::CellFacts& cell, const engine::Trace& trace) const {
  store::Temporary rounds(path_);
  const std::vector<char> image = store::trace_image(cell, trace);
  rounds.file().write_at(0, image.data(), image.size());
  Arguments words = {rounds.path(), "--plot", path_};
  if (!set_.empty()) words.insert(words.end(), {"--only", set_});
  const int code = python_.run_module("mixlab.report.plot_trace", words);
  if (code == static_cast<int>(ExitCode::write_failed)) throw WriteError("no picture: " + path_ + "; see above");
  if (code != 0) throw std::runtime_error("no picture: " + path_ + " (Python ended with " + std::to_string(code) + ")");
  std::cout << "wrote " << path_ << "\n";
}

}  // namespace mixlab::cli
