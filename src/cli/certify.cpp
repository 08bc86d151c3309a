#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>

#include "mixlab/core/catalogue.h"
#include "mixlab/core/text.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/noise/audit.h"
#include "record.h"
#include "study_options.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;
using noise::Audit;
using noise::AuditedClaim;

Syntax certify_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab certify NAME|STUDY.cfg [--set section.key=value]... [OPTIONS]\n\n"
      "Draws paths of a noise process, or of each that a study names, and bets against what it certifies: that its\n"
      "conditional mean, given all that is known d rounds before, is at most phi_d in size, and that it is\n"
      "sigma-sub-Gaussian around it. A true certificate is refuted with probability at most --alpha, whatever the "
      "process.\n"
      "A false one is found if the last 8 values known, or their signs, tell enough about the next: the column\n"
      "`visible` says which excess over phi_d is found with probability 0.9 if it is there in every round. What only\n"
      "a longer memory, the arms or hidden states tell is not seen, nor are the proxies of a telescope. A series for\n"
      "replay is tested once, as it stands, whatever --seed and --paths say. Exit code 3 where a certificate is\n"
      "refuted, 2 where nothing could be tested.\n\n"
      "example: mixlab certify sticky --set noise.rho=0.9\n";
  syntax.options.add_options()("lags", po::value<std::string>()->default_value("1,2,5,10,20,50")->value_name("LIST"),
                               "the lags d to test")(
      "paths", po::value<std::int64_t>()->default_value(1000)->value_name("N"), "independent paths")(
      "rounds", po::value<std::int64_t>()->default_value(2000)->value_name("T"), "of each")(
      "seed", po::value<std::uint64_t>()->default_value(1)->value_name("S"), "of the paths")(
      "alpha", po::value<double>()->default_value(1e-3)->value_name("A"), "probability of a false alarm")(
      "format", po::value<std::string>()->default_value("table")->value_name("F"), "table or json");
  add_set_option(syntax.options);
  syntax.positional = {"study"};
  return syntax;
}

