#include "mixlab/bandit/arms.h"
#include "mixlab/bandit/policy.h"
#include "mixlab/random/sampler.h"

namespace mixlab::bandit {
namespace {

class Random final : public Policy {
 public:
  std::optional<Rule> rule() const override { return Rule{"random"}; }
  arma::uword choose(const View& view, random::Stream& stream) const override {
    return static_cast<arma::uword>(random::uniform(stream.next()) * static_cast<double>(view.arms.n_cols));
  }
  arma::vec choose_in_ball(const View& view, random::Stream& stream) const override {
    return draw_direction(static_cast<int>(view.theta_star.n_elem), stream);
  }
};

}  // namespace

void register_random_policy() {
  policies().add({.name = "random",
                  .summary = "a uniformly random arm (in the ball: a random direction)",
                  .formula = "X_t uniform on the arms",
                  .source = ""},
                 {.make = [](const Values&) { return std::make_unique<Random>(); }, .default_set = "oful"});
}

}  // namespace mixlab::bandit
