#include "mixlab/rare/estimate.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "mixlab/core/text.h"
#include "mixlab/verdict/binomial.h"

namespace mixlab::rare {
namespace {

constexpr double least_ess = 100;
constexpr double largest_share_allowed = 0.05;
constexpr double halves_apart_allowed = 3;     ///< standard errors
constexpr double largest_error_allowed = 0.3;  ///< of a mean of repetitions, relative
constexpr auto n_batches = static_cast<std::size_t>(Mixture::n_batches);

/// The weights of one target, divided by the largest of them.
struct Weights {
  double log_largest = -std::numeric_limits<double>::infinity();
  std::vector<double> values;

  Weights(const std::vector<PathRow>& rows, std::size_t target) {
    for (const PathRow& row : rows) log_largest = std::max(log_largest, row.log_weight[target]);
    for (const PathRow& row : rows) values.push_back(std::exp(row.log_weight[target] - log_largest));
  }
};

struct Sums {
  double sum = 0, sum2 = 0;
  std::array<double, n_batches> batch{};  ///< mean of each batch
  double variance = 0;                    ///< of the mean, stratified by component
};

Sums sums_of(const Mixture& mixture, const std::vector<double>& weights) {
  Sums all;
  const auto total = static_cast<double>(weights.size());
  std::size_t path = 0;
  for (const std::int64_t n : mixture.n_paths) {
    double sum = 0, sum2 = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double weight = weights[path++];
      sum += weight;
      sum2 += weight * weight;
      all.batch[static_cast<std::size_t>(i) % n_batches] += weight * n_batches / total;
    }
    const auto size = static_cast<double>(n);
    const double spread = std::max(0.0, sum2 - sum * sum / size) / (size - 1);
    all.variance += size * spread / (total * total);
    all.sum += sum;
    all.sum2 += sum2;
  }
  return all;
}

/// Mean of every second batch, from `first` on, and its squared standard error.
std::pair<double, double> half(const Sums& sums, std::size_t first) {
  const double n = n_batches / 2;
  double mean = 0, spread = 0;
  for (std::size_t b = first; b < n_batches; b += 2) mean += sums.batch[b] / n;
  for (std::size_t b = first; b < n_batches; b += 2) spread += (sums.batch[b] - mean) * (sums.batch[b] - mean);
  return {mean, spread / (n - 1) / n};
}

std::string why_not_reliable(const Estimate& estimate, const Sums& sums) {
  if (estimate.ess < least_ess) return "effective sample size " + to_text(std::floor(estimate.ess)) + " below 100";
  if (estimate.largest_share > largest_share_allowed)
    return "one path has " + to_text(std::round(100 * estimate.largest_share)) + " % of the weight";
  const auto [even, even_error2] = half(sums, 0);
  const auto [odd, odd_error2] = half(sums, 1);
  if (std::abs(even - odd) > halves_apart_allowed * std::sqrt(even_error2 + odd_error2))
    return "two halves of the paths disagree";
  return {};
}

/// Half the width of the interval of log estimate, by the t distribution of the batch means.
double log_half_width(const Sums& sums, double mean) {
  double spread = 0;
  for (const double batch : sums.batch) spread += (batch - mean) * (batch - mean);
  const double error = std::sqrt(spread / (n_batches - 1) / n_batches);
  return boost::math::quantile(boost::math::students_t(n_batches - 1), 1 - Estimate::alpha / 2) * error / mean;
}

/// The logarithm of a mean, and its standard error.
struct LogMean {
  double value = 0, error = 0;
};

LogMean plain_mean(const std::vector<double>& logs) {
  const auto n = static_cast<double>(logs.size());
  const double log_mean = log_sum_exp(logs) - std::log(n);
  double spread = 0;
  for (const double log : logs) spread += std::pow(std::exp(log - log_mean) - 1, 2);
  return {log_mean, std::sqrt(spread / (n - 1) / n)};
}

/// If the logarithms are normal, as those of large populations are: it knows of the values that have not come up.
LogMean lognormal_mean(const std::vector<double>& logs) {
  const auto n = static_cast<double>(logs.size());
  const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / n;
  double spread = 0;
  for (const double log : logs) spread += (log - mean) * (log - mean);
  const double variance = spread / (n - 1);
  return {mean + variance / 2, std::sqrt(variance / n + variance * variance / (2 * (n - 1)))};
}

}  // namespace

