#include "mixlab/noise/process.h"

namespace mixlab::noise {

study::Registry<MakeProcess>& processes() {
  static study::Registry<MakeProcess> registry(study::Kind::noise);
  return registry;
}

}  // namespace mixlab::noise
