#include "mixlab/bandit/policy.h"

namespace mixlab::bandit {
namespace {

class RoundRobin final : public Policy {
 public:
  std::optional<Rule> rule() const override { return Rule{"in_turn"}; }
  arma::uword choose(const View& view, random::Stream&) const override {
    return static_cast<arma::uword>(view.t - 1) % view.arms.n_cols;
  }
  arma::vec choose_in_ball(const View& view, random::Stream&) const override {
    arma::vec x(view.theta_star.n_elem, arma::fill::zeros);
    x(static_cast<arma::uword>(view.t - 1) % x.n_elem) = 1;
    return x;
  }
};

}  // namespace

void register_round_robin() {
  policies().add({.name = "round-robin",
                  .summary = "the arms in turn (in the ball: the unit vectors)",
                  .formula = "X_t = x_{(t-1) mod K}",
                  .source = ""},
                 {.make = [](const Values&) { return std::make_unique<RoundRobin>(); }, .default_set = "oful"});
}

}  // namespace mixlab::bandit
