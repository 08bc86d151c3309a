#include "mixlab/verdict/verdict.h"

#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>

#include "mixlab/core/error.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/engine/facts.h"
#include "mixlab/store/results_writer.h"
#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/calibration.h"
#include "mixlab/verdict/holm.h"
#include "mixlab/verdict/rate.h"
#include "seed.h"
#include "table.h"

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

// The same for the two tests of all deltas at once, on uniform p-values.
BOOST_AUTO_TEST_CASE(type_one_error_at_all_deltas_is_kept) {
  random::Stream stream = test_stream(82);
  const std::int64_t n_studies = 10000;
  const double alpha = 0.05;
  std::int64_t dkw = 0, simes = 0, too_small = 0;
  for (std::int64_t i = 0; i < n_studies; ++i) {
    std::vector<double> p(100);
    for (double& value : p) value = random::uniform(stream.next());
    const Calibration valid = calibrate(runs_of(p));
    dkw += valid.dkw <= alpha;
    simes += valid.simes <= alpha;
    for (double& value : p) value /= 1.3;  // p-values that are too small
    too_small += calibrate(runs_of(p)).dkw <= alpha;
  }
  BOOST_TEST(upper_tail(dkw, n_studies, alpha) > 1e-6);
  BOOST_TEST(upper_tail(simes, n_studies, alpha) > 1e-6);
  BOOST_TEST(lower_tail(simes, n_studies, alpha) > 1e-6);  // Simes is exact for uniform p-values
  BOOST_TEST(upper_tail(too_small, n_studies, alpha) < 1e-6);
}

struct PowerRow {
  double delta, factor, alpha;
  std::int64_t n;
};
const PowerRow power_table[] = {  // MATHEMATICS.md D.2
    {.01, 1.1, .05, 90696}, {.01, 1.1, .05 / 12, 160634}, {.01, 1.1, .05 / 100, 217522},
    {.01, 1.5, .05, 4525},  {.01, 1.5, .05 / 12, 7669},   {.01, 1.5, .05 / 100, 10279},
    {.05, 1.1, .05, 17381}, {.05, 1.1, .05 / 12, 30776},  {.05, 1.1, .05 / 100, 41674},
    {.05, 1.5, .05, 858},   {.05, 1.5, .05 / 12, 1458},   {.05, 1.5, .05 / 100, 1951},
    {.10, 1.1, .05, 8217},  {.10, 1.1, .05 / 12, 14544},  {.10, 1.1, .05 / 100, 19698},
    {.10, 1.5, .05, 405},   {.10, 1.5, .05 / 12, 683},    {.10, 1.5, .05 / 100, 916}};

BOOST_AUTO_TEST_CASE(stated_power) {
  for (const PowerRow& row : power_table) {
    const double mu = row.factor * row.delta;
    for (std::int64_t more = 0; more < 200; ++more)  // "at this and every larger N"
      BOOST_TEST(smallest_detectable(row.n + more, row.delta, row.alpha, 0.9) <= mu);
    BOOST_TEST(smallest_detectable(row.n - 1, row.delta, row.alpha, 0.9) > mu);
  }
  BOOST_TEST(std::isnan(smallest_detectable(1, 0.1, 0.05, 0.9)));  // one trial shows nothing
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

// Regret 3 x^0.7 times independent noise of mean 1: the interval covers 0.7 in at least 95% of the samples, short of
// what the bootstrap loses at this size (2.5%), and is not useless.
BOOST_AUTO_TEST_CASE(bootstrap_covers_the_slope) {
  random::Stream stream = test_stream(84);
  const std::vector<double> x = {100, 300, 1000};
  const std::int64_t n_samples = 400;
  std::int64_t covered = 0;
  double length = 0;
  for (std::int64_t i = 0; i < n_samples; ++i) {
    std::vector<std::vector<double>> samples(x.size());
    for (std::size_t s = 0; s < x.size(); ++s)
      for (int row = 0; row < 100; ++row)
        samples[s].push_back(3 * std::pow(x[s], 0.7) * 2 * random::uniform(stream.next()));
    const Slope slope = rate_of(x, rows_of(samples), Pairing::independent, 0.05, 200);
    covered += slope.interval.low <= 0.7 && 0.7 <= slope.interval.high;
    length += (slope.interval.high - slope.interval.low) / static_cast<double>(n_samples);
  }
  BOOST_TEST(lower_tail(covered, n_samples, 0.925) > 1e-6);
  BOOST_TEST(length < 0.15);
}

BOOST_AUTO_TEST_CASE(bootstrap_is_repeatable_and_pairs_rows) {
  const std::vector<double> x = {10, 100};
  // The same noise at both x: every resample has the same slope, if rows are kept together.
  const RegretTable samples = rows_of({{1, 2, 3, 4, 5}, {2, 4, 6, 8, 10}});
  const Slope together = rate_of(x, samples, Pairing::by_trajectory, 0.05);
  BOOST_TEST(std::abs(together.value - std::log10(2.0)) < 1e-12);
  BOOST_TEST(together.interval.high - together.interval.low < 1e-12);
  const Slope apart = rate_of(x, samples, Pairing::independent, 0.05);
  BOOST_TEST(apart.interval.high - apart.interval.low > 0.1);
  const Slope again = rate_of(x, samples, Pairing::independent, 0.05);
  BOOST_TEST(again.interval.low == apart.interval.low);
  BOOST_TEST(again.interval.high == apart.interval.high);
  BOOST_TEST(std::isnan(rate_of({10, 10}, samples, Pairing::independent, 0.05).value));
}

BOOST_AUTO_TEST_CASE(a_file_without_rows_is_refused) {
  const study::Study study(study::parse_study_text("[noise]\nrho = 0.5\n", "study.cfg"));
  const auto cells = engine::facts_of(engine::make_experiments(study));
  const auto path = std::filesystem::temp_directory_path() / ("mixlab-no-rows-" + std::to_string(getpid()) + ".h5");
  store::write_results(path, {study, cells, nullptr, {}, "", "", 1000});
  BOOST_CHECK_EXCEPTION(check(store::ResultsFile(path), 0.05, {}), InputError, [](const InputError& error) {
    return std::string(error.what()).starts_with("nothing to judge: ");
  });
  std::filesystem::remove(path);
}

BOOST_AUTO_TEST_SUITE_END()
