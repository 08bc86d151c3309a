#include "mixlab/bandit/policy.h"

namespace mixlab::bandit {
namespace {

class Greedy final : public Policy {
 public:
  std::optional<Rule> rule() const override { return Rule{"greedy"}; }
  arma::uword choose(const View& view, random::Stream&) const override {
    return lowest_near_best(rewards_under(view.set.centre_of(view.data, view.ridge), view.arms));
  }
  arma::vec choose_in_ball(const View& view, random::Stream&) const override {
    return direction_of(view.set.centre_of(view.data, view.ridge));
  }
};

}  // namespace

void register_greedy() {
  policies().add({.name = "greedy",
                  .summary = "the arm that looks best under the centre of its set; no exploration",
                  .formula = "X_t = argmax_x <centre_{t-lag}, x>",
                  .source = ""},
                 {.make = [](const Values&) { return std::make_unique<Greedy>(); }, .default_set = "oful"});
}

}  // namespace mixlab::bandit
