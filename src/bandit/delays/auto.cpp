#include "final_radii.h"

namespace mixlab::bandit {
namespace {

double auto_rule(const DelayQuestion& question) {
  const auto radii2 = final_radii2(question);
  return delay_at(radii2, std::min_element(radii2.begin(), radii2.end()));
}

}  // namespace

void register_auto_delay() {
  delay_rules().add({.name = "auto",
                     .summary = "the delay that makes the final radius of the policy's own set smallest",
                     .formula = "d = argmin_{1<=d<=T} beta_T^2(d), computed in advance from the certificate",
                     .source = "MATHEMATICS.md E.4 (g)"},
                    {.choose = auto_rule, .growth = [](double, double best) { return best; }});
}

}  // namespace mixlab::bandit
