// LinUCB / OFUL: optimism over the set made for independent noise, using every sample at once.
#include "ucb.h"

namespace mixlab::bandit {

void register_linucb() {
  policies().add({.name = "linucb",
                  .summary = "optimism over the OFUL set, no delay: the standard for independent noise",
                  .formula = "X_t = argmax_x max_{theta in C_{t-1}} <theta, x>",
                  .source = "Abbasi-Yadkori, Pal, Szepesvari 2011",
                  .parameters = {ucb_parameter()}},
                 {.make = [](const Values& parameters) { return std::make_unique<Ucb>(parameters); },
                  .default_set = "oful",
                  .default_lag = DefaultLag::one,
                  .optimistic = true});
}

}  // namespace mixlab::bandit
