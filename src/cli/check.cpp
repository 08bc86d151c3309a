#include "mixlab/core/text.h"
#include "mixlab/store/results_file.h"
#include "mixlab/study/expectation.h"
#include "mixlab/verdict/verdict.h"

#include <algorithm>
#include <iostream>

#include "command.h"
#include "verdict_details.h"
#include "verdict_fields.h"
#include "verdict_json.h"
#include "verdict_selection.h"
#include "verdict_table.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;

constexpr double least_level = 1e-100;  // far from where doubles lose digits, divided by the number of comparisons too

Syntax check_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab check OUT.h5 [--full] [--cell C]... [--only SET]... [--contradicted] [OPTIONS]\n\n"
      "The verdict on every confidence set: one escape of theta* at any round is a miss. The first line is what was "
      "found: AS EXPECTED, CONTRADICTED (exit code 3) or UNDECIDED (with --strict exit code 3). All words together are "
      "wrong with probability at most A, whenever one looks; --full says precisely what is promised.\n\n"
      "Then one row per cell and set, or a matrix over the swept keys and only what is contradicted or undecided; "
      "sharpness, power, lemmas; regret, its theorem, policies on the same noise, and rates along a swept horizon or "
      "tau. --cell, --only and --contradicted choose what is shown; the verdict is always on the whole study.\n\n"
      "Other levels than the study's (--delta) come from the stored p-values, without simulating again; they are "
      "exploratory. json has everything, csv one list at a time, both with the swept keys as fields.\n\n"
      "example: mixlab check quickstart.h5 --cell 0 --full\n";
  syntax.options.add_options()("format", po::value<std::string>()->default_value("table")->value_name("F"),
                               "table, csv or json")(
      "alpha", po::value<double>()->default_value(0.05, "0.05")->value_name("A"), "probability of a wrong verdict")(
      "delta", po::value<std::string>()->value_name("LIST"), "other levels, comma-separated")(
      "strict", "exit code 3 also if the verdict is undecided")(
      "full", "all that is known: p-values, c, tests at all deltas, distributions, and what is promised")(
      "list", po::value<std::string>()->default_value("findings")->value_name("NAME"),
      "what csv prints: findings, bounds, comparisons, rates or summaries");
  add_selection_options(syntax.options);
  syntax.positional = {"results"};
  return syntax;
}

std::vector<double> parse_deltas(const Options& options) {
  std::vector<double> deltas;
  if (!options.count("delta")) return deltas;
  for (const auto& piece : split(options["delta"].as<std::string>(), ',')) {
    const auto delta = parse_real(piece);
    if (!delta || *delta < least_level || *delta >= 1)
      throw InputError("bad --delta: '" + piece + "' (must be numbers in [1e-100, 1)); for instance --delta 0.01,0.1");
    if (std::find(deltas.begin(), deltas.end(), *delta) == deltas.end()) deltas.push_back(*delta);
  }
  return deltas;
}

void print_csv(const verdict::Verdict& verdict, const verdict::Verdict& shown, const std::string& list) {
  if (list == "findings")
    print_csv_list(finding_fields(verdict), shown.findings);
  else if (list == "bounds")
    print_csv_list(bound_fields(verdict), shown.bounds);
  else if (list == "comparisons")
    print_csv_list(comparison_fields(verdict), shown.comparisons);
  else if (list == "rates")
    print_csv_list(rate_fields(verdict), shown.rates);
  else if (list == "summaries")
    print_csv_list(summary_fields(verdict), shown.summaries);
}

}  // namespace

ExitCode check(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, check_syntax(), options)) return ExitCode::done;
  const std::string format = one_of(options, "format", {"table", "csv", "json"});
  const std::string list = one_of(options, "list", {"findings", "bounds", "comparisons", "rates", "summaries"});
  if (format != "csv" && !options["list"].defaulted())
    throw InputError("bad --list: '" + list + "' (chooses what --format csv prints); add --format csv");
  const double alpha = options["alpha"].as<double>();
  if (!(alpha >= least_level && alpha < 1))
    throw InputError("bad --alpha: '" + text("%g", alpha) + "' (must be in [1e-100, 1)); the default is 0.05");
  const auto deltas = parse_deltas(options);
  const store::ResultsFile results(required(options, "results", "OUT.h5"));
  const verdict::Verdict verdict = verdict::check(results, alpha, deltas);
  const verdict::Verdict shown = selected(verdict, selection_in(options, verdict));
  const ExitCode exit_code =
      exit_code_of(verdict, options.count("strict") ? Undecided::is_contradicted : Undecided::is_acceptable);
  if (format == "csv")
    print_csv(verdict, shown, list);
  else if (format == "json")
    print_verdict_json(std::cout, verdict, shown, exit_code);
  else if (options.count("full"))
    print_verdict_details(verdict, shown);
  else
    print_verdict_table(verdict, shown);
  mention_missing_rows(verdict);
  return exit_code;
}

}  // namespace mixlab::cli
