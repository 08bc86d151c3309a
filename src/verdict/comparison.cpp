#include "mixlab/verdict/comparison.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace mixlab::verdict {
namespace {

/// Student's interval for a mean.
Interval student_interval(double mean, double squares, std::int64_t count, double alpha) {
  if (count < 2) return {};
  const double n = static_cast<double>(count);
  const boost::math::students_t student(n - 1);
  const double half = quantile(complement(student, alpha / 2)) * std::sqrt(squares / (n - 1) / n);
  return {mean - half, mean + half};
}

}  // namespace

Comparison compare(const RegretTable& rows, double alpha, std::size_t room) {
  Comparison result;
  std::vector<Sieve> sieves(2, Sieve(wanted_by_spread(alpha), room / 2));
  const auto sift = [&](RegretRow row) {
    sieves[0].take(row[0]);
    sieves[1].take(row[1]);
  };
  double sum = 0, sum_a = 0, sum_b = 0;
  rows([&](RegretRow row) {
    const double difference = row[0] - row[1];
    ++result.n;
    result.wins += difference < 0;
    result.ties += difference == 0;
    sum += difference;
    sum_a += row[0];
    sum_b += row[1];
    sift(row);
  });
  if (result.n == 0) return result;
  const double n = static_cast<double>(result.n);
  result.difference = sum / n;
  double squares = 0;  // around the mean, so in a second pass
  end_pass(sieves);
  rows([&](RegretRow row) {
    const double deviation = row[0] - row[1] - result.difference;
    squares += deviation * deviation;
    sift(row);
  });
  while (end_pass(sieves)) rows(sift);
  result.difference_interval = student_interval(result.difference, squares, result.n, alpha);
  result.win_interval = clopper_pearson(result.wins, result.n, alpha);
  result.a = spread_of(sum_a / n, sieves[0].runs(), alpha);
  result.b = spread_of(sum_b / n, sieves[1].runs(), alpha);
  return result;
}

}  // namespace mixlab::verdict
