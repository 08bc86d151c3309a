#include "mixlab/verdict/verdict.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/holm.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

/// P(Bin(n,p) = k) summed in the plainest way.
double brute_upper_tail(std::int64_t k, std::int64_t n, double p) {
  long double sum = 0;
  for (std::int64_t i = k; i <= n; ++i) {
    const auto a = static_cast<long double>(i), b = static_cast<long double>(n);
    sum += std::exp(std::lgamma(b + 1) - std::lgamma(a + 1) - std::lgamma(b - a + 1) +
                    a * std::log(static_cast<long double>(p)) + (b - a) * std::log1p(-static_cast<long double>(p)));
  }
  return static_cast<double>(sum);
}

Judgement judgement(std::int64_t misses, std::int64_t n, double delta, study::Expected expected) {
  Judgement f;
  f.misses = misses;
  f.n = n;
  f.delta = delta;
  f.expected = expected;
  return f;
}

std::vector<Judgement*> pointers(std::vector<Judgement>& family) {
  std::vector<Judgement*> all;
  for (auto& one : family) all.push_back(&one);
  return all;
}

std::int64_t most_misses_not_rejected(std::int64_t n, double delta, double alpha) {
  std::int64_t k = 0;
  while (upper_tail(k + 1, n, delta) > alpha) ++k;
  return k;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)

BOOST_AUTO_TEST_CASE(tails_agree_with_brute_force) {
  for (const std::int64_t n : {1, 5, 60, 400})
    for (const double p : {1e-6, 0.01, 0.3, 0.9})
      for (std::int64_t k = 0; k <= n; k += std::max<std::int64_t>(1, n / 13)) {
        const double upper = brute_upper_tail(k, n, p);
        BOOST_TEST(std::abs(upper_tail(k, n, p) - upper) <= 1e-11 * std::max(upper, 1e-30));
        BOOST_TEST(std::abs(lower_tail(k, n, p) - (1 - brute_upper_tail(k + 1, n, p))) <= 1e-11);
      }
  BOOST_TEST(upper_tail(0, 10, 0.1) == 1);
  BOOST_TEST(lower_tail(10, 10, 0.1) == 1);
}

BOOST_AUTO_TEST_CASE(limits_invert_the_tails) {
  for (const std::int64_t n : {1, 20, 2000})
    for (std::int64_t k = 0; k <= n; k += std::max<std::int64_t>(1, n / 7)) {
      const double lower = lower_limit(k, n, 0.05), upper = upper_limit(k, n, 0.05);
      if (k > 0) BOOST_TEST(std::abs(upper_tail(k, n, lower) - 0.05) < 1e-10);
      if (k < n) BOOST_TEST(std::abs(lower_tail(k, n, upper) - 0.05) < 1e-10);
    }
  BOOST_TEST(lower_limit(0, 100, 0.05) == 0);
  BOOST_TEST(upper_limit(100, 100, 0.05) == 1);
  BOOST_TEST(std::abs(upper_limit(0, 2000, 0.05) - (1 - std::pow(0.05, 1.0 / 2000))) < 1e-12);
}

BOOST_AUTO_TEST_CASE(published_thresholds) {  // MATHEMATICS.md D.2
  BOOST_TEST(most_misses_not_rejected(2000, 0.05, 0.05) == 116);
  BOOST_TEST(most_misses_not_rejected(2000, 0.05, 0.05 / 12) == 127);
  BOOST_TEST(most_misses_not_rejected(2000, 0.01, 0.05) == 28);
  BOOST_TEST(most_misses_not_rejected(2000, 0.1, 0.05 / 12) == 236);
}

BOOST_AUTO_TEST_CASE(holm_by_hand) {
  const std::vector<double> adjusted = holm({0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected = {0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(std::abs(adjusted[i] - expected[i]) < 1e-15);
  BOOST_TEST(holm({0.9, 0.8})[0] == 1.0);
  BOOST_TEST(holm({}).empty());
}

BOOST_AUTO_TEST_CASE(states_and_contradictions) {
  using study::Expected;
  std::vector<Judgement> findings = {
      judgement(0, 2000, 0.05, Expected::holds),    judgement(300, 2000, 0.05, Expected::holds),
      judgement(100, 2000, 0.05, Expected::holds),  judgement(300, 2000, 0.05, Expected::broken),
      judgement(100, 2000, 0.05, Expected::broken), judgement(300, 2000, 0.05, Expected::any)};
  judge(pointers(findings), 0.05);
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
  BOOST_TEST((few[0].state == State::undecided));
  BOOST_TEST(few[0].n_to_decide > 40);
  // as many as it says do decide
  std::vector<Judgement> enough = {
      judgement(static_cast<std::int64_t>(std::ceil(0.025 * static_cast<double>(few[0].n_to_decide))),
                few[0].n_to_decide, 0.05, Expected::holds)};
  judge(pointers(enough), 0.05);
  BOOST_TEST((enough[0].state == State::certified));
}

// Ten sets exactly at delta: the probability that any is called violated is at most alpha = 0.05. Over 4000 simulated
// studies more than 4000 (0.05 + 0.0222) false alarms have probability below 1e-7 by Hoeffding's inequality; without
// Holm's correction there would be about 40%.
BOOST_AUTO_TEST_CASE(family_wise_error_is_kept) {
  random::Stream stream = test_stream(81);
  int n_alarms = 0, n_uncorrected = 0;
  const int n_studies = 4000;
  for (int i = 0; i < n_studies; ++i) {
    std::vector<Judgement> findings;
    bool uncorrected = false;
    for (int set = 0; set < 10; ++set) {
      std::int64_t misses = 0;
      for (int n = 0; n < 200; ++n) misses += random::uniform(stream.next()) < 0.1;
      findings.push_back(judgement(misses, 200, 0.1, study::Expected::holds));
      uncorrected |= upper_tail(misses, 200, 0.1) <= 0.05;
    }
    judge(pointers(findings), 0.05);
    bool alarm = false;
    for (const auto& f : findings) alarm |= f.state == State::violated;
    n_alarms += alarm;
    n_uncorrected += uncorrected;
  }
  BOOST_TEST(n_alarms <= n_studies * (0.05 + hoeffding_alarm(n_studies)));
  BOOST_TEST(n_uncorrected > n_studies * (0.05 + hoeffding_alarm(n_studies)));  // the test can fail
}

BOOST_AUTO_TEST_SUITE_END()
