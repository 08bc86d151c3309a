#include "mixlab/rare/selection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mixlab/core/stop.h"
#include "mixlab/engine/reference.h"
#include "mixlab/random/sampler.h"
#include "mixlab/rare/twisted.h"
#include "population.h"
#include "twisted_noise.h"

namespace mixlab::rare {
namespace {

constexpr const char* of_selection = "selected";
constexpr int n_looks = 16;
constexpr double strength = 0.5;      ///< of the selection: 1 would trust its merits fully
constexpr double least_share = 0.01;  ///< of a component
constexpr std::int64_t first_selected = std::int64_t{1} << 42;

/// A path of a population.
class SelectedPath {
 public:
  SelectedPath(const engine::Experiment& experiment, const Aim& aim, std::int64_t trajectory, std::size_t component,
               Lineage lineage)
      : aim_(aim),
        trajectory_(trajectory),
        component_(component),
        noise_(experiment, of_selection, std::move(lineage),
               tilt_vectors(aim.mixture, experiment.draw_theta(trajectory)), component),
        play_(experiment, trajectory, noise_) {}

  /// The same up to now, with a future of its own; `t` is now.
  std::unique_ptr<SelectedPath> branch(const engine::Experiment& experiment, std::uint64_t stream,
                                       std::int64_t t) const {
    Lineage lineage = noise_.lineage();
    lineage.push_back({noise_.n_drawn(), stream});
    auto child = std::make_unique<SelectedPath>(experiment, aim_, trajectory_, component_, std::move(lineage));
    child->go_on(t);
    return child;
  }

  void go_on(std::int64_t until) {
    const double log_delta = std::log(aim_.target.delta);
    const auto watch = [&](std::int64_t t, std::span<const double> log_p) {
      log_p_ = log_p[aim_.target.set];
      missed_ = log_p_ < log_delta;
      return !missed_ && t < until;
    };
    if (!play_.go_on(watch)) throw Stopped("stopped in the middle of a path");
  }

  bool missed() const { return missed_; }
  /// log dP/dQ, Q the mixture.
  double log_weight() {
    const auto ratios = noise_.log_ratios();
    std::vector<double> terms = aim_.mixture.log_shares();
    for (std::size_t c = 0; c < terms.size(); ++c) terms[c] += ratios[c];
    return -log_sum_exp(terms);
  }
  /// About log (dP/dQ P(miss | past)), up to a constant: what it has cost to come so far, and whether it is in time. Were
  /// the noise Gaussian and the design given, q/beta^2 would best grow in proportion to t, and log dQ/dP with it.
  double merit(std::int64_t t) {
    const double highest = play_.log_p_at_centre(aim_.target.set);
    const double progress = (highest - log_p_) / (highest - std::log(aim_.target.delta));
    if (!std::isfinite(progress) || progress < 0) return log_weight();
    const double time = static_cast<double>(t) / static_cast<double>(aim_.round);
    const double late = std::sqrt(progress) - std::sqrt(time);
    return log_weight() + aim_.log_ratio * (progress - late * late / (1.02 - time));
  }

  double log_correction = 0;  ///< for the selections that it came through

 private:
  const Aim& aim_;
  std::int64_t trajectory_;
  std::size_t component_;
  TwistedNoise noise_;
  engine::Play play_;
  double log_p_ = 0;
  bool missed_ = false;
};

class Selection {
 public:
  Selection(const engine::Experiment& experiment, const Aim& aim, int number, int n_threads)
      : experiment_(experiment), number_(number), n_threads_(n_threads) {
    const std::int64_t n = aim.mixture.total();
    particles_.resize(static_cast<std::size_t>(n));
    for_each_path(0, n, n_threads, [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      particles_[at] =
          std::make_unique<SelectedPath>(experiment, aim, first_selected + number * n + i, aim.mixture.component_of(i),
                                         Lineage{{0, stream_number(number, 0, at)}});
    });
    n_paths_ = n;
  }

  void go_on(std::int64_t until) {
    for_each_path(0, static_cast<std::int64_t>(particles_.size()), n_threads_, [&](std::int64_t i) {
      SelectedPath& particle = *particles_[static_cast<std::size_t>(i)];
      if (!particle.missed()) particle.go_on(until);
    });
  }

  /// Of the particles that have not missed yet, after round t, as many as there are: each about as often as its merit says.
  void select(std::uint64_t look, std::int64_t t) {
    std::vector<std::size_t> alive;
    for (std::size_t i = 0; i < particles_.size(); ++i)
      if (!particles_[i]->missed()) alive.push_back(i);
    if (alive.size() < 2) return;
    std::vector<double> log_merits;
    for (const std::size_t i : alive)
      log_merits.push_back(strength * particles_[i]->merit(t) + particles_[i]->log_correction);
    const auto n = static_cast<double>(alive.size());
    const double log_mean = log_sum_exp(log_merits) - std::log(n);
    random::Stream stream = noise_stream(experiment_, of_selection, stream_number(number_, look, chooser));
    const std::vector<int> copies = offspring(log_merits, log_mean, random::uniform(stream.next()));
    for (std::size_t k = 0; k < alive.size(); ++k) particles_[alive[k]]->log_correction += log_mean - log_merits[k];
    replace(alive, copies, look, t);
  }

