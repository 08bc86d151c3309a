#include "mixlab/bandit/policy.h"

namespace mixlab::bandit {
namespace {

class Oracle final : public Policy {
 public:
  std::optional<Rule> rule() const override { return Rule{"oracle"}; }
  arma::uword choose(const View& view, random::Stream&) const override {
    return lowest_near_best(rewards_under(view.theta_star, view.arms));
  }
  arma::vec choose_in_ball(const View& view, random::Stream&) const override { return direction_of(view.theta_star); }
};

}  // namespace

void register_oracle() {
  policies().add({.name = "oracle",
                  .summary = "knows theta* and plays the best arm, apart from the first lag rounds",
                  .formula = "X_t = argmax_x <theta*, x>",
                  .source = ""},
                 {.make = [](const Values&) { return std::make_unique<Oracle>(); }, .default_set = "oful"});
}

}  // namespace mixlab::bandit
