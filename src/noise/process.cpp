#include "mixlab/noise/process.h"

#include <stdexcept>

namespace mixlab::noise {

study::Registry<MakeProcess>& processes() {
  static study::Registry<MakeProcess> registry(study::Kind::noise);
  return registry;
}

std::unique_ptr<ReactivePath> Process::start_reactive(const random::Stream&, int) const {
  throw std::logic_error("not a reactive process");
}

}  // namespace mixlab::noise
