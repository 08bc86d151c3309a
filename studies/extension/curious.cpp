// A policy of our own: the arm that looks best, but with probability `curiosity` any arm.
#include "mixlab/bandit/policy.h"
#include "mixlab/random/sampler.h"
#include "own.h"

using namespace mixlab;

class Curious final : public bandit::Policy {
 public:
  explicit Curious(double curiosity) : curiosity_(curiosity) {}
  // Randomness comes from the stream and from nowhere else: so a trajectory is the same on every machine.
  arma::uword choose(const bandit::View& view, random::Stream& stream) const override {
    if (random::uniform(stream.next()) >= curiosity_)
      return bandit::lowest_near_best(bandit::rewards_under(view.ridge.theta, view.arms));
    return static_cast<arma::uword>(random::uniform(stream.next()) * static_cast<double>(view.arms.n_cols));
  }
  arma::vec choose_in_ball(const bandit::View& view, random::Stream& stream) const override {
    if (random::uniform(stream.next()) >= curiosity_) return bandit::direction_of(view.ridge.theta);
    arma::vec direction(view.ridge.theta.n_elem);
    for (double& x : direction) x = random::normal(stream.next());
    return bandit::direction_of(direction);
  }

 private:
  double curiosity_;
};

void add_curious() {
  bandit::policies().add(
      {.name = "curious",
       .summary = "greedy, but with some probability any arm",
       .formula = "X_t = argmax_x <theta_ridge, x>, with probability curiosity uniform",
       .source = "curious.cpp",
       .parameters = {Parameter::real("curiosity", "0.1", "probability of any arm").at_least(0).at_most(1)},
       .revision = "1"},
      {.make = [](const Values& parameters) { return std::make_unique<Curious>(parameters.real("curiosity")); },
       .default_set = "measured"});
}
