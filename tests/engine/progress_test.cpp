#include "mixlab/engine/progress.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <sstream>

using namespace mixlab;
using namespace mixlab::engine;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(line) {
  const Tally tally{1000, 4000, 500, 2.5e6, {"paper", "oful"}, {0, 321}};
  BOOST_TEST(progress_line(tally, 5, 200) ==
             "1000/4000 trajectories 25%  500k rounds/s  0:30 left  misses in this run: paper 0, oful 321");
  BOOST_TEST(progress_line(tally, 5, 86) ==
             "1000/4000 trajectories 25%  500k rounds/s  0:30 left  misses in this run: paper 0");
  Tally fresh = tally;
  fresh.computed = fresh.done;
  BOOST_TEST(progress_line(fresh, 5, 200).ends_with("  misses: paper 0, oful 321"));
  BOOST_TEST(progress_line(tally, 5, 20).size() == 20u);
  BOOST_TEST(clock_text(3723) == "1:02:03");
}

BOOST_AUTO_TEST_CASE(plain_lines_come_every_30_seconds_and_quiet_says_nothing) {
  double now = 0;
  const Tally tally{1, 2, 1, 10, {}, {}};
  std::ostringstream plain, quiet;
  Progress a(plain, Progress::Style::plain, [&] { return now; });
  Progress b(quiet, Progress::Style::quiet, [&] { return now; });
  for (; now <= 95; ++now) {
    a.show(tally);
    b.show(tally);
  }
  b.finish(tally);
  const std::string text = plain.str();
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 3);
  BOOST_TEST(quiet.str().empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
