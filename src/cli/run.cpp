#include <unistd.h>

#include <chrono>
#include <iostream>

#include "mixlab/core/stop.h"
#include "mixlab/core/text.h"
#include "mixlab/engine/lanes.h"
#include "mixlab/engine/machine.h"
#include "target.h"
#include "visible_stream.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;

Syntax run_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab run STUDY.cfg [-o OUT.h5] [OPTIONS]\n\n"
      "Runs every trajectory of the study and writes OUT.h5 (default: STUDY.h5 here). Finished parts are kept in\n"
      "OUT.h5.parts: after a stop, a crash or a kill, the same command goes on where it was; so does\n"
      "mixlab run OUT.h5, with the study as it was stored there. The numbers do not depend on threads, shards or\n"
      "stops.\n\n"
      "--until decided looks at each cell after 64, 128, 256, ... trajectories and stops it once every set of which\n"
      "something is expected, and the regret theorem unless it is vacuous, is decided at alpha = 0.05 in the whole\n"
      "study; a cell of which nothing is expected runs to its end. Where a cell stops depends on the study and its\n"
      "seed alone. mixlab check keeps its promise at any --alpha; at a smaller one, a cell that stopped may be\n"
      "undecided. A shard that has to wait for others ends with exit code 75.\n\n"
      "STUDY.cfg may be -, for standard input; then -o says where the results go.\n\n"
      "example: mixlab run studies/quickstart.cfg --set noise.rho=0.5 -o half.h5\n";
  syntax.options.add_options()("output,o", po::value<std::string>()->value_name("OUT.h5"), "where the results go")(
      "threads", po::value<int>()->value_name("N"), "threads; default: OMP_NUM_THREADS, Slurm, or all processors")(
      "shard", po::value<std::string>()->value_name("I/N"), "compute only every N-th part, from I = 0 on; merge later")(
      "engine", po::value<std::string>()->value_name("NAME"), "auto (lanes where it can), lanes or reference")(
      "max-time", po::value<std::string>()->value_name("DUR"), "stop after this time (90s, 15m, 2h), exit code 75")(
      "max-round", po::value<std::string>()->value_name("DUR"),
      "of a round in code of your own; a longer one ends the run and is named (default: 60s)")(
      "require-progress", "exit code 1, not 75, if stopped before any part was finished")(
      "allow-mixed", "go on with rows made by another program or processor")("quiet", "say nothing but errors");
  add_set_option(syntax.options);
  add_until_option(syntax.options);
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

std::string counted(std::int64_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

ExitCode stopped(const StudyRun::Harvest& harvest, Progress progress, const std::string& out) {
  const auto reason = Stop::reason();
  std::cerr << "mixlab: stopped " << (reason == StopReason::time_limit ? "at --max-time" : "by a signal")
            << " with work left; kept in " << out << ".parts: " << counted(harvest.n_parts, "part") << " of this run ("
            << harvest.n_kept << (harvest.n_kept == 1 ? " trajectory)" : " trajectories)");
  if (harvest.n_lost > 0) std::cerr << "; lost with unfinished parts: " << harvest.n_lost;
  std::cerr << "; run the same command again to go on\n";
  if (progress == Progress::required && harvest.n_parts == 0) {
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

/// What remains to be said of a shard.
ExitCode end_shard(const StudyRun& run, const study::Shard& shard, const std::string& out, bool quiet) {
  const std::string name = "shard " + std::to_string(shard.index) + "/" + std::to_string(shard.count);
  if (run.n_waiting() > 0) {
    std::cerr << "mixlab: " << name << " waits for other shards: it has at most " << run.n_waiting()
              << " trajectories left, as their cells are not decided; run it again when the others are further\n";
    return ExitCode::work_left;
  }
  if (!quiet) std::cerr << name << " done; when all are: mixlab merge " << shell_word(out) << "\n";
  return ExitCode::done;
}

}  // namespace

ExitCode run(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, run_syntax(), options)) return ExitCode::done;
  Stop::install_signal_handlers();
  const bool quiet = options.count("quiet") > 0;

  const study::Shard shard =
      options.count("shard") ? study::parse_shard(options["shard"].as<std::string>()) : study::Shard{};
  engine::RunSettings settings;
  settings.n_threads = engine::choose_threads(threads_asked(options));
  if (options.count("max-time")) settings.max_seconds = parse_duration(options["max-time"].as<std::string>());
  if (options.count("max-round")) settings.max_round_seconds = parse_duration(options["max-round"].as<std::string>());
  settings.engine = engine_asked(options);
  engine::choose_isa();  // says what is wrong with MIXLAB_ISA before anything is written

  const Target target = find_target(options);
  const auto& [study, workspace] = target;
  const auto mixed = options.count("allow-mixed") ? store::Mixed::allow : store::Mixed::refuse;
  StudyRun run(study, workspace, {settings, shard, mixed});
  engine::Progress progress(
      terminal(), quiet ? engine::Progress::Style::quiet : engine::Progress::style_for(STDERR_FILENO), seconds_now);
  run.go_on(progress, [&] {
    if (quiet) return;
    introduce(target.study, run.experiments(), settings.n_threads);
    if (shard.count == 1) introduce(store::workers_in(target.workspace.parts_folder()));
  });
  if (run.is_stopped())
    return stopped(run.harvest(), options.count("require-progress") ? Progress::required : Progress::optional,
                   workspace.out());
  if (shard.count > 1) return end_shard(run, shard, workspace.out(), quiet);
  const auto report = run.merge();
  if (!quiet)
    std::cerr << (report.written ? "wrote " : "nothing to do: complete already: ") << workspace.out()
              << "; next: mixlab check " << shell_word(workspace.out()) << "\n";
  return ExitCode::done;
}

}  // namespace mixlab::cli
