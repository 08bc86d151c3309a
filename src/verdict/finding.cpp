#include "mixlab/verdict/finding.h"

#include <algorithm>

#include "mixlab/core/text.h"
#include "mixlab/verdict/holm.h"

namespace mixlab::verdict {
namespace {

constexpr double power = 0.9;

State state_of(const Judgement& judgement, double alpha) {
  if (judgement.holm_violated <= alpha) return State::violated;
  if (judgement.holm_certified <= alpha) return State::certified;
  return State::undecided;
}

bool contradicts(State state, study::Expected expected) {
  return (expected == study::Expected::holds && state == State::violated) ||
         (expected == study::Expected::broken && state != State::violated);
}

}  // namespace

std::string name_of(State state) {
  return state == State::violated ? "violated" : state == State::certified ? "certified" : "undecided";
}

void judge(const std::vector<Judgement*>& family, double alpha) {
  std::vector<Judgement*> tested;
  std::vector<double> p_violated, p_certified;
  for (Judgement* j : family) {
    j->miss_interval = clopper_pearson(j->misses, j->n, alpha);
    j->holm_violated = j->p_violated = upper_tail(j->misses, j->n, j->delta);
    j->holm_certified = j->p_certified = lower_tail(j->misses, j->n, j->delta);
    if (j->expected == study::Expected::any) continue;
    tested.push_back(j);
    p_violated.push_back(j->p_violated);
    p_certified.push_back(j->p_certified);
  }
  p_violated = holm(p_violated);
  p_certified = holm(p_certified);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    tested[i]->holm_violated = p_violated[i];
    tested[i]->holm_certified = p_certified[i];
  }
  for (Judgement* j : family) {
    j->state = state_of(*j, alpha);
    j->contradicted = contradicts(j->state, j->expected);
  }
}

void look_ahead(const std::vector<Judgement*>& family, double alpha) {
  const auto n_tested = std::count_if(family.begin(), family.end(),
                                      [](const Judgement* j) { return j->expected != study::Expected::any; });
  for (Judgement* j : family) {
    const double level = j->expected == study::Expected::any ? alpha : alpha / static_cast<double>(n_tested);
    j->detectable = smallest_detectable(j->n, j->delta, level, power);
    if (j->state == State::undecided && j->n > 0) j->n_to_decide = trials_to_decide(j->miss_rate(), j->delta, level);
  }
}

}  // namespace mixlab::verdict
