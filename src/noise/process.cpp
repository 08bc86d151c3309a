#include "mixlab/noise/process.h"

#include <stdexcept>

namespace mixlab::noise {

Registry<MakeProcess>& processes() {
  static Registry<MakeProcess> registry(Kind::noise);
  return registry;
}

std::unique_ptr<ReactivePath> Process::start_reactive(const random::Stream&, int) const {
  throw std::logic_error("not a reactive process");
}

}  // namespace mixlab::noise
