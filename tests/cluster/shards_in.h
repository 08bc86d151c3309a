// Shards in given states.
#pragma once

#include <vector>

#include "mixlab/cluster/shards.h"

namespace mixlab::cluster {

inline std::vector<ShardStatus> shards_in(const std::vector<ShardState>& states) {
  std::vector<ShardStatus> all(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    all[i].index = static_cast<std::int64_t>(i);
    all[i].state = states[i];
  }
  return all;
}

}  // namespace mixlab::cluster
