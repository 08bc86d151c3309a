#include "mixlab/verdict/comparison.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "mixlab/verdict/quantile.h"

namespace mixlab::verdict {
namespace {

double mean_of(const std::vector<double>& sample) {
  return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
}

Interval student_interval(const std::vector<double>& sample, double mean, double alpha) {
  if (sample.size() < 2) return {};
  const double n = static_cast<double>(sample.size());
  double squares = 0;
  for (const double value : sample) squares += (value - mean) * (value - mean);
  const boost::math::students_t student(n - 1);
  const double half = quantile(complement(student, alpha / 2)) * std::sqrt(squares / (n - 1) / n);
  return {mean - half, mean + half};
}

}  // namespace

Spread spread_of(std::vector<double> sample, double alpha) {
  if (sample.empty()) return {};
  const double mean = mean_of(sample);
  std::sort(sample.begin(), sample.end());
  return {mean,
          quantile(sample, 0.5),
          quantile(sample, 0.9),
          quantile(sample, 0.99),
          quantile_interval(sample, 0.99, alpha),
          sample.back()};
}

Comparison compare(const std::vector<double>& a, const std::vector<double>& b, double alpha) {
  Comparison result;
  result.n = static_cast<std::int64_t>(a.size());
  if (a.empty()) return result;
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    differences[i] = a[i] - b[i];
    result.wins += differences[i] < 0;
    result.ties += differences[i] == 0;
  }
  result.difference = mean_of(differences);
  result.difference_interval = student_interval(differences, result.difference, alpha);
  result.win_interval = clopper_pearson(result.wins, result.n, alpha);
  result.a = spread_of(a, alpha);
  result.b = spread_of(b, alpha);
  return result;
}

}  // namespace mixlab::verdict
