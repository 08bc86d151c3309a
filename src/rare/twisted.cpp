#include "mixlab/rare/twisted.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>

#include "mixlab/core/stop.h"
#include "mixlab/engine/reference.h"

namespace mixlab::rare {
namespace {

/// Twisted noise for the reference engine. The tilts of the rounds whose arms are known are planned together, and anew
/// when half of them are played.
class TwistedNoise final : public engine::NoiseSource {
 public:
  TwistedNoise(const engine::Experiment& experiment, const random::Stream& stream, arma::mat tilts,
               std::size_t component)
      : T_(experiment.T),
        scale_(experiment.scale),
        tilts_(std::move(tilts)),
        path_(experiment.noise->start_twisted(
            stream, {.n_components = tilts_.n_cols, .drawn = component, .p = experiment.p})) {}

  void announce(std::span<const double> x) override {
    for (arma::uword c = 0; c < tilts_.n_cols; ++c) {
      double h = 0;
      for (arma::uword i = 0; i < tilts_.n_rows; ++i) h += tilts_(i, c) * x[i];
      h_.push_back(h);
    }
    ++n_announced_;
  }

  double next(std::span<const double> x) override {
    if (t_ == next_plan_) plan();
    ++t_;
    return scale_ * path_->next(x);
  }

  std::span<const double> log_ratios() { return path_->log_ratios(); }

 private:
  void plan() {
    const auto played = static_cast<std::ptrdiff_t>((t_ - planned_from_) * static_cast<std::int64_t>(tilts_.n_cols));
    h_.erase(h_.begin(), h_.begin() + played);
    planned_from_ = t_;
    path_->plan({tilts_.n_cols, h_, T_ - n_announced_});
    next_plan_ = n_announced_ == T_ ? T_ : t_ + (n_announced_ - t_ + 1) / 2;
  }

  std::int64_t T_;
  double scale_;
  arma::mat tilts_;        ///< a component per column
  std::vector<double> h_;  ///< of the rounds after planned_from, round by round
  std::int64_t t_ = 0;     ///< rounds drawn
  std::int64_t n_announced_ = 0, planned_from_ = 0, next_plan_ = 0;
  std::unique_ptr<noise::TwistedPath> path_;
};

}  // namespace

PathRow run_twisted(const engine::Experiment& experiment, const Mixture& mixture, const std::vector<Target>& targets,
                    const char* use, std::int64_t number, std::size_t component, const AtCrossing& at_crossing) {
  const std::vector<double> log_shares = mixture.log_shares();
  TwistedNoise noise(experiment, noise_stream(experiment, use, static_cast<std::uint64_t>(number)),
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
  const bool played = play_reference(experiment, number, noise, [&](std::int64_t t, std::span<const double> log_p) {
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (row.first_crossing[i] == 0 && log_p[targets[i].set] < std::log(targets[i].delta)) cross(i, t);
    return n_open > 0;
  });
  if (!played) throw Stopped("stopped in the middle of a path");
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
