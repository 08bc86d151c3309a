#include "mixlab/verdict/finding.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/random/sampler.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

Judgement judgement(std::int64_t misses, std::int64_t n, double delta, study::Expected expected) {
  Judgement f;
  f.misses = misses;
  f.n = n;
  f.delta = delta;
  f.expected = expected;
  return f;
}

std::int64_t draw_misses(random::Stream& stream, std::int64_t n, double probability) {
  std::int64_t misses = 0;
  for (std::int64_t i = 0; i < n; ++i) misses += random::uniform(stream.next()) < probability;
  return misses;
}

std::vector<Judgement*> pointers(std::vector<Judgement>& family) {
  std::vector<Judgement*> all;
  for (auto& one : family) all.push_back(&one);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(finding)

BOOST_AUTO_TEST_CASE(states_and_contradictions) {
  using study::Expected;
  std::vector<Judgement> findings = {
      judgement(0, 2000, 0.05, Expected::holds),    judgement(300, 2000, 0.05, Expected::holds),
      judgement(100, 2000, 0.05, Expected::holds),  judgement(300, 2000, 0.05, Expected::broken),
      judgement(100, 2000, 0.05, Expected::broken), judgement(300, 2000, 0.05, Expected::any)};
  judge(pointers(findings), 0.05);
  look_ahead(pointers(findings), 0.05);
  const State states[] = {State::certified, State::violated,  State::undecided,
                          State::violated,  State::undecided, State::violated};
  const bool contradicted[] = {false, true, false, false, true, false};
  for (std::size_t i = 0; i < 6; ++i) {
    BOOST_TEST((findings[i].state == states[i]));
    BOOST_TEST(findings[i].contradicted == contradicted[i]);
  }
  BOOST_TEST(findings[2].n_to_decide == 0);  // exactly 5% missed: never
  std::vector<Judgement> few = {judgement(1, 40, 0.05, Expected::holds)};
  judge(pointers(few), 0.05);
  look_ahead(pointers(few), 0.05);
  BOOST_TEST((few[0].state == State::undecided));
  BOOST_TEST(few[0].n_to_decide > 40);
  // as many as it says do decide
  std::vector<Judgement> enough = {
      judgement(static_cast<std::int64_t>(std::ceil(0.025 * static_cast<double>(few[0].n_to_decide))),
                few[0].n_to_decide, 0.05, Expected::holds)};
  judge(pointers(enough), 0.05);
  BOOST_TEST((enough[0].state == State::certified));
}

// Ten sets exactly at delta, in 10^4 simulated studies. The probability that any is called violated is at most alpha,
// and so is the probability that any is called certified: more alarms than the binomial test at 1e-6 allows would show
// an error. Without Holm's correction there are about 30%.
BOOST_AUTO_TEST_CASE(type_one_error_is_kept) {
  random::Stream stream = test_stream(81);
  const std::int64_t n_studies = 10000, n_sets = 10, n = 200;
  const double delta = 0.1, alpha = 0.05;
  std::int64_t violated = 0, certified = 0, uncorrected = 0;
  for (std::int64_t i = 0; i < n_studies; ++i) {
    std::vector<Judgement> study;
    for (std::int64_t set = 0; set < n_sets; ++set)
      study.push_back(judgement(draw_misses(stream, n, delta), n, delta, study::Expected::holds));
    judge(pointers(study), alpha);
    const auto any = [&](const auto& is) { return std::any_of(study.begin(), study.end(), is); };
    violated += any([](const Judgement& j) { return j.state == State::violated; });
    certified += any([](const Judgement& j) { return j.state == State::certified; });
    uncorrected += any([&](const Judgement& j) { return j.p_violated <= alpha; });
  }
  BOOST_TEST_MESSAGE("wrong verdicts in 10^4 studies: " << violated << " violated, " << certified << " certified");
  BOOST_TEST(upper_tail(violated, n_studies, alpha) > 1e-6);
  BOOST_TEST(upper_tail(certified, n_studies, alpha) > 1e-6);
  BOOST_TEST(upper_tail(uncorrected, n_studies, alpha) < 1e-6);  // the test can fail
}

// By simulation: 10^4 studies of 858 trajectories with 7.5% misses at delta = 5%.
BOOST_AUTO_TEST_CASE(power_by_simulation) {
  random::Stream stream = test_stream(83);
  const std::int64_t n_studies = 10000;
  std::int64_t found = 0, found_with_less = 0;
  for (std::int64_t i = 0; i < n_studies; ++i) {
    std::vector<Judgement> study = {judgement(draw_misses(stream, 858, 0.075), 858, 0.05, study::Expected::holds)};
    std::vector<Judgement> half = {judgement(draw_misses(stream, 429, 0.075), 429, 0.05, study::Expected::holds)};
    judge(pointers(study), 0.05);
    judge(pointers(half), 0.05);
    found += study[0].state == State::violated;
    found_with_less += half[0].state == State::violated;
  }
  BOOST_TEST(lower_tail(found, n_studies, 0.9) > 1e-6);
  BOOST_TEST(lower_tail(found_with_less, n_studies, 0.9) < 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