  Repetition result() {
    std::vector<double> logs;
    for (const auto& particle : particles_)
      if (particle->missed()) logs.push_back(particle->log_weight() + particle->log_correction);
    return {{log_sum_exp(logs) - std::log(static_cast<double>(particles_.size()))}, n_paths_};
  }

 private:
  /// How often each is continued: exp(merit)/mean on average, and never off by one or more (systematic resampling).
  static std::vector<int> offspring(const std::vector<double>& log_merits, double log_mean, double u) {
    std::vector<int> copies(log_merits.size());
    double sum = 0;
    std::int64_t drawn = 0;
    const auto n = static_cast<std::int64_t>(log_merits.size());
    for (std::size_t k = 0; k < log_merits.size(); ++k) {
      sum += std::exp(log_merits[k] - log_mean);
      for (; drawn < n && static_cast<double>(drawn) + u < sum; ++drawn) ++copies[k];
    }
    for (; drawn < n; ++drawn) ++copies.back();  // the sum is n but for rounding
    return copies;
  }

  /// Second and further copies take the places of those that are not continued.
  void replace(const std::vector<std::size_t>& alive, const std::vector<int>& copies, std::uint64_t look,
               std::int64_t t) {
    std::vector<std::pair<std::size_t, std::size_t>> births;  // place, parent
    std::size_t free = 0;
    for (std::size_t k = 0; k < alive.size(); ++k) {
      for (int copy = 1; copy < copies[k]; ++copy) {
        while (copies[free] > 0) ++free;
        births.emplace_back(alive[free++], alive[k]);
      }
    }
    std::vector<std::unique_ptr<SelectedPath>> born(births.size());
    for_each_path(0, static_cast<std::int64_t>(births.size()), n_threads_, [&](std::int64_t i) {
      const auto& [place, parent] = births[static_cast<std::size_t>(i)];
      auto& child = born[static_cast<std::size_t>(i)];
      child = particles_[parent]->branch(experiment_, stream_number(number_, look, place), t);
      child->log_correction = particles_[parent]->log_correction;
    });
    for (std::size_t i = 0; i < births.size(); ++i) particles_[births[i].first] = std::move(born[i]);
    n_paths_ += static_cast<std::int64_t>(births.size());
  }

  const engine::Experiment& experiment_;
  int number_;
  int n_threads_;
  std::vector<std::unique_ptr<SelectedPath>> particles_;
  std::int64_t n_paths_ = 0;
};

/// n paths over components in these proportions, one each at least.
Mixture in_proportion(std::vector<Component> components, const std::vector<double>& weights, std::int64_t n) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double rest = static_cast<double>(std::max<std::int64_t>(0, n - static_cast<std::int64_t>(weights.size())));
  Mixture mixture{std::move(components), {}};
  double sum = 0;
  std::int64_t given = 0;
  for (const double weight : weights) {
    sum += rest * weight / all;
    const auto upto = static_cast<std::int64_t>(std::llround(sum));
    mixture.n_paths.push_back(1 + upto - given);
    given = upto;
  }
  return mixture;
}

}  // namespace

// Square roots of the weights: what a path or two have found is not the whole way.
Aim take_aim(const Mixture& mixture, const std::vector<PathRow>& rows, const Target& target, std::size_t index,
             std::int64_t n_paths) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const PathRow& row : rows) largest = std::max(largest, row.log_weight[index]);
  std::vector<double> shares(mixture.components.size());
  std::vector<std::pair<std::int32_t, double>> crossings;
  double sum = 0, log_ratio = 0;
  for (const PathRow& row : rows) {
    if (row.first_crossing[index] == 0) continue;
    const double weight = std::exp((row.log_weight[index] - largest) / 2);
    sum += weight;
    log_ratio -= weight * row.log_weight[index];
    shares[static_cast<std::size_t>(row.component)] += weight;
    crossings.emplace_back(row.first_crossing[index], weight);
  }
  std::sort(crossings.begin(), crossings.end());
  double before = 0;
  std::size_t last = 0;
  while (last + 1 < crossings.size() && (before += crossings[last].second) < 0.9 * sum) ++last;

  std::vector<Component> components = {mixture.components.front()};
  std::vector<double> weights = {std::max(shares.front(), 0.02 * sum)};
  for (std::size_t c = 1; c < shares.size(); ++c) {
    if (shares[c] < least_share * sum) continue;
    components.push_back(mixture.components[c]);
    weights.push_back(shares[c]);
  }
  return {target, in_proportion(std::move(components), weights, n_paths), log_ratio / sum, crossings[last].first};
}

Repetition run_selection(const engine::Experiment& experiment, const Aim& aim, int number, int n_threads) {
  Selection population(experiment, aim, number, n_threads);
  std::int64_t before = 0;
  for (std::int64_t look = 1; look <= n_looks; ++look) {
    const std::int64_t t = aim.round * look / (n_looks + 1);
    if (t <= before) continue;
    population.go_on(t);
    population.select(static_cast<std::uint64_t>(look), t);
    before = t;
  }
  population.go_on(experiment.T);
  return population.result();
}

}  // namespace mixlab::rare
