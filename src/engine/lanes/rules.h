// The rules that the lanes engine has players for.
#pragma once

#include <optional>
#include <string_view>

namespace mixlab::engine::lanes {

/// How often a rule needs estimates up to date: at the ends of blocks of rounds, or after every sample.
enum class Pace { by_block, by_round };

struct RuleTraits {
  Pace pace;
  bool depends_on_axes;  ///< it draws vectors number by number
};

/// Nothing if no player has this rule.
std::optional<RuleTraits> find_traits(std::string_view rule);

}  // namespace mixlab::engine::lanes
