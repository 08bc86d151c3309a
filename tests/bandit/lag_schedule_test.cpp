#include "mixlab/bandit/lag_schedule.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "seed.h"

using namespace mixlab;
using namespace mixlab::bandit;

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(lag_schedule)

BOOST_AUTO_TEST_CASE(constant_lags) {
  const LagSchedule schedule(5);
  for (std::int64_t t = 1; t < 20; ++t) BOOST_TEST(schedule.at(t) == std::min<std::int64_t>(t, 5));
  BOOST_TEST(schedule.n_data_free() == 5);
  BOOST_TEST(schedule.last_with_lag_of(7, 19) == 19);
}

/// d(t+1) = min(d(t) + 1, max(d(t), rule(t+1))), round by round.
BOOST_AUTO_TEST_CASE(rules_are_followed_one_round_at_a_time) {
  random::Stream stream = test_stream(171);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const double size = uniform_in(stream, 0, 12), power = uniform_in(stream, 0, 0.95);
    const auto rule = [&](std::int64_t t) { return std::ceil(size * std::pow(static_cast<double>(t), power)); };
    const std::int64_t T = integer_in(stream, 1, 400);
    const LagSchedule schedule(rule, T), longer(rule, 2 * T);
    double d = 1;
    bool data_free = true;
    for (std::int64_t t = 1; t <= T; ++t) {
      if (t > 1) d = std::min(d + 1, std::max(d, rule(t)));
      BOOST_REQUIRE(schedule.at(t) == static_cast<std::int64_t>(d));
      BOOST_REQUIRE(longer.at(t) == schedule.at(t));
      data_free = data_free && schedule.at(t) == t;
      BOOST_REQUIRE(data_free == (t <= schedule.n_data_free()));
      if (t > schedule.n_data_free()) {
        const std::int64_t last = schedule.last_with_lag_of(t, T);
        BOOST_REQUIRE((schedule.at(last) == schedule.at(t) && (last == T || schedule.at(last + 1) > schedule.at(t))));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
