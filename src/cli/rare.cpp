#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <thread>

#include "mixlab/core/catalogue.h"
#include "mixlab/core/stop.h"
#include "mixlab/core/text.h"
#include "mixlab/engine/machine.h"
#include "mixlab/engine/progress.h"
#include "mixlab/rare/piece_folder.h"
#include "mixlab/rare/rare_file.h"
#include "mixlab/rare/survey.h"
#include "mixlab/store/output_place.h"
#include "mixlab/store/results_file.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/workspace.h"
#include "record.h"
#include "study_options.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;
using mixlab::rare::Estimate;

Syntax rare_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab rare STUDY.cfg|OUT.h5 [--cell C]... [--only SET]... [--delta LIST] [--method M] [OPTIONS]\n\n"
      "How likely is it that theta* ever leaves a confidence set, however unlikely that is: 1e-5, 1e-20. Paths are "
      "drawn\n"
      "from noise that is tilted towards a miss and weighted back (twisted), or branched towards it (splitting); both "
      "are\n"
      "unbiased. Where twisted paths find something below 1e-3, but not reliably, populations of them that are "
      "selected\n"
      "on the way are asked as well (selected). A number is called reliable if its own diagnostics see nothing wrong; "
      "what\n"
      "no path has found cannot be seen from inside: --method both compares the two. Where nothing is found, it says "
      "so\n"
      "and never 0.\n\n"
      "example: mixlab rare studies/quickstart.cfg --cell 0 --delta 0.05,0.5\n";
  syntax.options.add_options()("cell", po::value<std::vector<std::int64_t>>()->value_name("C"),
                               "only this cell; repeatable")(
      "only", po::value<std::vector<std::string>>()->value_name("SET"), "only this set; repeatable")(
      "delta", po::value<std::string>()->value_name("LIST"), "levels, comma-separated; default: that of the study")(
      "method", po::value<std::string>()->default_value("twisted")->value_name("M"), "twisted, splitting or both")(
      "paths", po::value<std::int64_t>()->default_value(10000)->value_name("N"),
      "twisted paths per cell; there are 20 populations of N/20 (selected) or N/50 (splitting)")(
      "format", po::value<std::string>()->default_value("table")->value_name("F"), "table, csv or json")(
      "threads", po::value<int>()->value_name("N"), "threads; default: OMP_NUM_THREADS, Slurm, or all processors")(
      "max-time", po::value<std::string>()->value_name("DUR"), "stop after this time (90s, 15m, 2h), exit code 75")(
      "output,o", po::value<std::string>()->value_name("RARE.h5"),
      "keep every path there; after a stop or a kill the same command goes on where it was")(
      "shard", po::value<std::string>()->value_name("I/N"),
      "compute only every N-th piece, from I = 0 on; when all are done, the same command without it")("quiet",
                                                                                                      "no progress");
  add_set_option(syntax.options);
  syntax.positional = {"study"};
  return syntax;
}

mixlab::rare::Question question_of(const Options& options) {
  mixlab::rare::Question question;
  if (options.count("delta"))
    for (const auto& piece : split(options["delta"].as<std::string>(), ',')) {
      const auto delta = parse_real(piece);
      if (!delta || *delta <= 0 || *delta >= 1)
        throw InputError("bad --delta: '" + piece + "' (must be numbers in (0, 1)); for instance --delta 0.05,0.5");
      if (std::find(question.deltas.begin(), question.deltas.end(), *delta) == question.deltas.end())
        question.deltas.push_back(*delta);
    }
  const std::string method = one_of(options, "method", {"twisted", "splitting", "both"});
  question.twisted = method != "splitting";
  question.splitting = method != "twisted";
  question.n_paths = options["paths"].as<std::int64_t>();
  if (question.n_paths < 100 || question.n_paths > 100000000)
    throw InputError("bad --paths: '" + std::to_string(question.n_paths) +
                     "' (must be from 100 to 1e8); the default is 10000");
  return question;
}

study::Study study_of(const Options& options) {
  const std::string path = required(options, "study", "STUDY.cfg or OUT.h5");
  if (!store::has_seal(path)) return read_study(options);
  if (options.count("set"))
    throw InputError("bad option: --set (a results file has its study inside); give the study file to change it");
  const store::ResultsFile results(path);
  return study::Study(study::parse_study_text(results.study_text(), path, {}, results.files(), study::Source::stored));
}

