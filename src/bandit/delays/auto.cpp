#include <algorithm>

#include "mixlab/bandit/delay.h"

namespace mixlab::bandit {
namespace {

constexpr std::int64_t longest_search = 1000000;

// The radius is not unimodal in d (union bound for d <= 2, then another): look at every d.
double auto_rule(const DelayQuestion& question) {
  std::int64_t best = 1;
  double smallest = question.final_radius2(1);
  for (std::int64_t d = 2; d <= std::min(question.T, longest_search); ++d) {
    const double radius2 = question.final_radius2(d);
    if (!(radius2 < smallest)) continue;
    smallest = radius2;
    best = d;
  }
  return static_cast<double>(best);
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
