#include "engine/lanes/timetable.h"

#include <boost/test/unit_test.hpp>

#include "seed.h"

using namespace mixlab;
using namespace mixlab::engine::lanes;

namespace {

/// All rounds and all samples, each once and in order; before round t exactly the samples up to t - lag.
void check_steps(std::int64_t lag, int block, std::int64_t T) {
  Timetable timetable(lag, block, T);
  std::int64_t n_played = 0, n_entered = 0;
  while (const std::optional<Step> step = timetable.next()) {
    BOOST_REQUIRE(step->n_samples + step->n_rounds > 0);
    BOOST_REQUIRE((step->n_samples <= block && step->n_rounds <= block));
    if (step->n_samples > 0) {
      BOOST_REQUIRE(step->first_sample == n_entered + 1);
      BOOST_REQUIRE((step->first_sample - 1) / block == (step->first_sample + step->n_samples - 2) / block);
      n_entered += step->n_samples;
    }
    BOOST_REQUIRE(n_entered <= n_played);
    if (step->n_rounds > 0) {
      BOOST_REQUIRE(step->first_round == n_played + 1);
      // the round needs its data, and must not see more
      BOOST_REQUIRE(n_entered == std::max<std::int64_t>(0, step->first_round + step->n_rounds - 1 - lag));
      if (n_entered > 0) BOOST_REQUIRE(step->n_samples == step->n_rounds);
      n_played += step->n_rounds;
    }
  }
  BOOST_TEST(n_played == T);
  BOOST_TEST(n_entered == T);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(every_sample_enters_once_and_in_time) {
  random::Stream stream = test_stream(7121);
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t lag = integer_in(stream, 1, 40), T = integer_in(stream, 1, 120);
    const int block = static_cast<int>(integer_in(stream, 1, std::min<std::int64_t>(lag, 10)));
    BOOST_TEST_CONTEXT("lag " << lag << ", blocks of " << block << ", T = " << T) check_steps(lag, block, T);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
