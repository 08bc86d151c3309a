// Policies that do not look at data: round-robin, random, and the oracle that needs none.
#include "mixlab/bandit/arms.h"
#include "mixlab/bandit/policy.h"
#include "mixlab/random/sampler.h"

namespace mixlab::bandit {
namespace {

class RoundRobin final : public Policy {
 public:
  arma::uword choose(const View& view, random::Stream&) const override {
    return static_cast<arma::uword>(view.t - 1) % view.arms.n_cols;
  }
  arma::vec choose_in_ball(const View& view, random::Stream&) const override {
    arma::vec x(view.theta_star.n_elem, arma::fill::zeros);
    x(static_cast<arma::uword>(view.t - 1) % x.n_elem) = 1;
    return x;
  }
};

class Random final : public Policy {
 public:
  arma::uword choose(const View& view, random::Stream& stream) const override {
    return static_cast<arma::uword>(random::uniform(stream.next()) * static_cast<double>(view.arms.n_cols));
  }
  arma::vec choose_in_ball(const View& view, random::Stream& stream) const override {
    return draw_direction(static_cast<int>(view.theta_star.n_elem), stream);
  }
};

class Oracle final : public Policy {
 public:
  arma::uword choose(const View& view, random::Stream&) const override {
    return lowest_near_best(rewards_under(view.theta_star, view.arms));
  }
  arma::vec choose_in_ball(const View& view, random::Stream&) const override { return direction_of(view.theta_star); }
};

}  // namespace

void register_round_robin() {
  policies().add({.name = "round-robin",
                  .summary = "the arms in turn (in the ball: the unit vectors)",
                  .formula = "X_t = x_{(t-1) mod K}",
                  .source = ""},
                 {.make = [](const study::Values&) { return std::make_unique<RoundRobin>(); }, .own_set = "oful"});
}

void register_random_policy() {
  policies().add({.name = "random",
                  .summary = "a uniformly random arm (in the ball: a random direction)",
                  .formula = "X_t uniform on the arms",
                  .source = ""},
                 {.make = [](const study::Values&) { return std::make_unique<Random>(); }, .own_set = "oful"});
}

void register_oracle() {
  policies().add({.name = "oracle",
                  .summary = "knows theta* and plays the best arm, apart from the first lag rounds",
                  .formula = "X_t = argmax_x <theta*, x>",
                  .source = ""},
                 {.make = [](const study::Values&) { return std::make_unique<Oracle>(); }, .own_set = "oful"});
}

}  // namespace mixlab::bandit
