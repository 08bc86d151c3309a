// Linear Thompson sampling, Agrawal and Goyal 2013.
#include "mixlab/bandit/policy.h"
#include "mixlab/random/sampler.h"

namespace mixlab::bandit {
namespace {

class Thompson final : public Policy {
 public:
  explicit Thompson(double inflation) : inflation_(inflation) {}
  std::optional<Rule> rule() const override { return Rule{"thompson", {inflation_}}; }
  arma::uword choose(const View& view, random::Stream& stream) const override {
    return lowest_near_best(rewards_under(sample(view, stream), view.arms));
  }
  arma::vec choose_in_ball(const View& view, random::Stream& stream) const override {
    return direction_of(sample(view, stream));
  }

 private:
  arma::vec sample(const View& view, random::Stream& stream) const {
    arma::vec g(view.ridge.theta.n_elem);
    for (double& component : g) component = random::normal(stream.next());
    return view.ridge.theta + inflation_ * view.set.constants().sigma * view.ridge.V.half_solve(g);
  }

  double inflation_;
};

}  // namespace

void register_thompson() {
  policies().add(
      {.name = "thompson",
       .summary = "linear Thompson sampling around the ridge estimate",
       .formula =
           "theta~ ~ N(theta_ridge, (inflation sigma)^2 V^{-1}) from samples up to t-lag; X_t = argmax_x <theta~, x>",
       .source = "Agrawal and Goyal 2013",
       .parameters = {Parameter::real("inflation", "1", "factor on the posterior standard deviation").above(0)}},
      {.make = [](const Values& parameters) { return std::make_unique<Thompson>(parameters.real("inflation")); },
       .default_set = "oful"});
}

}  // namespace mixlab::bandit
