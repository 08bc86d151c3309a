#include "mixlab/core/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string_view>

#include "mixlab/core/error.h"

namespace mixlab {
namespace {

constexpr std::size_t least_memory = std::size_t{192} << 20;

}  // namespace

bool has_memory(std::size_t size) {
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED && ::munmap(memory, size) == 0;
}

void require_memory() {
  if (has_memory(least_memory)) return;
  constexpr std::string_view words =
      "mixlab: out of memory before anything was done (192 MB must be left); raise the limit (ulimit -v), or end other "
      "programs\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words.data(), words.size());
  _exit(static_cast<int>(ExitCode::failure));
}

}  // namespace mixlab
