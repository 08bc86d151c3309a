#include "study_run.h"

#include <map>
#include <memory>

#include "mixlab/core/stop.h"
#include "mixlab/engine/cost.h"
#include "mixlab/engine/machine.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/provenance.h"
#include "mixlab/verdict/stopping.h"

namespace mixlab {
namespace {

/// Bytes that the run will write: the parts, and the results unless another command merges them.
double space_needed(const study::Study& study, const std::vector<engine::CellFacts>& cells,
                    const std::vector<study::Part>& parts, const study::Shard& shard) {
  const double row = store::row_size(study, cells);
  double bytes = shard.count > 1 ? 0 : store::results_size(study, cells);
  for (const auto& part : parts) bytes += store::part_overhead + row * static_cast<double>(part.size());
  return bytes;
}

}  // namespace

store::Workspace workspace_at(const std::string& out, store::Workspace::Notice notice) {
  return store::Workspace(out, std::move(notice),
                          // What is known of the rows of a study stays known; a copy of the workspace shares it.
                          [all = std::make_shared<std::map<std::string, verdict::Stopping>>()](
                              const auto& study, const auto* results, const auto& parts) {
                            const std::string which =
                                study.hash() + study.effective_text();  // of which expectations are a part
                            auto found = all->find(which);
                            if (found == all->end())
                              found = all->emplace(which, engine::facts_of(engine::make_experiments(study))).first;
                            return found->second.goal(study, results, parts);
                          });
}

StudyRun::StudyRun(const study::Study& study, const store::Workspace& workspace, Settings settings)
    : study_(study),
      workspace_(workspace),
      settings_(settings),
      experiments_(engine::make_experiments(study)),
      cells_(engine::facts_of(experiments_)),
      sizes_(engine::part_sizes(experiments_)) {
  workspace_.require_same_study(study_);
  workspace_.set_aside_damaged(study_, sizes_, settings_.shard);
  if (settings_.mixed == store::Mixed::refuse)
    workspace_.require_same_numerics(engine::numerics(settings_.engine.engine, study_.entries()));
  tally_.sets = study_.sets();
  tally_.misses.resize(study_.sets().size());
}

bool StudyRun::is_stopped() const {
  return Stop::requested() && tally_.done < tally_.total;
}

void StudyRun::go_on(engine::Progress& progress, const std::function<void()>& begin) {
  auto parts = parts_due();
  if (parts.empty()) return;
  const study::Shard& shard = settings_.shard;
  const int n_threads = settings_.engine.n_threads;
  store::check_free_space(workspace_.out(), space_needed(study_, cells_, parts, shard));
  const store::Presence presence = workspace_.open_for(study_, shard);
  begin();
  const std::string share =
      shard.count > 1 ? " shard=" + std::to_string(shard.index) + "/" + std::to_string(shard.count) : "";
  try {
    workspace_.log(store::run_line("started" + share, n_threads), shard);
    for (; !parts.empty() && !Stop::requested(); parts = parts_due()) compute(parts, progress);
    workspace_.log(store::run_line("ended" + share + " parts=" + std::to_string(n_finished_), n_threads), shard);
  } catch (const WriteError&) {
    if (!workspace_.complete(study_)) throw;  // else another process has finished it all, and taken the folder away
    tally_.done = tally_.total;
  }
}

store::MergeReport StudyRun::merge() const {
  return workspace_.merge(study_, cells_, {workspace_.parts_folder()}, store::Missing::refuse, settings_.mixed);
}

std::vector<study::Part> StudyRun::parts_due() {
  const study::Goal goal = workspace_.goal(study_);
  const study::RowRanges done = workspace_.done();
  tally_.total = tally_.done = 0;
  for (const auto& part : study::missing_parts(study_, sizes_, goal.wanted_per_cell(), {}, settings_.shard))
    tally_.total += part.size();
  tally_.done = tally_.total;
  for (const auto& part : study::missing_parts(study_, sizes_, goal.wanted_per_cell(), done, settings_.shard))
    tally_.done -= part.size();
  return study::missing_parts(study_, sizes_, goal.due_per_cell(), done, settings_.shard);
}

void StudyRun::compute(const std::vector<study::Part>& parts, engine::Progress& progress) {
  store::OpenParts files(workspace_.parts_folder(), cells_,
                         {study_.hash(), study_.effective_text(),
                          engine::numerics(settings_.engine.engine, study_.entries()), workspace_.n_declared(study_)});
  const auto commit = [&](const study::Part& part, std::int64_t first, const std::vector<engine::Row>& rows) {
    if (!files.add(part, first, rows)) return;
    ++n_finished_;
    n_kept_ += part.size();
  };
  engine::run_parts(experiments_, parts, settings_.engine, commit, progress, tally_);
}

}  // namespace mixlab
