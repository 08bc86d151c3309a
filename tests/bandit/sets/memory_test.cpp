// Written from the page of mathematics by somebody who had not seen the code: tests/oracle/memory.csv.
#include "memory.h"

#include <boost/test/unit_test.hpp>
#include <map>

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

bool agree(double x, double y) {
  return std::abs(x - y) <= 1e-12 * std::abs(y);
}

/// Logarithms near 0 are differences of larger numbers.
bool logs_agree(double x, double y) {
  return std::abs(x - y) <= 1e-12 * std::max(1.0, std::abs(y));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(memory)

BOOST_AUTO_TEST_CASE(distances_radii_and_p_values_agree_with_the_oracle) {
  std::map<std::string, int> checked;
  std::map<std::int64_t, OracleTrial> trials;
  for (const OracleLine& line : oracle_table("memory.csv")) {
    OracleTrial& trial = trials.try_emplace(line.integer("seed"), line).first->second;
    trial.play_until(line.integer("t"), line.real("times") * trial.theta());
    BOOST_TEST_CONTEXT(line.text("set") << " seed " << line.text("seed") << " t " << line.text("t")) {
      BOOST_TEST(agree(trial.distance2(), line.real("distance2")));
      BOOST_TEST(agree(trial.radius2(), line.real("radius2")));
      BOOST_TEST(logs_agree(trial.log_p_round(), line.real("log_p_round")));
      BOOST_TEST(logs_agree(trial.log_p(), line.real("log_p")));
      if (!trial.is_two_sided()) BOOST_TEST(agree(trial.default_lambda(), line.real("own_lambda")));
    }
    ++checked[line.text("set")];
  }
  for (const char* name : {"joint", "adaptive-sticky", "hac-tau", "hac-lrv", "selfnorm", "telescope"})
    BOOST_TEST(checked[name] > 30, name);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
