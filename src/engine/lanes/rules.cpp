#include "rules.h"

#define MIXLAB_LANES rules
#include "isa/scalar.h"
#include "player_table.h"

namespace mixlab::engine::lanes {

std::optional<RuleTraits> find_traits(std::string_view rule) {
  return rules::Players<2>::find_traits(rule);
}

}  // namespace mixlab::engine::lanes
