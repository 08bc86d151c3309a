#include "mixlab/verdict/quantile.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "verdict/columns.h"
#include "verdict/oracle.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

Numbers ranks(const Numbers& a) {
  const Ranks result = quantile_ranks(whole(a[0]), a[1], a[2]);
  return {static_cast<double>(result.lower), static_cast<double>(result.upper)};
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(quantiles)

BOOST_AUTO_TEST_CASE(ranks_agree_with_the_oracle) {
  compare_with_oracle("ranks", ranks);
}

BOOST_AUTO_TEST_CASE(a_sieve_finds_quantiles_exactly_in_little_room) {
  const std::vector<double> shares = {0.5, 0.95, 0.99, 1, 0.0001};
  for (const Column& column : awkward_columns()) {
    const auto whole = runs_of(column);
    for (const std::size_t room : {64u, 1000u, 20000u}) {
      Sieve sieve(wanted_quantiles(shares, 0.05), room);
      const int n_passes = sift(sieve, column);
      BOOST_TEST(n_passes <= (room >= column.size() ? 1 : room >= 1000 ? 7 : 20));
      if (room < column.size()) BOOST_TEST(sieve.runs().size() <= 8 * room);
      for (const double q : shares) {
        BOOST_TEST(same(quantile(sieve.runs(), q), quantile(whole, q)));
        const Interval mine = quantile_interval(sieve.runs(), q, 0.05), theirs = quantile_interval(whole, q, 0.05);
        BOOST_TEST(same(mine.low, theirs.low));
        BOOST_TEST(same(mine.high, theirs.high));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
