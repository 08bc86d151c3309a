#include "rules.h"

#define MIXLAB_LANES rules
#include "isa/scalar.h"
#include "player_table.h"

namespace mixlab::engine::lanes {

std::optional<Pace> find_pace(std::string_view rule) {
  return rules::Players<2>::find_pace(rule);
}

}  // namespace mixlab::engine::lanes
