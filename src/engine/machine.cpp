#include "mixlab/engine/machine.h"

#include <omp.h>

#include <cstdlib>
#include <initializer_list>

#include "mixlab/core/blas.h"
#include "mixlab/core/program.h"
#include "mixlab/core/version.h"

namespace mixlab::engine {
namespace {

constexpr const char* reference_only = "; engine reference";
/// To be raised when an engine computes other bits than before, so that parts of both are not mixed unseen.
constexpr int revision = 16;

/// A count as batch systems write it: "4" or "4,2".
int count_in_environment(const char* name) {
  const char* text = std::getenv(name);
  if (!text) return 0;
  char* end = nullptr;
  const long count = std::strtol(text, &end, 10);
  return (*end == 0 || *end == ',') && count > 0 && count < 4096 ? static_cast<int>(count) : 0;
}

}  // namespace

int choose_threads(int asked) {
  if (asked > 0) return asked;
  for (const char* name : {"OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK"})
    if (const int count = count_in_environment(name)) return count;
  if (std::getenv("SLURM_JOB_ID"))
    if (const int count = count_in_environment("SLURM_CPUS_ON_NODE")) return count;
  return omp_get_num_procs();
}

std::string numerics(Engine engine, const std::vector<const Entry*>& entries) {
  std::string additions;
  bool unversioned = false;
  for (const Entry* entry : entries) {
    if (entry->is_builtin) continue;
    unversioned |= entry->revision.empty();
    if (!entry->revision.empty()) additions += "; " + entry->name + " revision " + entry->revision;
  }
  if (unversioned) additions += "; program " + program_name() + " " + program_hash();
  return "mixlab " + version() + "; " + compiler() + "; " + blas_description() + "; revision " +
         std::to_string(revision) + additions + (engine == Engine::reference ? reference_only : "");
}

Engine engine_of(const std::string& numerics) {
  return numerics.ends_with(reference_only) ? Engine::reference : Engine::automatic;
}

}  // namespace mixlab::engine