/// The cells and sets asked for.
std::vector<engine::Experiment> selected(const Options& options, const study::Study& study) {
  auto experiments = engine::make_experiments(study);
  if (options.count("only")) {
    const auto names = options["only"].as<std::vector<std::string>>();
    for (const auto& name : names)
      if (std::find(study.sets().begin(), study.sets().end(), name) == study.sets().end())
        throw InputError("bad --only: '" + name + "' (must be a set that the study monitors); " +
                         (catalogue().find(Kind::sets, name)
                              ? "add --set 'confidence.monitor=" + join(study.sets(), " ") + " " + name + "'"
                              : suggestion(name, study.sets(), "it monitors " + join(study.sets()))));
    for (auto& experiment : experiments)
      std::erase_if(experiment.sets, [&](const engine::MonitoredSet& monitored) {
        return std::find(names.begin(), names.end(), monitored.name) == names.end();
      });
  }
  if (const auto cells = cells_asked(options, static_cast<std::int64_t>(experiments.size())); !cells.empty())
    std::erase_if(experiments, [&](const engine::Experiment& experiment) {
      return std::find(cells.begin(), cells.end(), experiment.cell.index) == cells.end();
    });
  std::erase_if(experiments, [](const engine::Experiment& experiment) { return experiment.sets.empty(); });
  return experiments;
}

/// Asks for a stop when the time is over.
class Deadline {
 public:
  explicit Deadline(double seconds) : thread_([this, seconds] { wait(seconds); }) {}
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  void wait(double seconds) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return over_; }))
      Stop::request(StopReason::time_limit);
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;  // last: it uses all of the above
};

/// 10^x; NaN below what a double holds, where log10 alone tells.
double power_of_ten(double x) {
  const double value = std::pow(10.0, x);
  return value > 0 ? value : Estimate::none;
}

const Fields<Estimate>& estimate_fields() {
  static const Fields<Estimate> fields = {
      {"cell", [](const Estimate& e) { return e.cell; }},
      {"label", [](const Estimate& e) { return e.label; }},
      {"set", [](const Estimate& e) { return e.set; }, {"1", "set", -10}},
      {"delta", [](const Estimate& e) { return e.delta; }, {"1", "delta", 6, "%.3g"}},
      {"method", [](const Estimate& e) { return e.method; }, {"1", "method", -9}},
      {"estimate", [](const Estimate& e) { return power_of_ten(e.log10_estimate); }, {"1", "estimate", 8, "%.3g"}},
      {"log10_estimate", [](const Estimate& e) { return e.log10_estimate; }, {"1", "log10", 6, "%.2f"}},
      {"relative_error", [](const Estimate& e) { return e.relative_error; }, {"1", "error", 5, "%.2g"}},
      {"low", [](const Estimate& e) { return power_of_ten(e.log10_low); }, {"1", "low", 7, "%.2g"}},
      {"high", [](const Estimate& e) { return power_of_ten(e.log10_high); }, {"1", "high", 7, "%.2g"}},
      {"ess", [](const Estimate& e) { return e.ess; }, {"1", "ess", 5, "%.0f"}},
      {"largest_share", [](const Estimate& e) { return e.largest_share; }, {"1", "share", 5, "%.1g"}},
      {"reliable", [](const Estimate& e) { return e.reliable != 0; }},
      {"why", [](const Estimate& e) { return e.why; }},
      {"lower_limit", [](const Estimate& e) { return power_of_ten(e.log10_lower_limit); }},
      {"upper_limit", [](const Estimate& e) { return e.upper_limit; }},
      {"hits", [](const Estimate& e) { return e.hits; }},
      {"paths", [](const Estimate& e) { return e.paths; }},
  };
  return fields;
}

/// What an estimate that is not reliable is worth.
std::string apology(const Estimate& e) {
  if (!e.found()) return e.why + text("; upper limit %.2g at 95 %%", e.upper_limit);
  return text("about 1e%.0f (not reliable: %s; at 95 %%: lower limit %.2g, upper limit %s)", e.log10_estimate,
              e.why.c_str(), power_of_ten(e.log10_lower_limit),
              std::isnan(e.upper_limit) ? "unknown" : text("%.2g", e.upper_limit).c_str());
}

