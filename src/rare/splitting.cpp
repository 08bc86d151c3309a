#include "mixlab/rare/splitting.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mixlab/core/error.h"
#include "mixlab/core/stop.h"
#include "mixlab/core/text.h"
#include "mixlab/engine/reference.h"
#include "mixlab/random/sampler.h"
#include "mixlab/rare/twisted.h"
#include "population.h"
#include "twisted_noise.h"

namespace mixlab::rare {
namespace {

constexpr double killed_share = 0.1;
constexpr double log_smallest = -60 * std::numbers::ln10;  ///< nobody looks further
constexpr std::int64_t first_trajectory = std::int64_t{1} << 41;

constexpr const char* of_splitting = "splitting";

/// A path as the list of its branchings: played again from round 1 whenever it is needed.
struct Particle {
  struct Record {
    std::int64_t t = 0;
    double score = 0;
  };
  std::int64_t trajectory = 0;
  Lineage lineage;
  std::vector<Record> records;  ///< rounds with a score above all before

  double score() const { return records.empty() ? -std::numeric_limits<double>::infinity() : records.back().score; }
};

class Population {
 public:
  Population(const engine::Experiment& experiment, std::size_t set, double highest, std::int64_t n, int repetition,
             int n_threads)
      : experiment_(experiment),
        set_(set),
        highest_(highest),
        repetition_(repetition),
        n_threads_(n_threads),
        untilted_(static_cast<arma::uword>(experiment.p), 1, arma::fill::zeros),
        particles_(static_cast<std::size_t>(n)) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < particles_.size(); ++i) {
      particles_[i].trajectory = first_trajectory + repetition * n + static_cast<std::int64_t>(i);
      particles_[i].lineage = {{0, stream_number(repetition, 0, i)}};
      all.push_back(i);
    }
    play(all);
  }

  std::int64_t n_played() const { return n_played_; }
  double share_above(double level) const {
    const auto above = std::count_if(particles_.begin(), particles_.end(),
                                     [&](const Particle& particle) { return particle.score() > level; });
    return static_cast<double>(above) / static_cast<double>(particles_.size());
  }
  /// The level that a tenth of the particles does not exceed.
  double next_level() const {
    std::vector<double> scores;
    for (const Particle& particle : particles_) scores.push_back(particle.score());
    const auto at = static_cast<std::ptrdiff_t>(std::ceil(killed_share * static_cast<double>(scores.size()))) - 1;
    std::nth_element(scores.begin(), scores.begin() + at, scores.end());
    return scores[static_cast<std::size_t>(at)];
  }
  /// Replaces all particles that do not exceed the level by branches of those that do, of which there is one at least.
  void replace_up_to(double level) {
    ++iteration_;
    std::vector<std::size_t> killed, survivors;
    for (std::size_t i = 0; i < particles_.size(); ++i)
      (particles_[i].score() > level ? survivors : killed).push_back(i);
    random::Stream choice = noise_stream(experiment_, of_splitting, stream_number(repetition_, iteration_, chooser));
    for (const std::size_t i : killed) {
      const double u = random::uniform(choice.next()) * static_cast<double>(survivors.size());
      particles_[i] = branch_of(particles_[survivors[static_cast<std::size_t>(u)]], level, i);
    }
    play(killed);
  }

 private:
  /// The same up to and including the first round above the level.
  Particle branch_of(const Particle& parent, double level, std::size_t i) const {
    const auto crossing = std::find_if(parent.records.begin(), parent.records.end(),
                                       [&](const Particle::Record& record) { return record.score > level; });
    Particle child{parent.trajectory, parent.lineage, {}};
    while (child.lineage.size() > 1 && child.lineage.back().after >= crossing->t) child.lineage.pop_back();
    child.lineage.push_back({crossing->t, stream_number(repetition_, iteration_, i)});
    return child;
  }

  void play(const std::vector<std::size_t>& which) {
    n_played_ += static_cast<std::int64_t>(which.size());
    for_each_path(0, static_cast<std::int64_t>(which.size()), n_threads_,
                  [&](std::int64_t k) { play(particles_[which[static_cast<std::size_t>(k)]]); });
  }
  void play(Particle& particle) const {
    TwistedNoise noise(experiment_, of_splitting, particle.lineage, untilted_, 0);
    const auto watch = [&](std::int64_t t, std::span<const double> log_p) {
      if (-log_p[set_] > particle.score()) particle.records.push_back({t, -log_p[set_]});
      return particle.score() <= highest_;  // what happens above all levels does not matter
    };
    if (!engine::Play(experiment_, particle.trajectory, noise).go_on(watch))
      throw Stopped("stopped in the middle of a path");
  }

  const engine::Experiment& experiment_;
  std::size_t set_;
  double highest_;
  int repetition_;
  int n_threads_;
  arma::mat untilted_;  ///< the tilts of the process itself
  std::vector<Particle> particles_;
  std::uint64_t iteration_ = 0;
  std::int64_t n_played_ = 0;
};

}  // namespace

void require_splitting(const engine::Experiment& experiment) {
  if (!experiment.noise->start_twisted(noise_stream(experiment, of_splitting, 0),
                                       {.n_components = 1, .drawn = 0, .p = experiment.p}))
    throw InputError("cannot split the noise: '" + experiment.cell.values.text("noise.process") +
                     "' (the process must say how it is drawn round by round); choose another process");
}

Repetition run_splitting(const engine::Experiment& experiment, std::size_t set, const std::vector<double>& deltas,
                         std::int64_t n_particles, int repetition, int n_threads) {
  require_splitting(experiment);
  const double highest = -std::log(*std::min_element(deltas.begin(), deltas.end()));
  Repetition result{std::vector<double>(deltas.size(), -std::numeric_limits<double>::infinity()), 0};
  Population population(experiment, set, highest, n_particles, repetition, n_threads);
  std::vector<bool> done(deltas.size());
  for (double log_product = 0; log_product > log_smallest;) {
    const double level = population.next_level();
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      if (done[i] || level < -std::log(deltas[i])) continue;
      result.log_estimates[i] = log_product + std::log(population.share_above(-std::log(deltas[i])));
      done[i] = true;
    }
    const double survivors = population.share_above(level);
    if (survivors == 0 || std::find(done.begin(), done.end(), false) == done.end()) break;
    log_product += std::log(survivors);
    population.replace_up_to(level);
  }
  result.n_paths = population.n_played();
  return result;
}

}  // namespace mixlab::rare
