#include <iostream>

#include "command.h"
#include "mixlab/core/catalogue.h"
#include "mixlab/study/study.h"
#include "mixlab/core/text.h"

namespace mixlab::cli {
namespace {

void print_kind(Kind kind) {
  std::cout << to_text(kind) << "\n";
  for (const auto& name : catalogue().names(kind))
    std::cout << text("  %-15s ", name.c_str()) << wrapped(catalogue().find(kind, name)->summary, 18, 18)
              << "\n";
}

void print_parameter(const Parameter& parameter, std::size_t width) {
  const std::string range = parameter.range();
  const std::string words = parameter.help() + (range.empty() ? "" : "; " + range) +
                            (parameter.fallback().empty() ? "" : "; default " + parameter.fallback());
  const std::string key = text("  %-*s ", static_cast<int>(width), parameter.key().c_str());
  std::cout << key << wrapped(words, width + 3, key.size()) << "\n";
}

void print_entry(Kind kind, const Entry& entry) {
  std::cout << entry.name << " (" << to_text(kind) << ")\n  " << wrapped(entry.summary, 2, 2) << "\n";
  std::cout << "  formula  " << wrapped(entry.formula, 11, 11) << "\n";
  if (!entry.source.empty()) std::cout << "  source   " << wrapped(entry.source, 11, 11) << "\n";
  for (const auto& parameter : entry.parameters) print_parameter(parameter, 8);
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
    names.push_back(to_text(kind));
    if (!options.count("kind")) print_kind(kind);
    if (options.count("kind") && options["kind"].as<std::string>() == names.back()) {
      print_kind(kind);
      return ExitCode::done;
    }
  }
  if (!options.count("kind")) return ExitCode::done;
  const std::string wanted = options["kind"].as<std::string>();
  const std::string near = nearest(wanted, names);
  throw InputError("unknown kind: '" + wanted + "' (must be noise, arms, policies, sets or delays); " +
                   (near.empty() ? "leave it out for all" : "did you mean " + near + "?"));
}

ExitCode describe(const Arguments& arguments) {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab describe NAME\n\n"
      "A noise process, arm family, policy, set or delay rule: parameters, formula and source. Also a section of the\n"
      "study file: study, problem, noise, policy or confidence.\n\n"
      "example: mixlab describe sticky\n";
  syntax.positional = {"name"};
  Options options;
  if (!parse(arguments, syntax, options)) return ExitCode::done;
  const std::string name = required(options, "name", "NAME");
  bool found = false;
  std::vector<std::string> all;
  for (const auto kind : all_kinds) {
    for (const auto& known : catalogue().names(kind)) all.push_back(known);
    if (const Entry* entry = catalogue().find(kind, name)) {
      print_entry(kind, *entry);
      found = true;
    }
  }
  for (const auto& section : study::section_names) {
    all.push_back(section);
    if (section != name) continue;
    found = true;
    std::cout << "[" << section << "] of the study file\n";
    for (const auto& parameter : study::fixed_parameters(section)) print_parameter(parameter, 13);
  }
  if (found) return ExitCode::done;
  const std::string near = nearest(name, all);
  throw InputError("unknown name: '" + name + "'; " +
                   (near.empty() ? "see mixlab list" : "did you mean " + near + "?"));
}

}  // namespace mixlab::cli
