#include "count.h"

#include <cstdlib>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "child.h"
#include "engine_run.h"
#include "mixlab/engine/lanes.h"
#include "mixlab/engine/reference.h"
#include "scratch.h"

namespace mixlab::bench {
namespace {

constexpr int lanes_per_group = 4;

/// One pack of lanes, or one trajectory of the reference engine.
struct Counted {
  EngineRun run;
  int n_trajectories = 1;

  Counted(const Case& which, int T) : run(which.study_text(T), 1) {
    if (run.in_lanes())
      n_trajectories = engine::pack_width(run.experiment(), engine::Isa::avx2).most;
    else if (T > most_reference_rounds)
      run = EngineRun(which.study_text(most_reference_rounds), 1);
  }

  double group_rounds() const {
    return static_cast<double>(n_trajectories) / lanes_per_group * static_cast<double>(run.experiment().T);
  }
};

/// "==7== Collected : 123"
double collected(const std::string& log) {
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    const std::size_t found = line.find("Collected : ");
    if (found != std::string::npos) return std::strtod(line.c_str() + found + 12, nullptr);
  }
  throw std::runtime_error("valgrind counted nothing");
}

}  // namespace
}  // namespace mixlab::bench

/// Its name is what valgrind is told.
extern "C" [[gnu::noinline]] void mixlab_bench_counted(const mixlab::engine::Experiment& experiment,
                                                       const mixlab::engine::Lanes* lanes, int n) {
  if (lanes)
    lanes->run(0, n);
  else
    mixlab::engine::run_reference(experiment, 0);
}

namespace mixlab::bench {

void run_counted(const Case& which, int T) {
  const Counted counted(which, T);
  const engine::Experiment& experiment = counted.run.experiment();
  std::optional<engine::Lanes> lanes;
  if (counted.run.in_lanes()) lanes.emplace(experiment, engine::Isa::avx2);
  mixlab_bench_counted(experiment, lanes ? &*lanes : nullptr, counted.n_trajectories);
}

double instructions_per_round(const Case& which, int T) {
  if (!engine::supported(engine::Isa::avx2))
    throw std::runtime_error("--count counts AVX2 code, which is missing here");
  const Counted counted(which, T);
  const Scratch scratch;
  const std::string log = scratch.path() + "/log";
  run_children({"valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=" + log,
                "--toggle-collect=mixlab_bench_counted", own_path(), "--counted", which.name, "--rounds",
                std::to_string(T)});
  return collected(log) / counted.group_rounds();
}

}  // namespace mixlab::bench