noise::AuditSettings settings_in(const Options& options) {
  noise::AuditSettings settings;
  const std::string lags = options["lags"].as<std::string>();
  const auto parsed = parse_ranges(lags);
  if (!parsed || parsed->empty() || parsed->size() > 100 ||
      std::any_of(parsed->begin(), parsed->end(), [](std::int64_t lag) { return lag < 1 || lag > 100'000; }))
    throw InputError("bad --lags: '" + lags +
                     "' (must be whole numbers from 1 to 100000, at most 100 of them); for "
                     "instance 1,2,5-10");
  settings.lags = *parsed;
  settings.n_paths = options["paths"].as<std::int64_t>();
  settings.n_rounds = options["rounds"].as<std::int64_t>();
  settings.seed = options["seed"].as<std::uint64_t>();
  settings.alpha = options["alpha"].as<double>();
  if (settings.n_paths < 8 || settings.n_rounds < 50 || settings.n_paths > 100'000'000 / settings.n_rounds)
    throw InputError(
        "bad --paths or --rounds (must be at least 8 paths of 50 rounds and at most 1e8 rounds in all); "
        "the defaults are 1000 and 2000");
  if (!(settings.alpha > 0 && settings.alpha < 1))
    throw InputError("bad --alpha: '" + to_text(settings.alpha) + "' (must be in (0, 1)); the default is 0.001");
  return settings;
}

study::Study study_in(const Options& options) {
  const std::string name = required(options, "study", "NAME or STUDY.cfg");
  if (!catalogue().find(Kind::noise, name)) return read_study(options);
  return study::Study(study::parse_study_text("[noise]\nprocess = " + name + "\n[confidence]\ndelay = 1\n",
                                              name + ".cfg", overrides_in(options),
                                              Attachments(".", store::read_series)));
}

/// The noise of a cell in words: its parameters.
std::string noise_of(const study::Cell& cell) {
  std::vector<std::string> words;
  for (const auto& [key, value] : cell.values.section("noise"))
    if (key != "process" && key != "sigma" && !key.ends_with("_hash")) words.push_back(key + "=" + to_text(value));
  return cell.values.text("noise.process") + (words.empty() ? "" : " " + join(words, " "));
}

const Fields<AuditedClaim>& claim_fields() {
  using C = const AuditedClaim&;
  const auto is_bias = [](C c) { return c.kind == AuditedClaim::Kind::bias; };
  static const Fields<AuditedClaim> fields = {
      {"claim", [=](C c) { return std::string(is_bias(c) ? "phi" : "sigma"); }, {"1", "claim", -6}},
      {"lag", [](C c) { return c.lag; }, {"1", "lag", 5}},
      {"declared", [](C c) { return c.declared; }, {"1", "declared", 9}},
      {"seen", [](C c) { return c.seen; }, {"1", "seen", 9}},
      {"visible", [=](C c) { return is_bias(c) ? c.visible : std::nan(""); }, {"1", "visible", 8, "%.2g"}},
      {"log10_e", [](C c) { return c.log10_e; }, {"1", "log10 E", 8, "%.3g"}},
      {"rounds", [](C c) { return c.n; }},
      {"bet", [](C c) { return c.bet; }, {"1", "bet", -1}},
  };
  return fields;
}

/// What became of one process.
struct Outcome {
  std::string noise;
  std::string why_not;  ///< why it was not tested; empty if it was
  Audit audit = {};

  bool is_tested() const { return !audit.claims.empty(); }
  const char* word() const { return !is_tested() ? "not tested" : audit.refutes() ? "REFUTED" : "not refuted"; }
};

Outcome outcome_of(const engine::Experiment& experiment, const noise::AuditSettings& settings) {
  Outcome outcome{noise_of(experiment.cell), {}};
  if (experiment.noise->reactive())
    outcome.why_not = "it looks at the arms that are played, so it has no path of its own";
  else
    outcome.audit = noise::audit(*experiment.noise, settings);
  if (outcome.why_not.empty() && !outcome.is_tested()) outcome.why_not = "no lag can be tested";
  return outcome;
}

void print_table(const Outcome& outcome, const noise::AuditSettings& settings) {
  std::cout << outcome.noise << ": " << outcome.word() << (outcome.why_not.empty() ? "" : " (" + outcome.why_not + ")")
            << "\n";
  const Audit& audit = outcome.audit;
  if (outcome.is_tested()) print_table_heading(claim_fields(), '1');
  for (const auto& claim : audit.claims) {
    print_table_line(claim_fields(), '1', claim);
    if (audit.refutes(claim)) std::cout << "      ^ refuted: declared too small\n";
  }
  for (const auto& [lag, why] : audit.skipped) std::cout << "  lag " << lag << " not tested: " << why << "\n";
  if (outcome.is_tested())
    std::cout << wrapped(text("log10 E from %.2f on refutes; false alarms with probability at most %g per process",
                              audit.log10_enough, settings.alpha),
                         0, 0)
              << "\n";
}

void print_json(const Outcome& outcome, bool first) {
  const auto lag = [](const noise::SkippedLag& skipped) {
    return "{\"lag\": " + std::to_string(skipped.lag) + ", \"why\": " + json(skipped.why) + "}";
  };
  std::cout << (first ? "[" : ",\n") << "{\"noise\": " << json(outcome.noise)
            << ", \"refuted\": " << (outcome.audit.refutes() ? "true" : "false")
            << ", \"tested\": " << (outcome.is_tested() ? "true" : "false")
            << ", \"why_not\": " << json(outcome.why_not)
            << ", \"log10_enough\": " << to_text(outcome.audit.log10_enough) << ", \"skipped_lags\": ["
            << join(outcome.audit.skipped, ", ", lag) << "]";
  print_json_list(std::cout, "claims", claim_fields(), outcome.audit.claims);
  std::cout << "}";
}

}  // namespace

ExitCode certify(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, certify_syntax(), options)) return ExitCode::done;
  const bool as_json = one_of(options, "format", {"table", "json"}) == "json";
  const auto settings = settings_in(options);
  const study::Study study = study_in(options);
  std::set<std::string> seen;
  bool refuted = false, tested = false;
  for (const auto& experiment : engine::make_experiments(study)) {
    if (!seen.insert(noise_of(experiment.cell)).second) continue;
    const Outcome outcome = outcome_of(experiment, settings);
    refuted |= outcome.audit.refutes();
    tested |= outcome.is_tested();
    as_json ? print_json(outcome, seen.size() == 1) : print_table(outcome, settings);
  }
  if (as_json) std::cout << "]\n";
  if (!tested) throw InputError("nothing was tested: see why above; other --lags, --rounds or processes would be");
  return refuted ? ExitCode::contradicted : ExitCode::done;
}

}  // namespace mixlab::cli
