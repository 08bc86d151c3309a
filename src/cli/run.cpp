#include <unistd.h>

#include <chrono>
#include <iostream>

#include "mixlab/core/stop.h"
#include "mixlab/engine/cost.h"
#include "mixlab/engine/facts.h"
#include "mixlab/engine/machine.h"
#include "mixlab/engine/runner.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/provenance.h"
#include "target.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;

Syntax syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab run STUDY.cfg [-o OUT.h5] [OPTIONS]\n\n"
      "Runs every trajectory of the study and writes OUT.h5 (default: STUDY.h5 here). Finished parts are kept in\n"
      "OUT.h5.parts: after a stop, a crash or a kill, the same command goes on where it was; so does\n"
      "mixlab run OUT.h5, with the study as it was stored there. The numbers do not depend on threads, shards or\n"
      "stops.\n\n"
      "example: mixlab run studies/quickstart.cfg --set noise.rho=0.5 -o half.h5\n";
  syntax.options.add_options()("output,o", po::value<std::string>()->value_name("OUT.h5"), "where the results go")(
      "threads", po::value<int>()->value_name("N"), "threads; default: OMP_NUM_THREADS, Slurm, or all processors")(
      "shard", po::value<std::string>()->value_name("I/N"), "compute only every N-th part, from I = 0 on; merge later")(
      "engine", po::value<std::string>()->value_name("NAME"), "auto (lanes where it can), lanes or reference")(
      "max-time", po::value<std::string>()->value_name("DUR"), "stop after this time (90s, 15m, 2h), exit code 75")(
      "require-progress", "exit code 1, not 75, if stopped before any part was finished")(
      "allow-mixed", "go on with rows made by another program or processor")("quiet", "say nothing but errors");
  add_set_option(syntax.options);
  syntax.positional = {"study"};
  return syntax;
}

engine::Engine engine_asked(const Options& options) {
  return engine::parse_engine(options.count("engine") ? options["engine"].as<std::string>() : "auto");
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

enum class Progress { optional, required };

ExitCode stopped(const engine::Tally& tally, std::int64_t n_parts, Progress progress, const std::string& out) {
  const auto reason = Stop::reason();
  std::cerr << "mixlab: stopped " << (reason == StopReason::time_limit ? "at --max-time" : "by a signal")
            << " with work left; " << n_parts << (n_parts == 1 ? " part" : " parts")
            << " finished in this run, kept in " << out << ".parts (" << tally.total
            << " trajectories in all); run the same command again to go on\n";
  if (progress == Progress::required && n_parts == 0) {
    std::cerr << "mixlab: no part was finished (--require-progress): running again would not help; give it more time "
                 "or more threads, or make study.part smaller\n";
    return ExitCode::failure;
  }
  return reason == StopReason::interrupt ? ExitCode::interrupted : ExitCode::work_left;
}

void introduce(const study::Study& study, const std::vector<engine::Experiment>& experiments, int n_threads) {
  for (const auto& experiment : experiments)
    for (const auto& note : experiment.notes) std::cerr << "cell " << experiment.cell.index << ": " << note << "\n";
  std::cerr << study.title() << ": " << experiments.size() << (experiments.size() == 1 ? " cell" : " cells") << " x "
            << study.trajectories() << " trajectories, " << n_threads << (n_threads == 1 ? " thread" : " threads")
            << "\n";
}

/// Who else is at work here: somebody who started it twice.
void introduce(const std::vector<store::Worker>& others) {
  if (others.empty()) return;
  std::cerr << "also at work on it:";
  for (const auto& other : others)
    std::cerr << " " << other.process.host << " process " << other.process.pid << " since " << other.since << ";";
  std::cerr << " a part that two of them compute has the same bytes\n";
}

/// Bytes that the run will write: the parts, and the results unless another command merges them.
double space_needed(const study::Study& study, const std::vector<engine::CellFacts>& cells,
                    const std::vector<study::Part>& parts, const study::Shard& shard) {
  const double row = store::row_size(study, cells);
  double bytes = shard.count > 1 ? 0 : store::results_size(study, cells);
  for (const auto& part : parts) bytes += store::part_overhead + row * static_cast<double>(part.size());
  return bytes;
}

/// Runs the parts, each into its file; returns how many were finished.
std::int64_t compute(const study::Study& study, const std::vector<engine::Experiment>& experiments,
                     const std::vector<engine::CellFacts>& cells, const std::vector<study::Part>& parts,
                     const engine::RunSettings& settings, const store::Workspace& workspace, study::Shard shard,
                     engine::Progress::Style style, engine::Tally& tally) {
  std::int64_t n_finished = 0;
  store::OpenParts files(workspace.parts_folder(), cells,
                         {study.hash(), study.effective_text(), engine::numerics(settings.engine, study.entries()),
                          workspace.n_declared(study)});
  const auto commit = [&](const study::Part& part, std::int64_t first, const std::vector<engine::Row>& rows) {
    n_finished += files.add(part, first, rows);
  };
  const std::string share =
      shard.count > 1 ? " shard=" + std::to_string(shard.index) + "/" + std::to_string(shard.count) : "";
  workspace.log(store::run_line("started" + share, settings.n_threads), shard);
  engine::Progress progress(std::cerr, style, seconds_now);
  engine::run_parts(experiments, parts, settings, commit, progress, tally);
  workspace.log(store::run_line("ended" + share + " parts=" + std::to_string(n_finished), settings.n_threads), shard);
  return n_finished;
}

}  // namespace

