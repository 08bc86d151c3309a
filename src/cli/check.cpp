#include "mixlab/study/expectation.h"
#include "mixlab/verdict/verdict.h"

#include <iostream>

#include "command.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;
using verdict::Finding;
using verdict::State;

Syntax syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab check OUT.h5 [--format table|csv|json] [--alpha A] [--delta LIST]\n\n"
      "The verdict on every confidence set: one escape of theta* at any round is a miss. Exact binomial tests with\n"
      "Holm's correction; exit code 3 if a verdict contradicts what the study expects. Other levels than the study's\n"
      "come from the stored p-values, without simulating again.\n\n"
      "example: mixlab check quickstart.h5 --delta 0.01,0.1\n";
  syntax.options.add_options()("format", po::value<std::string>()->default_value("table")->value_name("F"),
                               "table, csv or json")(
      "alpha", po::value<double>()->default_value(0.05, "0.05")->value_name("A"), "probability of a wrong verdict")(
      "delta", po::value<std::string>()->value_name("LIST"), "other levels, comma-separated");
  syntax.positional = {"results"};
  return syntax;
}

std::vector<double> parse_deltas(const Options& options) {
  std::vector<double> deltas;
  if (!options.count("delta")) return deltas;
  for (const auto& piece : study::split(options["delta"].as<std::string>(), ',')) {
    double delta = 0;
    if (!study::parse_real(piece, delta) || delta <= 0 || delta >= 1)
      throw InputError("bad --delta: '" + piece + "' (must be numbers in (0, 1)); for instance --delta 0.01,0.1");
    deltas.push_back(delta);
  }
  return deltas;
}

std::string outcome(const Finding& finding) {
  if (finding.expected == study::Expected::any) return "any";
  return to_text(finding.expected) + (finding.contradicted ? " NO" : " ok");
}

void print_table(const verdict::Verdict& verdict) {
  std::cout << wrapped(verdict.title, 0, 0) << "\n";
  std::int64_t cell = -1;
  double delta = -1;
  std::string footnotes;
  for (const auto& finding : verdict.findings) {
    if (finding.cell != cell || finding.delta != delta) {
      cell = finding.cell;
      delta = finding.delta;
      const std::string numbers = text("   (delta %g, %lld trajectories)", delta, static_cast<long long>(finding.n));
      std::cout << "\n"
                << wrapped(text("cell %lld: ", static_cast<long long>(cell)) + finding.label + numbers, 2, 0) << "\n";
      std::cout << "  set         misses   cover   miss rate     ratio 50%   95%  state     expected\n";
    }
    std::cout << text("  %-11s%s%6lld  %.4f  %.4f-%.4f  %6.3g %6.3g  %-9s %s\n", finding.set.c_str(),
                      finding.guaranteed ? " " : "*", static_cast<long long>(finding.misses), finding.coverage(),
                      finding.lower, finding.upper, finding.sup_ratio_median, finding.sup_ratio_95,
                      to_text(finding.state).c_str(), outcome(finding).c_str());
    if (!finding.guaranteed) {
      const std::string reason = text("cell %lld, ", static_cast<long long>(cell)) + finding.set + ": ";
      const std::string footnote = "  " + wrapped(reason + finding.why_not_guaranteed, 4, 2) + "\n";
      if (footnotes.find(footnote) == std::string::npos) footnotes += footnote;
    }
    if (finding.state == State::undecided && finding.expected == study::Expected::holds)
      std::cout << "    not contradicted, not certified; "
                << (finding.n_to_certify > 0
                        ? "about " + std::to_string(finding.n_to_certify) + " trajectories would decide\n"
                        : "at this miss rate no number would\n");
  }
  if (!footnotes.empty()) std::cout << "\n* not guaranteed by the theory on these data:\n" << footnotes;
  std::cout << "\n"
            << fit_terminal(text("cover: share of trajectories with theta* inside at every round. miss rate: exact "
                                 "one-sided limits, each at %g. ratio: a trajectory's largest q/beta^2 (above 1: a "
                                 "miss), median and 95%% quantile.",
                                 1 - verdict.alpha));
  if (verdict.n_missing > 0) std::cout << "PARTIAL: " << verdict.n_missing << " trajectories have not been run.\n";
  std::cout << "\n" << wrapped(verdict.sentence(), 0, 0) << "\n";
}

