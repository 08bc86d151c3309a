#include "mixlab/mixlab.h"

#include "mixlab/builtins.h"
#include "mixlab/core/blas.h"
#include "mixlab/core/stop.h"
#include "mixlab/engine/machine.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/hdf5.h"
#include "mixlab/store/results_file.h"
#include "study_run.h"

namespace mixlab {
namespace {

/// A request to stop that ends with the run that it was made for; one from elsewhere stays.
class Cancellation {
 public:
  ~Cancellation() {
    if (requested_) Stop::reset();
  }
  void request() {
    if (Stop::requested()) return;
    requested_ = true;
    Stop::request(StopReason::terminate);
  }

 private:
  bool requested_ = false;
};

}  // namespace

void initialise() {
  register_builtins();
  store::prepare_hdf5();
  prepare_blas();
}

study::Study read_study(const std::string& path, const std::vector<std::string>& changes) {
  return study::Study(study::read_study_file(path, changes, store::read_series));
}

study::Study parse_study(const std::string& text, const std::vector<std::string>& changes) {
  return study::Study(study::parse_study_text(text, "study", changes));
}

RunState run(const study::Study& study, const std::string& out, const RunOptions& options) {
  Cancellation cancellation;
  StudyRun::Settings settings;
  settings.engine.n_threads = engine::choose_threads(options.n_threads);
  settings.engine.max_round_seconds = options.max_round_seconds;
  const store::Workspace workspace = workspace_at(out);
  StudyRun run(study, workspace, settings);
  engine::Progress progress([&](const engine::Tally& tally) {
    if (options.progress && options.progress(tally) == Answer::stop) cancellation.request();
  });
  run.go_on(progress);
  if (run.is_stopped()) return RunState::stopped;
  run.merge();
  return RunState::complete;
}

verdict::Verdict check(const std::string& out, double alpha, const std::vector<double>& deltas) {
  return verdict::check(store::ResultsFile(out), alpha, deltas);
}

}  // namespace mixlab
