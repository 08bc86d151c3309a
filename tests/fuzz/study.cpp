// Any text is a study or is refused with an InputError; a study survives being written and read again.
#include <cstdlib>
#include <iostream>

#include "mixlab/builtins.h"
#include "mixlab/core/error.h"
#include "mixlab/study/plan.h"
#include "mixlab/study/study.h"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << what << "\n";
  std::abort();
}

void read_study(const std::string& text) {
  using namespace mixlab;
  try {
    const study::Study study(study::parse_study_text(text, "fuzz.cfg"));
    const study::Study again(study::parse_study_text(study.effective_text(), "again.cfg"));
    require(again.hash() == study.hash(), "a study that was written and read again is another one");
    require(again.difference_from(study).empty(), "a study that was written and read again differs");
    require(again.cells().size() == study.cells().size(), "a study that was written and read again has other cells");
    for (const auto& cell : study.cells()) study::environment_hash(cell);
  } catch (const InputError& error) {
    require(error.what()[0] != '\0', "an error without a message");
  } catch (const KeyError&) {
    require(false, "a KeyError that nobody turned into an InputError");
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  mixlab::register_builtins();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  read_study(std::string(reinterpret_cast<const char*>(bytes), size));
  return 0;
}
