#include "mixlab/bandit/schedule_rule.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/core/error.h"
#include "noise/laws.h"

using namespace mixlab;
using namespace mixlab::bandit;

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(schedule_rule)

BOOST_AUTO_TEST_CASE(geometric) {
  Values rho;
  rho.set("rho", 0.9);
  const auto sticky = make_process("sticky", rho);
  const LagCertificate certificate(*sticky);
  const LagSchedule schedule = make_schedule("schedule:geometric", {certificate, 12, 100000});
  BOOST_TEST(schedule.at(5000) == 84);
  const double tau = -1 / std::log(0.9), start = std::max(std::ceil(3 * tau), 24.0);
  for (const std::int64_t t : {200, 1000, 5000, 99999})
    BOOST_TEST(schedule.at(t) == 12 * std::ceil(tau / 12 * std::log(static_cast<double>(t) + start)));
  BOOST_TEST(schedule.n_data_free() >= 12);
  BOOST_TEST(make_schedule("schedule:2", {certificate, 1, 10000}).at(10000) > 1.9 * 84);
}

BOOST_AUTO_TEST_CASE(algebraic) {
  Values parameters;
  parameters.set("r", 0.6);
  parameters.set("shift", 1.0);
  parameters.set("generator", std::string("fft"));
  parameters.set("memory", std::int64_t{1000});
  parameters.set("law", std::string("rademacher"));
  const auto noise = make_process("algebraic", parameters, 10000);
  const LagCertificate certificate(*noise);
  const LagSchedule schedule = make_schedule("schedule:algebraic", {certificate, 1, 10000});
  const double wanted = std::ceil(std::pow(noise->algebraic()->C * 10000, 1 / 1.6));
  BOOST_TEST(static_cast<double>(schedule.at(10000)) == wanted);
  BOOST_CHECK_THROW(make_schedule("schedule:geometric", {certificate, 1, 100}), KeyError);
}

BOOST_AUTO_TEST_CASE(noise_that_forgets) {
  Values weights;
  weights.set("weights", std::string("1 1 1 1"));
  weights.set("law", std::string("rademacher"));
  const auto moving_average = make_process("moving-average", weights);
  const LagCertificate certificate(*moving_average);
  const LagSchedule schedule = make_schedule("schedule:geometric", {certificate, 1, 1000});
  for (const std::int64_t t : {4, 10, 1000}) BOOST_TEST(schedule.at(t) == 4);
  BOOST_CHECK_THROW(make_schedule("schedule:algebraic", {certificate, 1, 1000}), KeyError);
  BOOST_CHECK_THROW(make_schedule("schedule:-1", {certificate, 1, 1000}), KeyError);
  BOOST_CHECK_THROW(make_schedule("schedule:soon", {certificate, 1, 1000}), KeyError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
