#include "mixlab/verdict/rate.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <future>
#include <thread>

#include "mixlab/random/stream.h"
#include "mixlab/verdict/quantile.h"

namespace mixlab::verdict {
namespace {

/// Draws with replacement from a block of rows, from one stream per (block, resample, sample).
class Draws {
 public:
  Draws(std::uint64_t block, std::uint64_t resample, std::uint64_t sample)
      : stream_({block, sample, resample, random::Purpose::bootstrap}) {}

  /// How many of `n` draws fall into the block, if `share` of the rows that they may fall on are its own.
  std::size_t count(std::size_t n, double share) {
    if (n == 0 || share >= 1) return n;
    using namespace boost::math;
    using Whole = policies::policy<policies::discrete_quantile<policies::integer_round_up>>;
    const double u = (static_cast<double>(stream_.next() >> 11) + 0.5) * 0x1p-53;
    return static_cast<std::size_t>(quantile(binomial_distribution<double, Whole>(static_cast<double>(n), share), u));
  }

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

/// The sums of every resample of n rows, which come in blocks: how many of its draws fall into a block is binomial,
/// and where, uniform, so that a table that is not held at once goes by only once.
class Resamples {
 public:
  Resamples(std::size_t n_rows, std::size_t n_columns, Pairing pairing, std::size_t n_resamples)
      : n_rows_(n_rows),
        n_columns_(n_columns),
        n_samples_(pairing == Pairing::by_trajectory ? 1 : n_columns),
        sums_(n_resamples * n_columns, 0),
        n_left_(n_resamples * n_samples_, n_rows) {}

  /// Columns of one length, the rows after those of the last block. The numbers do not depend on who draws them.
  void add(const std::vector<std::vector<double>>& block) {
    const std::size_t n = n_left_.size(),
                      n_threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, n);
    std::vector<std::future<void>> drawing;
    for (std::size_t t = 0; t < n_threads; ++t)
      drawing.push_back(std::async(std::launch::async | std::launch::deferred, [&, t] {
        for (std::size_t i = t * n / n_threads; i < (t + 1) * n / n_threads; ++i) draw(block, i);
      }));
    for (auto& share : drawing) share.get();
    n_rows_seen_ += block.front().size();
    ++n_blocks_;
  }

  /// One resample after the other.
  std::vector<double> means() const {
    std::vector<double> means = sums_;
    for (double& mean : means) mean /= static_cast<double>(n_rows_);
    return means;
  }

 private:
  /// Adds what a (resample, sample) draws from a block.
  void draw(const std::vector<std::vector<double>>& block, std::size_t i) {
    const std::size_t n = block.front().size();
    const double share = static_cast<double>(n) / static_cast<double>(n_rows_ - n_rows_seen_);
    const std::size_t resample = i / n_samples_, sample = i % n_samples_;
    Draws draws(n_blocks_, resample, sample);
    const std::size_t n_draws = draws.count(n_left_[i], share);
    n_left_[i] -= n_draws;
    const std::size_t end = n_samples_ == 1 ? n_columns_ : sample + 1;  // of the columns that are drawn together
    double* const sums = &sums_[resample * n_columns_];
    for (std::size_t drawn = 0; drawn < n_draws; ++drawn) {
      const std::size_t row = draws.index(n);
      for (std::size_t c = sample; c < end; ++c) sums[c] += block[c][row];
    }
  }

  std::size_t n_rows_;
  std::size_t n_columns_;
  std::size_t n_samples_;  ///< that are drawn independently of each other
  std::size_t n_rows_seen_ = 0;
  std::uint64_t n_blocks_ = 0;
  std::vector<double> sums_;
  std::vector<std::size_t> n_left_;  ///< draws of a (resample, sample) that fall on rows still to come
};

std::vector<double> resampled_means(const RegretTable& rows, std::size_t n, std::size_t n_columns, Pairing pairing,
                                    std::size_t n_resamples, std::size_t room) {
  Resamples resamples(n, n_columns, pairing, n_resamples);
  const std::size_t n_held = std::max<std::size_t>(1, room / n_columns);
  std::vector<std::vector<double>> block(n_columns);
  const auto pass_on = [&] {
    resamples.add(block);
    for (auto& column : block) column.clear();
  };
  rows([&](RegretRow row) {
    for (std::size_t c = 0; c < n_columns; ++c) block[c].push_back(row[c]);
    if (block.front().size() == n_held) pass_on();
  });
  if (!block.front().empty()) pass_on();
  return resamples.means();
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

Means means_of(const RegretTable& rows, std::size_t n_columns) {
  Means means{0, std::vector<double>(n_columns, 0)};
  rows([&](RegretRow row) {
    ++means.n;
    for (std::size_t c = 0; c < n_columns; ++c) means.values[c] += row[c];
  });
  for (double& mean : means.values) mean /= static_cast<double>(means.n);
  return means;
}

Slope rate_of(const std::vector<double>& x, const RegretTable& rows, Pairing pairing, double alpha, int n_resamples,
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
