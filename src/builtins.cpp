// The one registration line of everything that ships: each thing is defined in its own file.
#include "mixlab/builtins.h"

#include <mutex>

#include "mixlab/core/catalogue.h"

#define MIXLAB_REGISTER(thing) \
  void register_##thing();     \
  register_##thing()

namespace mixlab::noise {
static void register_all() {
  MIXLAB_REGISTER(algebraic);
  MIXLAB_REGISTER(ar1);
  MIXLAB_REGISTER(block_repeat);
  MIXLAB_REGISTER(frozen_block);
  MIXLAB_REGISTER(frozen_sign);
  MIXLAB_REGISTER(gaussian_ar1);
  MIXLAB_REGISTER(iid);
  MIXLAB_REGISTER(markov);
  MIXLAB_REGISTER(moving_average);
  MIXLAB_REGISTER(replay);
  MIXLAB_REGISTER(sign_chasing);
  MIXLAB_REGISTER(sticky);
}
}  // namespace mixlab::noise

namespace mixlab::bandit {
static void register_all() {
  // arms
  MIXLAB_REGISTER(ball);
  MIXLAB_REGISTER(basis);
  MIXLAB_REGISTER(circle);
  MIXLAB_REGISTER(file);
  MIXLAB_REGISTER(fresh);
  MIXLAB_REGISTER(gap);
  MIXLAB_REGISTER(sphere);
  // confidence sets
  MIXLAB_REGISTER(adaptive_sticky);
  MIXLAB_REGISTER(anytime_telescope);
  MIXLAB_REGISTER(chains);
  MIXLAB_REGISTER(coin);
  MIXLAB_REGISTER(excess_loss);
  MIXLAB_REGISTER(hac_lrv);
  MIXLAB_REGISTER(hac_tau);
  MIXLAB_REGISTER(joint);
  MIXLAB_REGISTER(forecasters);
  MIXLAB_REGISTER(oful);
  MIXLAB_REGISTER(otc);
  MIXLAB_REGISTER(paper);
  MIXLAB_REGISTER(proof);
  MIXLAB_REGISTER(selfnorm);
  MIXLAB_REGISTER(telescope);
  MIXLAB_REGISTER(theorem1);
  MIXLAB_REGISTER(tight);
  MIXLAB_REGISTER(tight_kappa);
  MIXLAB_REGISTER(tight_root);
  // delay rules
  MIXLAB_REGISTER(auto_delay);
  MIXLAB_REGISTER(balanced_delay);
  MIXLAB_REGISTER(paper_delay);
  MIXLAB_REGISTER(short_delay);
  // policies
  MIXLAB_REGISTER(greedy);
  MIXLAB_REGISTER(linucb);
  MIXLAB_REGISTER(mixing_linucb);
  MIXLAB_REGISTER(oracle);
  MIXLAB_REGISTER(random_policy);
  MIXLAB_REGISTER(round_robin);
  MIXLAB_REGISTER(thompson);
}
}  // namespace mixlab::bandit

namespace mixlab {

void register_builtins() {
  static std::once_flag once;
  std::call_once(once, [] {
    const Catalogue::BuiltinScope scope(catalogue());
    noise::register_all();
    bandit::register_all();
  });
}

}  // namespace mixlab
