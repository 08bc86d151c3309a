#include "mixlab/verdict/regrets.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/store/results_file.h"

using namespace mixlab;
using namespace mixlab::verdict;

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(regrets)

// Horizons 40 and 90, two policies each: the regret at a cell's own horizon, trajectory by trajectory.
BOOST_AUTO_TEST_CASE(regret_at_the_horizon_of_each_cell) {
  const store::ResultsFile results(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  Regrets regrets(results);
  regrets.keep(3, 0, 40);
  regrets.keep(3, 40, 60);
  regrets.keep(1, 20, 40);  // what comes before is not there: nothing is kept
  const auto rounds = results.file().read<std::int64_t>("round");
  const auto all = results.file().read<double>("regret");
  const auto at = [&](std::size_t cell, std::size_t trajectory, std::int64_t round) {
    const auto place = std::find(rounds.begin(), rounds.end(), round) - rounds.begin();
    return all[(cell * 60 + trajectory) * rounds.size() + static_cast<std::size_t>(place)];
  };
  BOOST_TEST(regrets.read(0, 5, 7).size() == 2u);
  BOOST_TEST(regrets.read(0, 5, 7).at(1) == at(0, 6, 40));
  BOOST_TEST(regrets.read(3, 0, 60).at(59) == at(3, 59, 90));
  std::size_t n = 0;
  regrets.common_rows({1, 2})([&](RegretRow row) {
    BOOST_TEST(row.size() == 2u);
    BOOST_TEST(row[0] == at(1, n, 40));
    BOOST_TEST(row[1] == at(2, n, 90));
    ++n;
  });
  BOOST_TEST(n == 60u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