ExitCode run(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, syntax(), options)) return ExitCode::done;
  Stop::install_signal_handlers();
  const bool quiet = options.count("quiet") > 0;
  const auto style = quiet ? engine::Progress::Style::quiet : engine::Progress::style_for(STDERR_FILENO);
  const study::Shard shard =
      options.count("shard") ? study::parse_shard(options["shard"].as<std::string>()) : study::Shard{};
  engine::RunSettings settings;
  settings.n_threads = engine::choose_threads(threads_asked(options));
  if (options.count("max-time")) settings.max_seconds = parse_duration(options["max-time"].as<std::string>());
  settings.engine = engine_asked(options);

  const auto [study, workspace] = find_target(options);
  const auto experiments = engine::make_experiments(study);
  const auto cells = engine::facts_of(experiments);
  const auto sizes = engine::part_sizes(experiments);
  workspace.require_same_study(study);
  workspace.set_aside_damaged(study, sizes, shard);
  const auto mixed = options.count("allow-mixed") ? store::Mixed::allow : store::Mixed::refuse;
  if (mixed == store::Mixed::refuse)
    workspace.require_same_numerics(engine::numerics(settings.engine, study.entries()));
  const auto parts = study::missing_parts(study, sizes, workspace.done(), shard);

  engine::Tally tally;
  tally.sets = study.sets();
  tally.misses.resize(study.sets().size());
  for (const auto& part : study::missing_parts(study, sizes, {}, shard)) tally.total += part.size();
  tally.done = tally.total;
  for (const auto& part : parts) tally.done -= part.size();
  if (!parts.empty()) {
    store::check_free_space(workspace.out(), space_needed(study, cells, parts, shard));
    const store::Presence presence = workspace.open_for(study, shard);
    if (!quiet) introduce(study, experiments, settings.n_threads);
    if (!quiet && shard.count == 1) introduce(store::workers_in(workspace.parts_folder()));
    std::int64_t n_finished = 0;
    try {
      n_finished = compute(study, experiments, cells, parts, settings, workspace, shard, style, tally);
    } catch (const WriteError&) {
      if (!workspace.complete(study)) throw;  // else another process has finished it all, and taken the folder away
    }
    if (Stop::requested() && tally.done < tally.total)
      return stopped(tally, n_finished, options.count("require-progress") ? Progress::required : Progress::optional,
                     workspace.out());
  }
  if (shard.count > 1) {
    if (!quiet)
      std::cerr << "shard " << shard.index << "/" << shard.count << " done; when all are: mixlab merge "
                << workspace.out() << "\n";
    return ExitCode::done;
  }
  const auto report = workspace.merge(study, cells, {workspace.parts_folder()}, store::Missing::refuse, mixed);
  if (!quiet)
    std::cerr << (report.written ? "wrote " : "nothing to do: complete already: ") << workspace.out()
              << "; next: mixlab check " << workspace.out() << "\n";
  return ExitCode::done;
}

}  // namespace mixlab::cli
