#include <iostream>

#include "target.h"

namespace mixlab::cli {
namespace {

Syntax clean_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab clean OUT.h5 [--other-machines]\n\n"
      "Removes what nobody needs any more: half-written files of processes that are gone (also of exports beside\n"
      "OUT.h5 and of its report), parts whose rows OUT.h5 holds, and damaged parts that were set aside. Parts that "
      "are\n"
      "not merged yet and files of running processes stay. It cannot be seen from here whether a process of another\n"
      "machine or container still runs.\n\n"
      "example: mixlab clean quickstart.h5\n";
  syntax.options.add_options()("other-machines",
                               "also remove what processes of other machines left; make sure that "
                               "none is running");
  syntax.positional = {"results"};
  return syntax;
}

}  // namespace

ExitCode clean(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, clean_syntax(), options)) return ExitCode::done;
  const store::Workspace workspace = workspace_at(required(options, "results", "OUT.h5"), say);
  const auto all =
      workspace.clean(options.count("other-machines") ? store::OtherMachines::clean : store::OtherMachines::keep);
  for (const auto& file : all)
    std::cout << (file.removed ? "removed " : "kept ") << file.path << ": " << file.why << "\n";
  if (all.empty()) std::cout << "nothing to clean\n";
  return ExitCode::done;
}

}  // namespace mixlab::cli
