#include <algorithm>
#include <iostream>

#include "command.h"
#include "mixlab/core/catalogue.h"
#include "mixlab/core/text.h"
#include "mixlab/store/layout.h"
#include "mixlab/study/study.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;

Syntax describe_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab describe NAME [--format table|json]\n\n"
      "A noise process, arm family, policy, set or delay rule: parameters, formula and source. Also a section of the\n"
      "study file: study, problem, noise, policy, confidence or expect; any of its keys, as rho or noise.rho; and\n"
      "`sweep`: how a key takes several values.\n"
      "And `format`: the variables of a results file, which alone knows --format json.\n\n"
      "example: mixlab describe sticky\n";
  syntax.options.add_options()("format", po::value<std::string>()->default_value("table")->value_name("F"),
                               "table or json");
  syntax.positional = {"name"};
  return syntax;
}

std::string words_of(const Parameter& parameter) {
  const std::string range = parameter.range();
  return parameter.help() + (range.empty() ? "" : "; " + range) +
         (parameter.fallback().empty() ? "" : "; default " + parameter.fallback());
}

void print_parameter(const Parameter& parameter, std::size_t width) {
  const std::string key = text("  %-*s ", static_cast<int>(width), parameter.key().c_str());
  std::cout << key << wrapped(words_of(parameter), width + 3, key.size()) << "\n";
}

void print_entry(Kind kind, const Entry& entry) {
  std::cout << entry.name << " (" << name_of(kind) << ")\n  " << wrapped(entry.summary, 2, 2) << "\n";
  std::cout << "  formula  " << wrapped(entry.formula, 11, 11) << "\n";
  if (!entry.source.empty()) std::cout << "  source   " << wrapped(entry.source, 11, 11) << "\n";
  for (const auto& parameter : entry.parameters) print_parameter(parameter, 8);
}

void print_layout_json() {
  std::cout << "{\"format_version\": " << store::format_version << ", \"variables\": [\n";
  const auto& layout = store::results_layout();
  for (const auto& variable : layout)
    std::cout << "  {\"name\": " << json(variable.name) << ", \"dimensions\": " << json(variable.dimensions)
              << ", \"type\": " << json(name_of(variable.type)) << ", \"unit\": " << json(variable.unit)
              << ", \"meaning\": " << json(variable.meaning) << ", \"since\": " << variable.since
              << ", \"optional\": " << (variable.optional ? "true" : "false") << "}"
              << (&variable == &layout.back() ? "\n" : ",\n");
  std::cout << "]}\n";
}

void print_layout() {
  std::cout << "results file, format version " << store::format_version << " (analysis/FORMAT.md)\n";
  for (const auto& variable : store::results_layout())
    std::cout << text("  %-22s %-7s ", variable.name.c_str(), name_of(variable.type)) << join(variable.dimensions, " ")
              << "\n      " << wrapped(variable.meaning, 6, 6)
              << (variable.since > 1 ? " (since version " + to_text(variable.since) + ")" : "") << "\n";
}

/// Grammars of the study file that no key has for itself.
struct Grammar {
  const char* name;
  const char* words;
};

constexpr Grammar grammars[] = {
    {"expect",
     "[expect] of the study file: what the study expects of each monitored set\n"
     "  SET = STATE [if CONDITION [and CONDITION]...] [; ...]\n"
     "  STATE      holds, broken or any\n"
     "  CONDITION  section.key OP value, OP one of = != < <= > >=\n\n"
     "  The last clause that matches a cell counts. Without any, a set is expected to\n"
     "  hold where the theory guarantees it and nothing is expected of it elsewhere.\n"
     "  There is no `or`: write two clauses. A value that no cell has is an error.\n"
     "  `check --delta` with another delta turns `broken` into `any`.\n\n"
     "  paper = holds\n"
     "  oful  = any; holds if noise.rho=0; broken if noise.rho>=0.9 and policy.name=linucb\n"},
    {"sweep",
     "sweeps: one cell for each combination of values\n"
     "  key = VALUE, VALUE, ...      every key but those of [study]; also study.horizon\n"
     "  key = FIRST:LAST:STEP        a range of numbers, both ends included\n"
     "  key = log FIRST:LAST:COUNT   so many numbers at equal ratios\n\n"
     "  rho   = 0, 0.5:0.9:0.1, 0.95\n"
     "  delay = paper, 1:101:20\n\n"
     "  --set section.key=VALUE, ... replaces what the file says, --set '~section.key'\n"
     "  drops it.\n"},
};

