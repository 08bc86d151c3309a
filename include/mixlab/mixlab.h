// mixlab from C++: read a study, run it, hear the verdict. What `mixlab run` and `mixlab check` do, without a command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mixlab/engine/progress.h"
#include "mixlab/study/study.h"
#include "mixlab/verdict/verdict.h"

namespace mixlab {

/// Call it first: what mixlab ships is in the catalogue, HDF5 and BLAS are ready for threads. Processes, sets and policies of
/// your own may be added before or after.
void initialise();

/// A study from its file or its text. `changes`: each "section.key=value", as `--set` takes them. Throws InputError naming
/// line, key and remedy.
study::Study read_study(const std::string& path, const std::vector<std::string>& changes = {});
study::Study parse_study(const std::string& text, const std::vector<std::string>& changes = {});

enum class Answer { go_on, stop };

struct RunOptions {
  int n_threads = 0;  ///< 0: OMP_NUM_THREADS, what Slurm allotted, or all processors
  double max_round_seconds =
      60;  ///< of code of your own: a longer call ends the process, with a word on where it hangs
  /// Asked ten times per second, by one thread, while the others compute: be quick. `stop` ends the run within a round of
  /// every trajectory in flight; finished parts are kept.
  std::function<Answer(const engine::Tally& tally)> progress = {};
};

enum class RunState { complete, stopped };

/// Computes what the results file `out` lacks of the study; the same call goes on with a run that was stopped. The numbers are
/// those of `mixlab run`, bit for bit. One run at a time in a process. Throws InputError, WriteError, or what a process, set
/// or policy of yours threw, with the place where it did.
RunState run(const study::Study& study, const std::string& out, const RunOptions& options = {});

/// The verdict on a results file. `deltas`: other levels than the study's; they are exploratory.
verdict::Verdict check(const std::string& out, double alpha = 0.05, const std::vector<double>& deltas = {});

}  // namespace mixlab
