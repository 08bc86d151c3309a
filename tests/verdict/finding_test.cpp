#include "mixlab/verdict/finding.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/random/sampler.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

LevelSplits splits;

Judgement judgement(std::int64_t misses, std::int64_t n, double delta, study::Expected expected) {
  Judgement f;
  f.misses = misses;
  f.n = n;
  f.evidence = {{{n, misses}}, n};
  f.delta = delta;
  f.expected = expected;
  return f;
}

std::int64_t draw_misses(random::Stream& stream, std::int64_t n, double probability) {
  std::int64_t misses = 0;
  for (std::int64_t i = 0; i < n; ++i) misses += random::uniform(stream.next()) < probability;
  return misses;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(finding)

BOOST_AUTO_TEST_CASE(states_and_contradictions) {
  using study::Expected;
  struct Case {
    std::int64_t misses;
    Expected expected;
    State state;
    bool contradicted;
  };
  const Case cases[] = {
      {0, Expected::holds, State::certified, false},    {300, Expected::holds, State::violated, true},
      {100, Expected::holds, State::undecided, false},  {300, Expected::broken, State::violated, false},
      {100, Expected::broken, State::undecided, false}, {0, Expected::broken, State::certified, true},
      {300, Expected::any, State::none, false},         {0, Expected::any, State::none, false}};
  for (const Case& each : cases) {
    Judgement j = judgement(each.misses, 2000, 0.05, each.expected);
    judge(j, 0.05, 6, splits);
    BOOST_TEST((j.state == each.state));
    BOOST_TEST(j.contradicted == each.contradicted);
    BOOST_TEST(std::isnan(j.adjusted_violated) == (each.expected == Expected::any));
  }
}

BOOST_AUTO_TEST_CASE(one_trajectory_above_a_lemma_contradicts) {
  BoundFinding bound;
  bound.lemmas = {{"potential", 10, 9, 0, -1}, {"stale_rounds", 4, 4, 0, -1}};
  BOOST_TEST(!bound.contradicted());
  BOOST_TEST(bound.lemma("stale_rounds")->bound == 4);
  BOOST_TEST(!bound.lemma("fresh_potential"));
  bound.lemmas[1].violations = 1;
  BOOST_TEST(bound.contradicted());
}

BOOST_AUTO_TEST_CASE(trajectories_that_would_decide) {
  using study::Expected;
  Judgement at_delta = judgement(100, 2000, 0.05, Expected::holds);
  judge(at_delta, 0.05, 1, splits);
  BOOST_TEST(at_delta.n_to_decide == 0);  // exactly 5% missed: never
  for (const std::int64_t misses : {1, 4})
    for (const std::int64_t declared : {0, 40, 1000, 100000}) {
      Judgement few = judgement(misses, 40, 0.05, Expected::holds);
      few.evidence.n_declared = declared;
      judge(few, 0.05, 3, splits);
      BOOST_REQUIRE((few.state == State::undecided));
      BOOST_TEST(few.n_to_decide > 40);
      const auto state_after = [&](std::int64_t n) {
        const double all = few.miss_rate() * static_cast<double>(n);
        const auto k = static_cast<std::int64_t>(misses == 1 ? std::ceil(all) : std::floor(all));
        Judgement more = judgement(k, n, 0.05, Expected::holds);
        more.evidence.n_declared = declared;
        judge(more, 0.05, 3, splits);
        return more.state;
      };
      BOOST_TEST((state_after(few.n_to_decide) != State::undecided));
      BOOST_TEST((state_after(few.n_to_decide - 1) == State::undecided));
    }
}

// By simulation: 10^4 studies of so many trajectories that 7.5% misses at delta = 5% are just detectable.
BOOST_AUTO_TEST_CASE(power_by_simulation) {
  random::Stream stream = test_stream(83);
  const std::int64_t n_studies = 10000;
  std::int64_t n = 858;
  while (!(smallest_detectable(n, n, 0.05, splits.of(n, 0.05, 0.05), 0.9) <= 0.075)) ++n;
  BOOST_TEST(n < 920);
  const auto is_found = [&](std::int64_t size) {
    Judgement study = judgement(draw_misses(stream, size, 0.075), size, 0.05, study::Expected::holds);
    judge(study, 0.05, 1, splits);
    return study.state == State::violated;
  };
  std::int64_t found = 0, found_with_less = 0;
  for (std::int64_t i = 0; i < n_studies; ++i) {
    found += is_found(n);
    found_with_less += is_found(n / 2);
  }
  BOOST_TEST(lower_tail(found, n_studies, 0.9) > 1e-6);
  BOOST_TEST(lower_tail(found_with_less, n_studies, 0.9) < 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
