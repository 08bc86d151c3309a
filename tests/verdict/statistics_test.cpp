// Every statistic against tests/oracle/statistics.csv.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>

#include "mixlab/core/parameter.h"
#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/calibration.h"
#include "mixlab/verdict/comparison.h"
#include "mixlab/verdict/holm.h"
#include "mixlab/verdict/quantile.h"
#include "mixlab/verdict/rate.h"
#include "table.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

using Numbers = std::vector<double>;

std::int64_t whole(double number) {
  return static_cast<std::int64_t>(number);
}

Numbers tails(const Numbers& a) {
  return {upper_tail(whole(a[0]), whole(a[1]), a[2]), lower_tail(whole(a[0]), whole(a[1]), a[2])};
}

Numbers clopper_pearson_of(const Numbers& a) {
  const Interval interval = clopper_pearson(whole(a[0]), whole(a[1]), a[2]);
  return {interval.low, interval.high};
}

Numbers detectable(const Numbers& a) {
  return {smallest_detectable(whole(a[0]), a[1], a[2], a[3])};
}

Numbers calibration(const Numbers& p) {
  const Calibration result = calibrate(runs_of(p));
  return {result.excess, result.dkw, result.simes};
}

Numbers ranks(const Numbers& a) {
  const Ranks result = quantile_ranks(whole(a[0]), a[1], a[2]);
  return {static_cast<double>(result.lower), static_cast<double>(result.upper)};
}

Numbers paired(const Numbers& values) {
  const auto half = values.begin() + 1 + static_cast<std::ptrdiff_t>(values.size() / 2);
  const Comparison c = compare(rows_of({{values.begin() + 1, half}, {half, values.end()}}), values[0]);
  Numbers all = {c.difference,
                 c.difference_interval.low,
                 c.difference_interval.high,
                 static_cast<double>(c.wins),
                 static_cast<double>(c.ties),
                 c.win_interval.low,
                 c.win_interval.high};
  for (const Spread& spread : {c.a, c.b})
    for (const double value : {spread.mean, spread.median, spread.q90, spread.q99, spread.largest})
      all.push_back(value);
  return all;
}

Numbers slope(const Numbers& values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  return {log_log_slope({values.begin(), half}, {half, values.end()})};
}

Numbers numbers_in(const std::string& text) {
  Numbers numbers;
  for (const auto& word : split_blanks(text))
    numbers.push_back(word == "-" ? unknown : std::strtod(word.c_str(), nullptr));
  return numbers;
}

/// Probabilities as small as they come must still agree in their digits.
bool close(double mine, double theirs) {
  if (std::isnan(theirs)) return std::isnan(mine);
  return std::abs(mine - theirs) <= 1e-10 * std::abs(theirs) + 1e-300;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)

BOOST_AUTO_TEST_CASE(statistics_agree_with_the_oracle) {
  const std::map<std::string, std::function<Numbers(const Numbers&)>> statistics = {
      {"tails", tails},           {"clopper_pearson", clopper_pearson_of},
      {"detectable", detectable}, {"calibration", calibration},
      {"ranks", ranks},           {"paired", paired},
      {"slope", slope},           {"holm", holm}};
  std::ifstream table(MIXLAB_SOURCE_DIR "/tests/oracle/statistics.csv");
  std::map<std::string, int> seen;
  std::string line;
  while (std::getline(table, line)) {
    const auto columns = split(line, ',');
    const Numbers mine = statistics.at(columns.at(0))(numbers_in(columns.at(1)));
    const Numbers theirs = numbers_in(columns.at(2));
    BOOST_REQUIRE(mine.size() == theirs.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
      BOOST_TEST(close(mine[i], theirs[i]), columns[0] << "(" << columns[1] << ")[" << i << "]: " << mine[i]
                                                       << " here, " << theirs[i] << " there");
    ++seen[columns[0]];
  }
  BOOST_TEST(seen.size() == statistics.size());
}

BOOST_AUTO_TEST_SUITE_END()