Estimate estimate_twisted(const Mixture& mixture, const std::vector<PathRow>& rows, std::size_t target,
                          double guarantee) {
  Estimate estimate;
  estimate.method = "twisted";
  estimate.paths = static_cast<std::int64_t>(rows.size());
  const auto hit = [&](const PathRow& row) { return row.first_crossing[target] > 0; };
  estimate.hits = std::count_if(rows.begin(), rows.end(), hit);
  const std::int64_t n_plain = mixture.n_paths.front();
  const std::int64_t plain_hits = std::count_if(rows.begin(), rows.begin() + n_plain, hit);
  estimate.upper_limit = std::isnan(guarantee) ? verdict::upper_limit(plain_hits, n_plain, Estimate::alpha) : guarantee;
  if (!estimate.found()) {
    estimate.why = "no path found; below what this effort could see";
    return estimate;
  }
  const Weights weights(rows, target);
  const Sums sums = sums_of(mixture, weights.values);
  const double mean = sums.sum / static_cast<double>(rows.size());
  estimate.log10_estimate = (weights.log_largest + std::log(mean)) * std::numbers::log10e;
  estimate.relative_error = std::sqrt(sums.variance) / mean;
  estimate.ess = sums.sum * sums.sum / sums.sum2;
  estimate.largest_share = 1 / sums.sum;
  estimate.log10_lower_limit = estimate.log10_estimate + std::log10(Estimate::alpha);
  estimate.why = why_not_reliable(estimate, sums);
  estimate.reliable = estimate.why.empty();
  if (estimate.reliable) {
    const double width = log_half_width(sums, mean) * std::numbers::log10e;
    estimate.log10_low = estimate.log10_estimate - width;
    estimate.log10_high = estimate.log10_estimate + width;
  }
  return estimate;
}

Estimate estimate_repetitions(const std::string& method, const std::vector<Repetition>& repetitions, std::size_t level,
                              double guarantee) {
  Estimate estimate;
  estimate.method = method;
  estimate.upper_limit = guarantee;
  std::vector<double> logs;
  for (const Repetition& each : repetitions) {
    logs.push_back(each.log_estimates[level]);
    estimate.paths += each.n_paths;
    estimate.hits += std::isfinite(logs.back());
  }
  if (!estimate.found()) {
    estimate.why = "no path found; below what this effort could see";
    return estimate;
  }
  const auto n = static_cast<double>(logs.size());
  const double log_sum = log_sum_exp(logs);
  double sum2 = 0;
  for (const double log : logs) sum2 += std::exp(2 * (log - log_sum));
  const LogMean plain = plain_mean(logs);
  estimate.log10_estimate = plain.value * std::numbers::log10e;
  estimate.relative_error = plain.error;
  estimate.ess = 1 / sum2;
  estimate.largest_share = std::exp(*std::max_element(logs.begin(), logs.end()) - log_sum);
  estimate.log10_lower_limit = estimate.log10_estimate + std::log10(Estimate::alpha);
  if (estimate.hits < static_cast<std::int64_t>(logs.size())) {
    estimate.why = "some populations found no path";
    return estimate;
  }
  const LogMean lognormal = lognormal_mean(logs);
  if (const double error = std::max(plain.error, lognormal.error); error > largest_error_allowed) {
    estimate.why = "populations differ too much, relative error " + to_text(std::round(100 * error)) + " %";
    return estimate;
  }
  estimate.reliable = 1;
  const double t = boost::math::quantile(boost::math::students_t(n - 1), 1 - Estimate::alpha / 2);
  estimate.log10_low =
      std::min(plain.value - t * plain.error, lognormal.value - t * lognormal.error) * std::numbers::log10e;
  estimate.log10_high =
      std::max(plain.value + t * plain.error, lognormal.value + t * lognormal.error) * std::numbers::log10e;
  return estimate;
}

}  // namespace mixlab::rare
