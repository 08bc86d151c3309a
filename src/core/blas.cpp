#include "mixlab/core/blas.h"

#include <dlfcn.h>

#include <cstdint>
#include <stdexcept>

namespace mixlab {
namespace {

template <class Function>
Function* blas_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

// OpenBLAS's answer to openblas_get_parallel()
enum Flavour { serial = 0, pthread = 1, openmp = 2 };

/// What last bits depend on, if it is not OpenBLAS.
std::string other_blas() {
  if (const auto version = blas_function<void(char*, int)>("MKL_Get_Version_String")) {
    char text[200] = {};
    version(text, sizeof text - 1);
    return text;
  }
  if (const auto version = blas_function<const char*()>("bli_info_get_version_str"))
    return std::string("BLIS ") + version();
  return blas_function<void()>("ATL_buildinfo") ? "ATLAS" : "reference BLAS";
}

}  // namespace

void prepare_blas() {
  const auto parallel = blas_function<int()>("openblas_get_parallel");
  if (parallel && parallel() == serial)
    throw std::runtime_error(
        "unsafe BLAS: the serial flavour of OpenBLAS (not thread-safe, wrong numbers under threads); install "
        "libopenblas-pthread-dev and choose it with update-alternatives --config libblas.so.3-x86_64-linux-gnu");
  if (const auto set_threads = blas_function<void(int)>("openblas_set_num_threads")) set_threads(1);
  if (const auto set_threads = blas_function<void(int)>("MKL_Set_Num_Threads")) set_threads(1);
  if (const auto set_threads = blas_function<void(std::int64_t)>("bli_thread_set_num_threads")) set_threads(1);
}

std::string blas_description() {
  const auto config = blas_function<char*()>("openblas_get_config");
  const auto core = blas_function<char*()>("openblas_get_corename");
  const auto parallel = blas_function<int()>("openblas_get_parallel");
  const auto threads = blas_function<int()>("openblas_get_num_threads");
  if (!config || !core || !parallel || !threads) return other_blas();
  const int flavour = parallel();
  return std::string(config()) + "; core " + core() + "; " +
         (flavour == pthread  ? "pthread"
          : flavour == openmp ? "openmp"
                              : "serial") +
         "; " + std::to_string(threads()) + " thread";
}

}  // namespace mixlab
