#include "mixlab/verdict/calibration.h"

#include <boost/test/unit_test.hpp>

#include "mixlab/random/sampler.h"
#include "seed.h"
#include "verdict/columns.h"
#include "verdict/oracle.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

Numbers calibration_of(const Numbers& p) {
  const Calibration result = calibrate(runs_of(p));
  return {result.excess, result.dkw, result.simes};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(calibration)

BOOST_AUTO_TEST_CASE(agrees_with_the_oracle) {
  compare_with_oracle("calibration", calibration_of);
}

BOOST_AUTO_TEST_CASE(a_sieve_finds_the_calibration_exactly_in_little_room) {
  for (const Column& column : awkward_columns()) {
    const Calibration whole = calibrate(runs_of(column));
    for (const std::size_t room : {64u, 1000u, 20000u}) {
      Sieve sieve(wanted_by_calibration, room);
      const int n_passes = sift(sieve, column);
      BOOST_TEST_MESSAGE(column.size() << " values, room for " << room << ": " << n_passes << " passes");
      const Calibration mine = calibrate(sieve.runs());
      BOOST_TEST(mine.excess == whole.excess);
      BOOST_TEST(mine.simes == whole.simes);
      BOOST_TEST(mine.dkw == whole.dkw);
    }
  }
}

// 10^4 simulated studies with uniform p-values: more alarms than the binomial test at 1e-6 allows would show an error.
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
