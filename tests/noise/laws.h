// Tools to compare a noise process with its certificate.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mixlab/noise/process.h"
#include "seed.h"

namespace mixlab {

inline std::unique_ptr<const noise::Process> make_process(const std::string& name, const Values& parameters,
                                                          std::int64_t T = 100000) {
  Attachments files;
  return (*noise::processes().find(name))({parameters, T, files});
}

/// n independent paths of length T: path i, round t at [i][t].
inline std::vector<std::vector<double>> draw_paths(const noise::Process& process, int n, int T, std::uint64_t use) {
  std::vector<std::vector<double>> paths(static_cast<std::size_t>(n), std::vector<double>(static_cast<std::size_t>(T)));
  for (int i = 0; i < n; ++i) {
    const random::StreamId id{test_seed(), use, static_cast<std::uint64_t>(i), random::Purpose::noise};
    process.start(random::Stream(id))->next(paths[static_cast<std::size_t>(i)]);
  }
  return paths;
}

/// Mean over independent paths of f(path), and its squared standard error.
template <class F>
std::pair<double, double> mean_and_error2(const std::vector<std::vector<double>>& paths, F f) {
  double sum = 0, sum2 = 0;
  for (const auto& path : paths) {
    const double value = f(path);
    sum += value;
    sum2 += value * value;
  }
  const auto n = static_cast<double>(paths.size());
  const double mean = sum / n;
  return {mean, (sum2 / n - mean * mean) / n};
}

/// That mean, in units of its standard error from `expected`.
template <class F>
double z_score(const std::vector<std::vector<double>>& paths, double expected, F f) {
  const auto [mean, error2] = mean_and_error2(paths, f);
  if (error2 <= 0) return mean == expected ? 0 : 1e9;
  return (mean - expected) / std::sqrt(error2);
}

}  // namespace mixlab
