#include "mixlab/verdict/sieve.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "verdict/columns.h"

using namespace mixlab;
using namespace mixlab::verdict;

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(sieve)

BOOST_AUTO_TEST_CASE(runs_are_the_sorted_column) {
  const Column column = {3, 1, 3, 2, 3};
  const auto runs = runs_of(column);
  BOOST_REQUIRE(runs.size() == 3u);
  BOOST_TEST(runs[2].value == 3);
  BOOST_TEST(runs[2].before == 2);
  BOOST_TEST(runs[2].last_rank() == 5);
  const double sorted[] = {1, 2, 3, 3, 3};
  for (std::int64_t rank = 1; rank <= 5; ++rank) BOOST_TEST(value_at(runs, rank) == sorted[rank - 1]);
}

// Whatever rank is asked for, it is found exactly, while no more than the room is held.
BOOST_AUTO_TEST_CASE(any_rank_is_found_in_little_room) {
  for (const Column& column : awkward_columns()) {
    if (column.empty()) continue;
    Column sorted = column;
    std::sort(sorted.begin(), sorted.end());
    const auto n = static_cast<std::int64_t>(column.size());
    for (const std::int64_t rank : {std::int64_t{1}, (n + 1) / 3 + 1, n}) {
      const auto wanted = [rank](const std::vector<ValueRun>& runs) {
        std::vector<std::size_t> gaps;
        for (std::size_t i = 1; i < runs.size(); ++i)
          if (runs[i - 1].last_rank() < rank && rank <= runs[i].before) gaps.push_back(i);
        return gaps;
      };
      Sieve sieve(wanted, 100);
      sift(sieve, column);
      BOOST_TEST(value_at(sieve.runs(), rank) == sorted[static_cast<std::size_t>(std::min(rank, n) - 1)]);
      if (n > 100) BOOST_TEST(sieve.runs().size() <= 800u);
    }
  }
}

// The first values split the others while these go by: a second pass looks into one gap.
BOOST_AUTO_TEST_CASE(two_passes_where_the_first_values_are_like_the_others) {
  const auto median = [](const std::vector<ValueRun>& runs) {
    std::vector<std::size_t> gaps;
    for (std::size_t i = 1; i < runs.size(); ++i)
      if (runs[i - 1].last_rank() < 10000 && 10000 <= runs[i].before) gaps.push_back(i);
    return gaps;
  };
  Sieve sieve(median, 1000);
  BOOST_TEST(sift(sieve, awkward_columns().front()) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
