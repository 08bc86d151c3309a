#include "engine/lanes/timetable.h"

#include <boost/test/unit_test.hpp>

#include "seed.h"

using namespace mixlab;
using namespace mixlab::engine::lanes;

namespace {

/// All rounds and all samples, each once and in order; before round t exactly the samples up to t - d(t).
void check_steps(const bandit::LagSchedule& schedule, int block, int look, std::int64_t T) {
  Timetable timetable(schedule, block, look, T);
  std::int64_t n_played = 0, n_entered = 0, n_seen = 0;
  while (const std::optional<Step> step = timetable.next()) {
    BOOST_REQUIRE(step->n_samples + step->n_rounds > 0);
    BOOST_REQUIRE((step->n_samples <= block && step->n_rounds <= block));
    if (step->n_samples > 0) {
      BOOST_REQUIRE(step->first_sample == n_entered + 1);
      BOOST_REQUIRE((step->first_sample - 1) / block == (step->first_sample + step->n_samples - 2) / block);
      n_entered += step->n_samples;
      BOOST_REQUIRE(n_seen / look == (n_entered - 1) / look || look == 1);
      BOOST_REQUIRE((step->look || (step->n_samples == block && n_entered % look != 0 && n_entered < T)));
      if (step->look) n_seen = n_entered;
    } else {
      BOOST_REQUIRE(!step->look);
    }
    BOOST_REQUIRE(n_entered <= n_played);
    if (step->n_rounds > 0) {
      BOOST_REQUIRE(step->first_round == n_played + 1);
      // the rounds need their data, sample after sample, and must not see more
      for (std::int64_t r = 0; r < step->n_rounds; ++r) {
        const std::int64_t t = step->first_round + r, n_behind = step->again ? 0 : step->n_samples - 1 - r;
        BOOST_REQUIRE((n_entered == 0 ? t == schedule.at(t) : n_entered - n_behind == t - schedule.at(t)));
      }
      if (n_entered > 0 && !step->again && step->first_round + step->n_samples <= T)
        BOOST_REQUIRE(step->n_samples == step->n_rounds);
      n_played += step->n_rounds;
    }
    // there is room for what is not looked at yet
    BOOST_REQUIRE(n_played - n_seen <= schedule.at(T) + std::max(block, look) - (n_seen < n_entered ? block : 0));
  }
  BOOST_TEST(n_seen == T);
  BOOST_TEST(n_played == T);
  BOOST_TEST(n_entered == T);
}

int draw_look(random::Stream& stream, int block) {
  return integer_in(stream, 0, 2) == 0 ? 1 : block * static_cast<int>(integer_in(stream, 1, 10 / block));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(every_sample_enters_once_and_in_time) {
  random::Stream stream = test_stream(7121);
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t lag = integer_in(stream, 1, 40), T = integer_in(stream, 1, 120);
    const int block = static_cast<int>(integer_in(stream, 1, std::min<std::int64_t>(lag, 10)));
    const int look = draw_look(stream, block);
    BOOST_TEST_CONTEXT("lag " << lag << ", blocks of " << block << ", looks at " << look << ", T = " << T)
    check_steps(bandit::LagSchedule(lag), block, look, T);
  }
}

BOOST_AUTO_TEST_CASE(lags_that_grow) {
  random::Stream stream = test_stream(7122);
  for (int i = 0; i < 2000; ++i) {
    const double start = uniform_in(stream, 1, 30), power = uniform_in(stream, 0, 0.9);
    const std::int64_t T = integer_in(stream, 1, 300);
    const bandit::LagSchedule schedule([&](std::int64_t t) { return start + std::pow(static_cast<double>(t), power); },
                                       T);
    const int block = static_cast<int>(integer_in(stream, 1, std::min<std::int64_t>(schedule.n_data_free(), 10)));
    const int look = draw_look(stream, block);
    BOOST_TEST_CONTEXT("lag " << start << " + t^" << power << ", blocks of " << block << ", looks at " << look
                              << ", T = " << T)
    check_steps(schedule, block, look, T);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
