#include "mixlab/engine/machine.h"

#include <dlfcn.h>
#include <omp.h>

#include <cstdlib>
#include <initializer_list>
#include <stdexcept>

#include "mixlab/core/version.h"

namespace mixlab::engine {
namespace {

template <class Function>
Function* blas_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

// OpenBLAS's answer to openblas_get_parallel()
enum Flavour { serial = 0, pthread = 1, openmp = 2 };

constexpr const char* reference_only = "; engine reference";
/// To be raised when an engine computes other bits than before, so that parts of both are not mixed unseen.
constexpr int revision = 9;

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

void prepare_blas() {
  omp_set_dynamic(0);
  const auto parallel = blas_function<int()>("openblas_get_parallel");
  if (parallel && parallel() == serial)
    throw std::runtime_error(
        "unsafe BLAS: the serial flavour of OpenBLAS (not thread-safe, wrong numbers under threads); install "
        "libopenblas-pthread-dev and choose it with update-alternatives --config libblas.so.3-x86_64-linux-gnu");
  if (const auto set_threads = blas_function<void(int)>("openblas_set_num_threads")) set_threads(1);
}

std::string blas_description() {
  const auto config = blas_function<char*()>("openblas_get_config");
  const auto core = blas_function<char*()>("openblas_get_corename");
  const auto parallel = blas_function<int()>("openblas_get_parallel");
  const auto threads = blas_function<int()>("openblas_get_num_threads");
  if (!config || !core || !parallel || !threads) return "reference BLAS";
  const int flavour = parallel();
  return std::string(config()) + "; core " + core() + "; " +
         (flavour == pthread  ? "pthread"
          : flavour == openmp ? "openmp"
                              : "serial") +
         "; " + std::to_string(threads()) + " thread";
}

std::string numerics(Engine engine) {
  return "mixlab " + version() + "; " + compiler() + "; " + blas_description() + "; revision " +
         std::to_string(revision) + (engine == Engine::reference ? reference_only : "");
}

Engine engine_of(const std::string& numerics) {
  return numerics.ends_with(reference_only) ? Engine::reference : Engine::automatic;
}

}  // namespace mixlab::engine