bool describe_grammar(const std::string& name, std::vector<std::string>& all) {
  bool found = false;
  for (const auto& grammar : grammars) {
    all.emplace_back(grammar.name);
    if (name == grammar.name) std::cout << grammar.words;
    found |= name == grammar.name;
  }
  return found;
}

/// Whether something of that name was found; adds all names there are.
bool describe_entries(const std::string& name, std::vector<std::string>& all) {
  bool found = false;
  for (const auto kind : all_kinds) {
    for (const auto& known : catalogue().names(kind)) all.push_back(known);
    const Entry* entry = catalogue().find(kind, name);
    if (entry) print_entry(kind, *entry);
    found |= entry != nullptr;
  }
  return found;
}

/// The kind whose entries bring keys of their own to a section of the study file.
struct Brings {
  const char* section;
  Kind kind;
  const char* named_by;  ///< the key that names them
};
constexpr Brings bringing[] = {
    {"noise", Kind::noise, "process"}, {"policy", Kind::policies, "name"}, {"confidence", Kind::sets, "monitor"}};

/// Those of the same meaning are told together.
bool describe_key(const std::string& name, std::vector<std::string>& all) {
  std::vector<std::pair<std::string, std::vector<std::string>>> meanings;  // with what they belong to
  const auto consider = [&](const std::string& section, const Parameter& parameter, const std::string& owner) {
    const std::string full = section + "." + parameter.key();
    all.insert(all.end(), {parameter.key(), full});
    if (name != parameter.key() && name != full) return;
    const std::string meaning = full + "\n  " + wrapped(words_of(parameter), 2, 2);
    auto found =
        std::find_if(meanings.begin(), meanings.end(), [&](const auto& each) { return each.first == meaning; });
    if (found == meanings.end()) found = meanings.insert(meanings.end(), {meaning, {}});
    if (!owner.empty()) found->second.push_back(owner);
  };
  for (const auto& section : study::section_names)
    for (const auto& parameter : study::fixed_parameters(section)) consider(section, parameter, "");
  for (const auto& [section, kind, named_by] : bringing)
    for (const auto& entry : catalogue().names(kind))
      for (const auto& parameter : catalogue().find(kind, entry)->parameters) consider(section, parameter, entry);
  for (const auto& [meaning, owners] : meanings)
    std::cout << meaning << "\n" << (owners.empty() ? "" : "  for     " + wrapped(join(owners), 10, 10) + "\n");
  return !meanings.empty();
}

bool describe_section(const std::string& name, std::vector<std::string>& all) {
  bool found = false;
  for (const auto& section : study::section_names) {
    all.push_back(section);
    if (section != name) continue;
    found = true;
    std::cout << "[" << section << "] of the study file\n";
    for (const auto& parameter : study::fixed_parameters(section)) print_parameter(parameter, 13);
    for (const auto& [bringing_section, kind, named_by] : bringing)
      if (section == bringing_section)
        std::cout << "  and what `" << named_by << "` brings: mixlab list " << name_of(kind) << ", describe NAME\n";
  }
  return found;
}

}  // namespace

ExitCode describe(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, describe_syntax(), options)) return ExitCode::done;
  const std::string name = required(options, "name", "NAME"), format = options["format"].as<std::string>();
  const bool is_layout = name == "format";
  if (format != "table" && !(format == "json" && is_layout))
    throw InputError("bad --format: '" + format + "' (must be table; json of `format` only); leave it out");
  if (is_layout) {
    format == "json" ? print_layout_json() : print_layout();
    return ExitCode::done;
  }
  std::vector<std::string> all = {"format"};
  const bool is_entry = describe_entries(name, all), is_section = describe_section(name, all),
             is_grammar = describe_grammar(name, all), is_key = describe_key(name, all);
  if (is_entry || is_section || is_grammar || is_key) return ExitCode::done;
  throw InputError("unknown name: '" + name + "'; " + suggestion(name, all, "see mixlab list"));
}

}  // namespace mixlab::cli
