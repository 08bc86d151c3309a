#include "mixlab/rare/twisted.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>

#include "mixlab/core/stop.h"
#include "mixlab/engine/reference.h"
#include "twisted_noise.h"

namespace mixlab::rare {
PathRow run_twisted(const engine::Experiment& experiment, const Mixture& mixture, const std::vector<Target>& targets,
                    const char* use, std::int64_t number, std::size_t component, const AtCrossing& at_crossing) {
  const std::vector<double> log_shares = mixture.log_shares();
  TwistedNoise noise(experiment, use, {{0, static_cast<std::uint64_t>(number)}},
                     tilt_vectors(mixture, experiment.draw_theta(number)), component);
  PathRow row{.component = static_cast<std::int32_t>(component),
              .log_weight = std::vector<double>(targets.size(), -std::numeric_limits<double>::infinity()),
              .first_crossing = std::vector<std::int32_t>(targets.size(), 0)};
  std::size_t n_open = targets.size();
  std::vector<double> terms(log_shares.size());
  const auto cross = [&](std::size_t i, std::int64_t t) {
    const auto ratios = noise.log_ratios();
    for (std::size_t c = 0; c < terms.size(); ++c) terms[c] = log_shares[c] + ratios[c];
    row.log_weight[i] = -log_sum_exp(terms);
    row.first_crossing[i] = static_cast<std::int32_t>(t);
    --n_open;
    if (at_crossing) at_crossing(i, ratios);
  };
  std::vector<double> log_deltas;
  for (const Target& target : targets) log_deltas.push_back(std::log(target.delta));
  const auto watch = [&](std::int64_t t, std::span<const double> log_p) {
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (row.first_crossing[i] == 0 && log_p[targets[i].set] < log_deltas[i]) cross(i, t);
    return n_open > 0;
  };
  if (!engine::Play(experiment, number, noise).go_on(watch)) throw Stopped("stopped in the middle of a path");
  return row;
}

void for_each_path(std::int64_t first, std::int64_t end, int n_threads, const std::function<void(std::int64_t)>& body) {
  std::exception_ptr error;
  std::mutex mutex;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
  for (std::int64_t i = first; i < end; ++i) {
    {
      const std::lock_guard lock(mutex);
      if (error) continue;
    }
    try {
      body(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

std::vector<PathRow> run_twisted_paths(const engine::Experiment& experiment, const Mixture& mixture,
                                       const std::vector<Target>& targets, std::int64_t first, std::int64_t end,
                                       int n_threads) {
  std::vector<PathRow> rows(static_cast<std::size_t>(end - first));
  for_each_path(first, end, n_threads, [&](std::int64_t i) {
    rows[static_cast<std::size_t>(i - first)] =
        run_twisted(experiment, mixture, targets, "twisted", i, mixture.component_of(i));
  });
  return rows;
}

}  // namespace mixlab::rare
