#include "mixlab/verdict/rate.h"

#include <algorithm>
#include <cmath>

#include "mixlab/random/stream.h"
#include "mixlab/verdict/quantile.h"

namespace mixlab::verdict {
namespace {

/// Sums of resamples: n draws with replacement, from one stream a (resample, sample).
class Resampler {
 public:
  Resampler(std::uint64_t resample, std::uint64_t sample)
      : stream_({0, sample, resample, random::Purpose::bootstrap}) {}

  /// Uniform on 0..n-1, n < 2^32; two from a word.
  std::size_t index(std::size_t n) {
    if (!half_) word_ = stream_.next();
    half_ = !half_;
    const std::uint64_t bits = half_ ? word_ >> 32 : word_ & 0xffffffff;
    return static_cast<std::size_t>((bits * n) >> 32);
  }

 private:
  random::Stream stream_;
  std::uint64_t word_ = 0;
  bool half_ = false;
};

/// The part of a table that is held, column by column.
struct Held {
  std::size_t first = 0;  ///< row
  std::size_t n_rows = 0;
  std::vector<std::vector<double>> columns;
};

Held hold(const Rows& rows, std::size_t first, std::size_t n_rows, std::size_t n_columns) {
  Held held{first, 0, std::vector<std::vector<double>>(n_columns)};
  std::size_t number = 0;
  rows([&](Row row) {
    if (number >= first && number - first < n_rows) {
      for (std::size_t c = 0; c < n_columns; ++c) held.columns[c].push_back(row[c]);
      ++held.n_rows;
    }
    ++number;
  });
  return held;
}

/// Adds to the sums of a resample of n rows those of its draws that are held.
void add_draws(const Held& held, std::size_t n, Pairing pairing, std::uint64_t resample, double* sums) {
  const std::size_t n_columns = held.columns.size();
  if (pairing == Pairing::by_trajectory) {
    Resampler draw(resample, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = draw.index(n) - held.first;  // wraps around to a large number if it is before
      if (row >= held.n_rows) continue;
      for (std::size_t c = 0; c < n_columns; ++c) sums[c] += held.columns[c][row];
    }
    return;
  }
  for (std::size_t c = 0; c < n_columns; ++c) {
    Resampler draw(resample, c);
    for (std::size_t i = 0; i < n; ++i)
      if (const std::size_t row = draw.index(n) - held.first; row < held.n_rows) sums[c] += held.columns[c][row];
  }
}

/// The means of every resample, one after the other. Where the table is not held at once, the draws are repeated for
/// each part of it.
std::vector<double> resampled_means(const Rows& rows, std::size_t n, std::size_t n_columns, Pairing pairing,
                                    std::size_t n_resamples, std::size_t room) {
  std::vector<double> means(n_resamples * n_columns, 0);
  const std::size_t n_held = std::max<std::size_t>(1, room / n_columns);
  for (std::size_t first = 0; first < n; first += n_held) {
    const Held held = hold(rows, first, n_held, n_columns);
    for (std::size_t i = 0; i < n_resamples; ++i) add_draws(held, n, pairing, i, &means[i * n_columns]);
  }
  for (double& mean : means) mean /= static_cast<double>(n);
  return means;
}

}  // namespace

double log_log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += std::log(x[i]) / n;
    mean_y += std::log(y[i]) / n;
  }
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - mean_x;
    xx += dx * dx;
    xy += dx * (std::log(y[i]) - mean_y);
  }
  return xx > 0 && std::isfinite(xy) ? xy / xx : unknown;
}

Means means_of(const Rows& rows, std::size_t n_columns) {
  Means means{0, std::vector<double>(n_columns, 0)};
  rows([&](Row row) {
    ++means.n;
    for (std::size_t c = 0; c < n_columns; ++c) means.values[c] += row[c];
  });
  for (double& mean : means.values) mean /= static_cast<double>(means.n);
  return means;
}

Slope rate_of(const std::vector<double>& x, const Rows& rows, Pairing pairing, double alpha, int n_resamples,
              std::size_t room) {
  const Means means = means_of(rows, x.size());
  Slope slope{log_log_slope(x, means.values), {}};
  if (std::isnan(slope.value)) return slope;
  const auto resampled = resampled_means(rows, static_cast<std::size_t>(means.n), x.size(), pairing,
                                         static_cast<std::size_t>(n_resamples), room);
  std::vector<double> slopes;
  for (auto row = resampled.begin(); row != resampled.end(); row += static_cast<std::ptrdiff_t>(x.size()))
    slopes.push_back(log_log_slope(x, {row, row + static_cast<std::ptrdiff_t>(x.size())}));
  if (std::any_of(slopes.begin(), slopes.end(), [](double value) { return std::isnan(value); })) return slope;
  const auto runs = runs_of(std::move(slopes));
  slope.interval = {quantile(runs, alpha / 2), quantile(runs, 1 - alpha / 2)};
  return slope;
}

}  // namespace mixlab::verdict
