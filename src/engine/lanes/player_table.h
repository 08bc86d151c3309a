// All players. A new one is a file in players/ and a name in this list.
#pragma once

#include "players/greedy.h"
#include "players/in_turn.h"
#include "players/oracle.h"
#include "players/random.h"
#include "players/thompson.h"
#include "players/ucb.h"
#include "players/ucb_in_ball.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P, template <int> class... Type>
struct PlayerTable {
  /// Nothing if nobody has this rule.
  static std::optional<RuleTraits> find_traits(std::string_view rule) {
    std::optional<RuleTraits> found;
    static_cast<void>(
        ((Type<P>::rule == rule && (found = RuleTraits{Type<P>::pace, Type<P>::depends_on_axes}, true)) || ...));
    return found;
  }
  /// For the rule of the tables.
  static std::unique_ptr<Player<P>> make(const Tables& tables, std::int64_t first) {
    std::unique_ptr<Player<P>> made;
    static_cast<void>(
        ((Type<P>::rule == tables.rule && (made = std::make_unique<Type<P>>(tables, first), true)) || ...));
    return made;
  }
};

template <int P>
using Players = PlayerTable<P, Ucb, UcbInBall, Greedy, Thompson, Oracle, InTurn, Random>;

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
