// The one registration line of everything that ships: each thing is defined in its own file.
#include "mixlab/builtins.h"

#include <mutex>

#define MIXLAB_REGISTER(thing) \
  void register_##thing();     \
  register_##thing()

namespace mixlab::noise {
static void register_all() {
  MIXLAB_REGISTER(iid);
  MIXLAB_REGISTER(sticky);
}
}  // namespace mixlab::noise

namespace mixlab::bandit {
static void register_all() {
  // arms
  MIXLAB_REGISTER(basis);
  MIXLAB_REGISTER(circle);
  MIXLAB_REGISTER(sphere);
  // confidence sets
  MIXLAB_REGISTER(oful);
  MIXLAB_REGISTER(otc);
  MIXLAB_REGISTER(paper);
  // delay rules
  MIXLAB_REGISTER(paper_delay);
  // policies
  MIXLAB_REGISTER(linucb);
  MIXLAB_REGISTER(mixing_linucb);
}
}  // namespace mixlab::bandit

namespace mixlab {

void register_builtins() {
  static std::once_flag once;
  std::call_once(once, [] {
    noise::register_all();
    bandit::register_all();
  });
}

}  // namespace mixlab
