// Mixing-LinUCB, the paper's Algorithm 1: X_t maximises the upper confidence bound over C_{t-d}.
#include "ucb.h"

namespace mixlab::bandit {

void register_mixing_linucb() {
  policies().add(
      {.name = "mixing-linucb",
       .summary = "the paper's algorithm: optimism over the set of d rounds ago",
       .formula = "X_t = argmax_x max_{theta in C_{t-d}} <theta, x>; the first d rounds play the arms in turn",
       .source = "Algorithm 1 of the paper",
       .parameters = {ucb_parameter()}},
      {.make = [](const Values& parameters) { return std::make_unique<Ucb>(parameters); },
       .default_set = "paper",
       .default_lag = DefaultLag::delay_of_the_sets,
       .optimistic = true});
}

}  // namespace mixlab::bandit
