#include "final_radii.h"

namespace mixlab::bandit {
namespace {

constexpr double near_the_least = 1.03;  ///< on the squared radius

// A telescope hardly shrinks beyond some delay, and regret grows with the lag.
double short_rule(const DelayQuestion& question) {
  const auto radii2 = final_radii2(question);
  const double enough = near_the_least * *std::min_element(radii2.begin(), radii2.end());
  return delay_at(radii2,
                  std::find_if(radii2.begin(), radii2.end(), [=](double radius2) { return radius2 <= enough; }));
}

}  // namespace

void register_short_delay() {
  delay_rules().add(
      {.name = "short",
       .summary = "the shortest delay whose final squared radius is within 3% of the least",
       .formula = "d = min{d : beta_T^2(d) <= 1.03 min_{1<=d'<=T} beta_T^2(d')}, beta_T of the policy's own "
                  "set",
       .source = "MATHEMATICS.md F.2"},
      {.choose = short_rule, .growth = [](double, double best) { return best; }});
}

}  // namespace mixlab::bandit