void print_estimates(const std::vector<Estimate>& estimates) {
  std::int64_t cell = -1;
  for (const Estimate& estimate : estimates) {
    if (estimate.cell != cell) {
      if (cell >= 0) std::cout << "\n";
      std::cout << "cell " << estimate.cell << (estimate.label.empty() ? "" : ": " + estimate.label) << "\n";
      print_table_heading(estimate_fields(), '1');
      cell = estimate.cell;
    }
    print_table_line(estimate_fields(), '1', estimate);
    if (!estimate.reliable) std::cout << "      " << wrapped(apology(estimate), 6, 6) << "\n";
  }
}

void print(const std::vector<Estimate>& estimates, const std::string& format, const study::Study& study) {
  if (format == "csv") {
    print_csv_list(estimate_fields(), estimates);
  } else if (format == "json") {
    std::cout << "{\"title\": " << json(study.title());
    print_json_list(std::cout, "estimates", estimate_fields(), estimates);
    std::cout << "}\n";
  } else {
    print_estimates(estimates);
  }
}

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Nothing if it was the share of one of several shards.
std::vector<mixlab::rare::CellAnswer> compute(const Options& options,
                                              const std::vector<engine::Experiment>& experiments,
                                              const mixlab::rare::Question& question, mixlab::rare::Pieces& pieces) {
  const auto style =
      options.count("quiet") ? engine::Progress::Style::quiet : engine::Progress::style_for(STDERR_FILENO);
  // Counts from the first path on: how long a pilot takes says nothing about the rest.
  std::optional<engine::Progress> progress;
  engine::Tally tally;
  mixlab::rare::SurveySettings settings;
  settings.n_threads = engine::choose_threads(threads_asked(options));
  if (options.count("shard")) settings.shard = study::parse_shard(options["shard"].as<std::string>());
  settings.progress = [&](std::int64_t done, std::int64_t total) {
    if (!progress) progress.emplace(std::cerr, style, clock_seconds);
    tally.computed = tally.done = done;
    tally.total = total;
    progress->show(tally);
  };
  auto answers = mixlab::rare::survey(experiments, question, settings, pieces);
  if (progress) progress->finish(tally);
  return answers;
}

std::vector<Estimate> estimates_in(const std::vector<mixlab::rare::CellAnswer>& answers) {
  std::vector<Estimate> estimates;
  for (const auto& answer : answers)
    estimates.insert(estimates.end(), answer.estimates.begin(), answer.estimates.end());
  return estimates;
}

}  // namespace

ExitCode rare(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, rare_syntax(), options)) return ExitCode::done;
  Stop::install_signal_handlers();
  const std::string format = one_of(options, "format", {"table", "csv", "json"});
  const mixlab::rare::Question question = question_of(options);
  const study::Study study = study_of(options);
  const auto experiments = selected(options, study);
  std::optional<Deadline> deadline;
  if (options.count("max-time")) deadline.emplace(parse_duration(options["max-time"].as<std::string>()));
  if (!options.count("output")) {
    if (options.count("shard")) throw InputError("bad option: --shard (its share must go somewhere); give -o RARE.h5");
    mixlab::rare::Pieces forgetful;
    print(estimates_in(compute(options, experiments, question, forgetful)), format, study);
    return ExitCode::done;
  }

  const std::string out = store::resolve_output(options["output"].as<std::string>());
  const auto identity = mixlab::rare::identify(study, experiments, question);
  store::require_folder_of(out);
  if (std::filesystem::exists(out)) {
    print(mixlab::rare::read_estimates(out, identity), format, study);
    mixlab::rare::remove_pieces(out + ".parts", identity);  // of a process that was killed when it was done
    return ExitCode::done;
  }
  mixlab::rare::PieceFolder pieces(out + ".parts", identity, say);
  std::vector<mixlab::rare::CellAnswer> answers;
  try {
    answers = compute(options, experiments, question, pieces);
  } catch (const Stopped&) {
    throw Stopped("stopped with work left; finished pieces are kept in " + out +
                  ".parts; run the same command again to go on");
  }
  if (answers.empty()) {
    say("share done; when all are: the same command without --shard");
    return ExitCode::done;
  }
  mixlab::rare::write_rare(out, identity, answers);
  pieces.remove();
  print(estimates_in(answers), format, study);
  return ExitCode::done;
}

}  // namespace mixlab::cli
