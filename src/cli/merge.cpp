#include <filesystem>
#include <iostream>

#include "mixlab/core/stop.h"
#include "target.h"

namespace mixlab::cli {
namespace {

Syntax merge_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab merge OUT.h5 [FOLDER...] [--partial]\n\n"
      "Assembles OUT.h5 from the parts that shards wrote into OUT.h5.parts and into the given folders. Every part is\n"
      "verified first; merging again changes nothing. With rows missing nothing is written (exit code 75), unless\n"
      "--partial asks for what there is.\n\n"
      "example: mixlab merge study.h5 node1/study.h5.parts node2/study.h5.parts\n";
  syntax.options.add_options()("partial", "write the file although rows are missing; they are marked")(
      "allow-mixed", "accept parts made by different programs or processors");
  syntax.positional = {"results", "folder..."};
  return syntax;
}

}  // namespace

ExitCode merge(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, merge_syntax(), options)) return ExitCode::done;
  Stop::install_signal_handlers();
  const store::Workspace workspace = workspace_at(required(options, "results", "OUT.h5"), say);
  std::vector<std::string> folders;
  if (options.count("folder"))
    for (std::string folder : options["folder"].as<std::vector<std::string>>()) {
      while (folder.size() > 1 && folder.ends_with("/")) folder.pop_back();
      if (!std::filesystem::is_directory(folder))
        throw InputError("no such folder: '" + folder + "' (must hold part files); check the path");
      folders.push_back(folder);
    }
  const study::Study study = workspace.stored_study(folders);
  const auto cells = engine::facts_of(engine::make_experiments(study));
  folders.insert(folders.begin(), workspace.parts_folder());
  const auto report =
      workspace.merge(study, cells, folders, options.count("partial") ? store::Missing::allow : store::Missing::refuse,
                      options.count("allow-mixed") ? store::Mixed::allow : store::Mixed::refuse);
  const std::int64_t n_missing = report.n_missing;
  if (report.written)
    std::cout << "wrote " << workspace.out() << " from " << report.n_parts << (report.n_parts == 1 ? " part" : " parts")
              << "\n";
  else if (n_missing == 0)
    std::cout << workspace.out() << " is complete already\n";
  if (n_missing == 0) return ExitCode::done;
  std::cerr << "mixlab: " << n_missing << " of " << (stops_at_verdict(study) ? "at most " : "") << report.n_wanted
            << " trajectories are missing"
            << (report.written ? " in the partial file" : "; nothing was written, --partial takes what there is")
            << "\n";
  return report.written ? ExitCode::done : ExitCode::work_left;
}

}  // namespace mixlab::cli
