#include "engine_run.h"

#include <iostream>

#include "clock.h"
#include "mixlab/engine/cost.h"
#include "mixlab/engine/facts.h"
#include "mixlab/engine/machine.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/workspace.h"

namespace mixlab::bench {

EngineRun::EngineRun(const std::string& study_text, std::int64_t trajectories)
    : study_(study::parse_study_text(study_text, "bench.cfg", {"study.trajectories=" + std::to_string(trajectories)})),
      experiments_(engine::make_experiments(study_)),
      parts_(study::missing_parts(study_, engine::part_sizes(experiments_), {})) {}

double EngineRun::rounds() const {
  return static_cast<double>(study_.trajectories()) * static_cast<double>(experiment().T);
}

void EngineRun::run(int n_threads, engine::Engine engine, const engine::Commit& commit) const {
  engine::Progress progress(std::cerr, engine::Progress::Style::quiet, wall_seconds);
  engine::Tally tally;
  tally.sets = study_.sets();
  tally.misses.resize(study_.sets().size());
  tally.total = study_.trajectories();
  engine::run_parts(experiments_, parts_, {n_threads, {}, engine}, commit, progress, tally);
}

void EngineRun::run(int n_threads, engine::Engine engine) const {
  std::vector<std::vector<engine::Row>> kept;
  run(n_threads, engine,
      [&](const study::Part&, std::int64_t, const std::vector<engine::Row>& rows) { kept.push_back(rows); });
}

EngineRun::Writing EngineRun::run_and_write(const std::string& folder) const {
  Writing writing;
  const auto seconds = [] { return cpu_seconds() + children_seconds(); };
  const double start = seconds();
  const store::Workspace workspace(folder + "/bench.h5");
  const auto cells = engine::facts_of(experiments_);
  {
    const store::Presence presence = workspace.open_for(study_);
    store::OpenParts files(workspace.parts_folder(), cells,
                           {study_.hash(), study_.effective_text(), engine::numerics(), study_.trajectories()});
    const auto commit = [&](const study::Part& part, std::int64_t first, const std::vector<engine::Row>& rows) {
      const double before = thread_seconds();
      files.add(part, first, rows);
      writing.seconds += thread_seconds() - before;
    };
    run(1, engine::Engine::automatic, commit);
  }
  const double before = seconds();
  workspace.merge(study_, cells, {workspace.parts_folder()}, store::Missing::refuse, store::Mixed::refuse);
  writing.seconds += seconds() - before;
  writing.all = seconds() - start;
  return writing;
}

}  // namespace mixlab::bench
