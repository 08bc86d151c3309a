#include "mixlab/verdict/finding.h"

#include <algorithm>

namespace mixlab::verdict {
namespace {

constexpr double power = 0.9;

bool contradicts(State state, study::Expected expected) {
  return (expected == study::Expected::holds && state == State::violated) ||
         (expected == study::Expected::broken && state == State::certified);
}

}  // namespace

std::string name_of(State state) {
  switch (state) {
    case State::violated:
      return "violated";
    case State::certified:
      return "certified";
    case State::undecided:
      return "undecided";
    case State::none:
      break;
  }
  return "none";
}

void judge(Judgement& j, double alpha, std::int64_t n_words, LevelSplits& splits) {
  const double M = static_cast<double>(n_words), level = alpha / M;
  const LevelSplit& split = splits.of(j.evidence.n_declared, j.delta, level);
  j.miss_interval = clopper_pearson(j.misses, j.n, alpha);
  j.p = p_values(j.evidence, j.delta, split);
  if (j.expected == study::Expected::any) return;
  j.adjusted_violated = std::min(1.0, M * j.p.violated);
  j.adjusted_certified = std::min(1.0, M * j.p.certified);
  j.state = j.p.violated <= level ? State::violated : j.p.certified <= level ? State::certified : State::undecided;
  j.contradicted = contradicts(j.state, j.expected);
  const std::int64_t n_at_most = std::max(j.evidence.n(), j.stopped_early ? j.evidence.n_declared : 0);
  j.detectable = smallest_detectable(n_at_most, j.evidence.n_declared, j.delta, split, power);
  if (j.state == State::undecided && j.n > 0)
    j.n_to_decide = trials_to_decide(j.evidence, j.miss_rate(), j.delta, split);
}

const LemmaFinding* BoundFinding::lemma(const std::string& column) const {
  const auto found =
      std::find_if(lemmas.begin(), lemmas.end(), [&](const LemmaFinding& lemma) { return lemma.column == column; });
  return found == lemmas.end() ? nullptr : &*found;
}

bool BoundFinding::contradicted() const {
  return anytime.contradicted ||
         !std::all_of(lemmas.begin(), lemmas.end(), [](const LemmaFinding& lemma) { return lemma.holds(); });
}

}  // namespace mixlab::verdict
