#include <iostream>

#include "command.h"
#include "mixlab/core/catalogue.h"
#include "mixlab/core/text.h"

namespace mixlab::cli {
namespace {

void print_kind(Kind kind) {
  std::cout << name_of(kind) << "\n";
  for (const auto& name : catalogue().names(kind))
    std::cout << text("  %-15s ", name.c_str()) << wrapped(catalogue().find(kind, name)->summary, 18, 18) << "\n";
}

}  // namespace

ExitCode list(const Arguments& arguments) {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab list [noise|arms|policies|sets|delays]\n\n"
      "What a study can name. `mixlab describe NAME` says more.\n\n"
      "example: mixlab list sets\n";
  syntax.positional = {"kind"};
  Options options;
  if (!parse(arguments, syntax, options)) return ExitCode::done;
  std::vector<std::string> names;
  for (const auto kind : all_kinds) {
    names.push_back(name_of(kind));
    if (!options.count("kind")) print_kind(kind);
    if (options.count("kind") && options["kind"].as<std::string>() == names.back()) {
      print_kind(kind);
      return ExitCode::done;
    }
  }
  if (!options.count("kind")) return ExitCode::done;
  const std::string wanted = options["kind"].as<std::string>();
  throw InputError("unknown kind: '" + wanted + "' (must be " + alternatives(names) + "); " +
                   suggestion(wanted, names, "leave it out for all"));
}

}  // namespace mixlab::cli
