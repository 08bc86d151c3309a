#include <unistd.h>

#include <chrono>
#include <iostream>

#include "mixlab/core/stop.h"
#include "mixlab/core/text.h"
#include "mixlab/engine/cost.h"
#include "mixlab/engine/facts.h"
#include "mixlab/engine/lanes.h"
#include "mixlab/engine/machine.h"
#include "mixlab/engine/runner.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/provenance.h"
#include "target.h"
#include "visible_stream.h"

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
      "--until decided looks at each cell after 64, 128, 256, ... trajectories and stops it once every set of which\n"
      "something is expected, and the regret theorem unless it is vacuous, is decided at alpha = 0.05 in the whole\n"
      "study; a cell of which nothing is expected runs to its end. Where a cell stops depends on the study and its\n"
      "seed alone. mixlab check keeps its promise at any --alpha; at a smaller one, a cell that stopped may be\n"
      "undecided. A shard that has to wait for others ends with exit code 75.\n\n"
      "example: mixlab run studies/quickstart.cfg --set noise.rho=0.5 -o half.h5\n";
  syntax.options.add_options()("output,o", po::value<std::string>()->value_name("OUT.h5"), "where the results go")(
      "threads", po::value<int>()->value_name("N"), "threads; default: OMP_NUM_THREADS, Slurm, or all processors")(
      "shard", po::value<std::string>()->value_name("I/N"), "compute only every N-th part, from I = 0 on; merge later")(
      "engine", po::value<std::string>()->value_name("NAME"), "auto (lanes where it can), lanes or reference")(
      "max-time", po::value<std::string>()->value_name("DUR"), "stop after this time (90s, 15m, 2h), exit code 75")(
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

/// What a run brought.
struct Harvest {
  std::int64_t n_parts = 0;  ///< finished, and kept
  std::int64_t n_kept = 0;   ///< their trajectories
  std::int64_t n_lost = 0;   ///< computed for parts that were not finished
};

std::string counted(std::int64_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

ExitCode stopped(const Harvest& harvest, Progress progress, const std::string& out) {
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

/// Bytes that the run will write: the parts, and the results unless another command merges them.
double space_needed(const study::Study& study, const std::vector<engine::CellFacts>& cells,
                    const std::vector<study::Part>& parts, const study::Shard& shard) {
  const double row = store::row_size(study, cells);
  double bytes = shard.count > 1 ? 0 : store::results_size(study, cells);
  for (const auto& part : parts) bytes += store::part_overhead + row * static_cast<double>(part.size());
  return bytes;
}

/// Where a run is: its parts go into files one by one.
class Run {
 public:
  Run(const Target& target, const std::vector<engine::Experiment>& experiments, engine::RunSettings settings,
      study::Shard shard, bool quiet)
      : study_(target.study),
        workspace_(target.workspace),
        experiments_(experiments),
        cells_(engine::facts_of(experiments)),
        sizes_(engine::part_sizes(experiments)),
        settings_(settings),
        shard_(shard),
        quiet_(quiet),
        style_(quiet ? engine::Progress::Style::quiet : engine::Progress::style_for(STDERR_FILENO)) {
    tally_.sets = study_.sets();
    tally_.misses.resize(study_.sets().size());
  }

  const std::vector<engine::CellFacts>& cells() const { return cells_; }
  Harvest harvest() const { return {n_finished_, n_kept_, tally_.computed - n_kept_}; }
  /// Whether a stop was requested with parts of this shard left.
  bool is_stopped() const { return Stop::requested() && tally_.done < tally_.total; }
  /// Trajectories of this shard that cannot be computed before other shards have done theirs.
  std::int64_t n_waiting() const { return tally_.total - tally_.done; }

  /// Computes what is missing, look by look where cells may stop.
  void go_on() {
    auto parts = parts_due();
    if (parts.empty()) return;
    store::check_free_space(workspace_.out(), space_needed(study_, cells_, parts, shard_));
    const store::Presence presence = workspace_.open_for(study_, shard_);
    if (!quiet_) introduce(study_, experiments_, settings_.n_threads);
    if (!quiet_ && shard_.count == 1) introduce(store::workers_in(workspace_.parts_folder()));
    const std::string share =
        shard_.count > 1 ? " shard=" + std::to_string(shard_.index) + "/" + std::to_string(shard_.count) : "";
    try {
      workspace_.log(store::run_line("started" + share, settings_.n_threads), shard_);
      engine::Progress progress(terminal(), style_, seconds_now);
      for (; !parts.empty() && !Stop::requested(); parts = parts_due()) compute(parts, progress);
      workspace_.log(store::run_line("ended" + share + " parts=" + std::to_string(n_finished_), settings_.n_threads),
                     shard_);
    } catch (const WriteError&) {
      if (!workspace_.complete(study_)) throw;  // else another process has finished it all, and taken the folder away
      tally_.done = tally_.total;
    }
  }

 private:
  /// The parts of this shard that can be computed now; brings the tally up to date.
  std::vector<study::Part> parts_due() {
    const study::Goal goal = workspace_.goal(study_);
    const study::RowRanges done = workspace_.done();
    tally_.total = tally_.done = 0;
    for (const auto& part : study::missing_parts(study_, sizes_, goal.wanted_per_cell(), {}, shard_))
      tally_.total += part.size();
    tally_.done = tally_.total;
    for (const auto& part : study::missing_parts(study_, sizes_, goal.wanted_per_cell(), done, shard_))
      tally_.done -= part.size();
    return study::missing_parts(study_, sizes_, goal.due_per_cell(), done, shard_);
  }

  void compute(const std::vector<study::Part>& parts, engine::Progress& progress) {
    store::OpenParts files(workspace_.parts_folder(), cells_,
                           {study_.hash(), study_.effective_text(),
                            engine::numerics(settings_.engine, study_.entries()), workspace_.n_declared(study_)});
    const auto commit = [&](const study::Part& part, std::int64_t first, const std::vector<engine::Row>& rows) {
      if (!files.add(part, first, rows)) return;
      ++n_finished_;
      n_kept_ += part.size();
    };
    engine::run_parts(experiments_, parts, settings_, commit, progress, tally_);
  }

  const study::Study& study_;
  const store::Workspace& workspace_;
  const std::vector<engine::Experiment>& experiments_;
  std::vector<engine::CellFacts> cells_;
  std::vector<std::int64_t> sizes_;
  engine::RunSettings settings_;
  study::Shard shard_;
  bool quiet_;
  engine::Progress::Style style_;
  engine::Tally tally_;
  std::int64_t n_finished_ = 0;
  std::int64_t n_kept_ = 0;
};

/// What remains to be said of a shard.
ExitCode end_shard(const Run& run, const study::Shard& shard, const std::string& out, bool quiet) {
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
  if (!parse(arguments, syntax(), options)) return ExitCode::done;
  Stop::install_signal_handlers();
  const bool quiet = options.count("quiet") > 0;

  const study::Shard shard =
      options.count("shard") ? study::parse_shard(options["shard"].as<std::string>()) : study::Shard{};
  engine::RunSettings settings;
  settings.n_threads = engine::choose_threads(threads_asked(options));
  if (options.count("max-time")) settings.max_seconds = parse_duration(options["max-time"].as<std::string>());
  settings.engine = engine_asked(options);
  engine::choose_isa();  // says what is wrong with MIXLAB_ISA before anything is written

  const Target target = find_target(options);
  const auto& [study, workspace] = target;
  const auto experiments = engine::make_experiments(study);
  workspace.require_same_study(study);
  workspace.set_aside_damaged(study, engine::part_sizes(experiments), shard);
  const auto mixed = options.count("allow-mixed") ? store::Mixed::allow : store::Mixed::refuse;
  if (mixed == store::Mixed::refuse)
    workspace.require_same_numerics(engine::numerics(settings.engine, study.entries()));

  Run run(target, experiments, settings, shard, quiet);
  run.go_on();
  if (run.is_stopped())
    return stopped(run.harvest(), options.count("require-progress") ? Progress::required : Progress::optional,
                   workspace.out());
  if (shard.count > 1) return end_shard(run, shard, workspace.out(), quiet);
  const auto report = workspace.merge(study, run.cells(), {workspace.parts_folder()}, store::Missing::refuse, mixed);
  if (!quiet)
    std::cerr << (report.written ? "wrote " : "nothing to do: complete already: ") << workspace.out()
              << "; next: mixlab check " << shell_word(workspace.out()) << "\n";
  return ExitCode::done;
}

}  // namespace mixlab::cli
