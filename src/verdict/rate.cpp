#include "mixlab/verdict/rate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

std::vector<double> resampled_means(const std::vector<std::vector<double>>& samples, Pairing pairing,
                                    std::uint64_t resample) {
  std::vector<double> means(samples.size(), 0);
  if (pairing == Pairing::by_trajectory) {
    const std::size_t n = samples.front().size();
    Resampler draw(resample, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = draw.index(n);
      for (std::size_t s = 0; s < samples.size(); ++s) means[s] += samples[s][row];
    }
  } else {
    for (std::size_t s = 0; s < samples.size(); ++s) {
      Resampler draw(resample, s);
      for (std::size_t i = 0; i < samples[s].size(); ++i) means[s] += samples[s][draw.index(samples[s].size())];
    }
  }
  for (std::size_t s = 0; s < samples.size(); ++s) means[s] /= static_cast<double>(samples[s].size());
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

Slope rate_of(const std::vector<double>& x, const std::vector<std::vector<double>>& samples, Pairing pairing,
              double alpha, int n_resamples) {
  std::vector<double> means;
  for (const auto& sample : samples)
    means.push_back(std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size()));
  Slope slope{log_log_slope(x, means), {}};
  if (std::isnan(slope.value)) return slope;
  std::vector<double> slopes;
  for (int i = 0; i < n_resamples; ++i)
    slopes.push_back(log_log_slope(x, resampled_means(samples, pairing, static_cast<std::uint64_t>(i))));
  if (std::any_of(slopes.begin(), slopes.end(), [](double value) { return std::isnan(value); })) return slope;
  std::sort(slopes.begin(), slopes.end());
  slope.interval = {quantile(slopes, alpha / 2), quantile(slopes, 1 - alpha / 2)};
  return slope;
}

}  // namespace mixlab::verdict