void print_csv(const verdict::Verdict& verdict) {
  std::cout << "cell,label,set,delta,trajectories,misses,coverage,miss_lower,miss_upper,p_violated,p_certified,state,"
               "expected,"
               "contradicted,guaranteed,why_not_guaranteed,sup_ratio_median,sup_ratio_95,n_to_certify\n";
  const auto quoted = [](const std::string& value) {
    std::string text = "\"";
    for (const char c : value) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
  };
  for (const auto& f : verdict.findings)
    std::cout << f.cell << "," << quoted(f.label) << "," << f.set << ","
              << text("%.17g,%lld,%lld,%.17g,%.17g,%.17g,%.17g,%.17g,", f.delta, static_cast<long long>(f.n),
                      static_cast<long long>(f.misses), f.coverage(), f.lower, f.upper, f.p_violated, f.p_certified)
              << to_text(f.state) << "," << to_text(f.expected) << "," << f.contradicted << "," << f.guaranteed << ","
              << quoted(f.why_not_guaranteed) << ","
              << text("%.17g,%.17g,%lld\n", f.sup_ratio_median, f.sup_ratio_95, static_cast<long long>(f.n_to_certify));
}

void print_json(const verdict::Verdict& verdict) {
  std::cout << "{\"title\": " << json(verdict.title) << ", \"alpha\": " << text("%.17g", verdict.alpha)
            << ", \"missing\": " << verdict.n_missing
            << ", \"contradicted\": " << (verdict.contradicted() ? "true" : "false")
            << ", \"sentence\": " << json(verdict.sentence()) << ", \"findings\": [";
  bool first = true;
  for (const auto& f : verdict.findings) {
    std::cout << (first ? "\n" : ",\n") << "  {\"cell\": " << f.cell << ", \"label\": " << json(f.label)
              << ", \"set\": " << json(f.set)
              << text(", \"delta\": %.17g, \"trajectories\": %lld, \"misses\": %lld, \"coverage\": %.17g", f.delta,
                      static_cast<long long>(f.n), static_cast<long long>(f.misses), f.coverage())
              << text(", \"miss_lower\": %.17g, \"miss_upper\": %.17g, \"p_violated\": %.17g, \"p_certified\": %.17g",
                      f.lower, f.upper, f.p_violated, f.p_certified)
              << ", \"state\": " << json(to_text(f.state)) << ", \"expected\": " << json(to_text(f.expected))
              << ", \"contradicted\": " << (f.contradicted ? "true" : "false")
              << ", \"guaranteed\": " << (f.guaranteed ? "true" : "false")
              << ", \"why_not_guaranteed\": " << json(f.why_not_guaranteed)
              << text(", \"sup_ratio_median\": %.17g, \"sup_ratio_95\": %.17g, \"n_to_certify\": %lld}",
                      f.sup_ratio_median, f.sup_ratio_95, static_cast<long long>(f.n_to_certify));
    first = false;
  }
  std::cout << "]}\n";
}

}  // namespace

ExitCode check(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, syntax(), options)) return ExitCode::done;
  const std::string format = options["format"].as<std::string>();
  if (format != "table" && format != "csv" && format != "json")
    throw InputError("bad --format: '" + format + "' (must be table, csv or json); leave it out");
  const double alpha = options["alpha"].as<double>();
  if (!(alpha > 0 && alpha < 1))
    throw InputError("bad --alpha: '" + text("%g", alpha) + "' (must be in (0, 1)); the default is 0.05");
  const auto deltas = parse_deltas(options);
  const store::ResultsFile results(required(options, "results", "OUT.h5"));
  const verdict::Verdict verdict = verdict::check(results, alpha, deltas);
  if (format == "csv")
    print_csv(verdict);
  else if (format == "json")
    print_json(verdict);
  else
    print_table(verdict);
  if (verdict.n_missing > 0)
    std::cerr << "mixlab: " << verdict.n_missing << " trajectories have not been run; the verdict is on the others\n";
  return verdict.contradicted() ? ExitCode::contradicted : ExitCode::done;
}

}  // namespace mixlab::cli
