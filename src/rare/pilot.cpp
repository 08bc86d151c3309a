#include "mixlab/rare/pilot.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "mixlab/core/error.h"
#include "mixlab/random/sampler.h"

namespace mixlab::rare {
namespace {

constexpr double plain_share = 0.05;
constexpr int n_stages = 3;
constexpr std::int64_t paths_per_component = 8;
constexpr std::int64_t first_pilot_path = std::int64_t{1} << 40;  ///< pilots share no trajectory with what they are for
constexpr double smallest_eta = 0.0025;
constexpr int n_doublings = 10;
constexpr double share_that_matters = 0.1;   ///< of a component for some target, against the best one
constexpr std::size_t most_components = 40;  ///< that are refined

Component at_angle(double angle, double eta) {
  return {{std::cos(angle), std::sin(angle)}, eta};
}

std::vector<double> random_direction(int p, random::Stream& stream) {
  arma::vec x(static_cast<arma::uword>(p));
  for (double& value : x) value = random::normal(stream.next());
  x /= arma::norm(x);
  return {x.begin(), x.end()};
}

/// Coordinates along theta*: both ways, and around it in all directions as far as the dimension allows.
std::vector<std::vector<double>> coarse_directions(int p, random::Stream& stream) {
  std::vector<std::vector<double>> directions;
  if (p == 2) {
    for (int k = 0; k < 8; ++k) directions.push_back(at_angle(k * std::numbers::pi / 4, 0).direction);
    return directions;
  }
  std::vector<double> along(static_cast<std::size_t>(p));
  for (const double sign : {1.0, -1.0}) {
    along[0] = sign;
    directions.push_back(along);
  }
  for (int k = 0; p > 2 && k < 2 * p; ++k) directions.push_back(random_direction(p, stream));
  return directions;
}

/// v turned by `angle`: both ways in the plane, else into two random directions; nowhere on the line.
std::vector<std::vector<double>> turned(const std::vector<double>& v, double angle, random::Stream& stream) {
  const auto p = static_cast<int>(v.size());
  if (p == 1) return {};
  if (p == 2) {
    const double at = std::atan2(v[1], v[0]);
    return {at_angle(at - angle, 0).direction, at_angle(at + angle, 0).direction};
  }
  std::vector<std::vector<double>> directions;
  for (int k = 0; k < 2; ++k) {
    const std::vector<double> other = random_direction(p, stream);
    arma::vec side = arma::vec(other) - arma::dot(arma::vec(other), arma::vec(v)) * arma::vec(v);
    side = std::cos(angle) * arma::vec(v) + std::sin(angle) * side / arma::norm(side);
    directions.emplace_back(side.begin(), side.end());
  }
  return directions;
}

bool nearly_same(const Component& a, const Component& b) {
  if (std::abs(std::log(a.eta / b.eta)) > 0.02) return false;
  double cosine = 0;
  for (std::size_t i = 0; i < a.direction.size(); ++i) cosine += a.direction[i] * b.direction[i];
  return cosine > std::cos(0.02);
}

class Pilot {
 public:
  Pilot(const engine::Experiment& experiment, const std::vector<Target>& targets, int n_threads)
      : experiment_(experiment),
        targets_(targets),
        n_threads_(n_threads),
        stream_(noise_stream(experiment, "directions", 0)) {
    const auto directions = coarse_directions(experiment.p, stream_);
    add({directions.front(), 0});
    for (const auto& direction : directions)
      for (int k = 0; k <= n_doublings; ++k) add({direction, smallest_eta * std::ldexp(1.0, k)});
  }

  /// Measures what each component is good for.
  void measure(int stage) {
    Mixture mixture{components_, {}};
    mixture.n_paths.assign(components_.size(), paths_per_component);
    const std::int64_t n = mixture.total(), first = first_pilot_path + stage * first_pilot_path / 8;
    const std::vector<double> log_shares = mixture.log_shares();
    std::vector<PathRow> rows(static_cast<std::size_t>(n));
    std::vector<std::vector<std::vector<float>>> parts(static_cast<std::size_t>(n));  // per path, target, component
    for_each_path(0, n, n_threads_, [&](std::int64_t i) {
      auto& part = parts[static_cast<std::size_t>(i)];
      part.resize(targets_.size());
      rows[static_cast<std::size_t>(i)] =
          run_twisted(experiment_, mixture, targets_, "pilot", first + i, mixture.component_of(i),
                      [&](std::size_t target, std::span<const double> log_ratios) {
                        std::vector<double> terms;
                        for (std::size_t c = 0; c < log_ratios.size(); ++c)
                          terms.push_back(log_shares[c] + log_ratios[c]);
                        const double all = log_sum_exp(terms);
                        for (const double term : terms)
                          part[target].push_back(static_cast<float>(std::exp(term - all)));
                      });
    });
    weights_.assign(components_.size(), 0.0);
    for (std::size_t target = 0; target < targets_.size(); ++target) credit(rows, parts, target);
  }

  /// Keeps what matters, and looks around it at half the distance.
  void refine(int stage) {
    const double factor = std::exp2(std::exp2(-stage));  // of eta
    const double angle = std::numbers::pi / 4 * std::exp2(-stage);
    drop_useless();
    const std::vector<Component> kept = components_;
    for (const Component& each : kept) {
      if (each.eta == 0) continue;
      for (const double eta : {each.eta / factor, each.eta * factor}) add({each.direction, eta});
      for (auto& direction : turned(each.direction, angle, stream_)) add({std::move(direction), each.eta});
    }
  }

  Mixture mixture(std::int64_t n_paths) {
    drop_useless();
    add_broad();
    return allot(components_, weights_, n_paths);
  }

 private:
  void add(const Component& component) {
    for (const Component& other : components_)
      if (other.eta > 0 && component.eta > 0 && nearly_same(component, other)) return;
    components_.push_back(component);
  }

  /// Adds what each component does for the target, against the best one: its share, with the roots of the weights, because
  /// the few paths of a pilot do not tell how rare the heaviest of them are.
  void credit(const std::vector<PathRow>& rows, const std::vector<std::vector<std::vector<float>>>& parts,
              std::size_t target) {
    double largest = -std::numeric_limits<double>::infinity();
    for (const PathRow& row : rows) largest = std::max(largest, row.log_weight[target]);
    if (std::isinf(largest)) return;
    std::vector<double> shares(components_.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double weight = std::exp((rows[i].log_weight[target] - largest) / 2);
      for (std::size_t c = 0; weight > 0 && c < shares.size(); ++c) shares[c] += weight * parts[i][target][c];
    }
    const double best = *std::max_element(shares.begin(), shares.end());
    for (std::size_t c = 0; c < shares.size(); ++c) weights_[c] = std::max(weights_[c], shares[c] / best);
  }

  void drop_useless() {
    std::vector<double> sorted(weights_.begin() + 1, weights_.end());
    std::sort(sorted.rbegin(), sorted.rend());
    const double least = std::max(share_that_matters, sorted.size() > most_components ? sorted[most_components] : 0.0);
    std::vector<Component> components = {components_.front()};
    std::vector<double> weights = {weights_.front()};
    for (std::size_t c = 1; c < components_.size(); ++c) {
      if (weights_[c] <= least) continue;
      components.push_back(components_[c]);
      weights.push_back(weights_[c]);
    }
    components_ = std::move(components);
    weights_ = std::move(weights);
  }

  /// What may have been missed: everything around at the sizes that mattered.
  void add_broad() {
    std::vector<double> etas;
    for (const Component& each : components_)
      if (each.eta > 0) etas.push_back(each.eta);
    std::sort(etas.begin(), etas.end());
    if (etas.empty()) etas = {smallest_eta * 4, smallest_eta * 32};
    for (const double eta : {etas[etas.size() / 4], etas[etas.size() / 2 + etas.size() / 4]})
      for (auto& direction : coarse_directions(experiment_.p, stream_)) add({std::move(direction), eta});
    weights_.resize(components_.size(), 0.0);
  }

  const engine::Experiment& experiment_;
  const std::vector<Target>& targets_;
  int n_threads_;
  random::Stream stream_;
  std::vector<Component> components_;
  std::vector<double> weights_;
};

}  // namespace

Mixture allot(std::vector<Component> components, const std::vector<double>& weight, std::int64_t n_paths) {
  const std::int64_t batch = Mixture::n_batches;
  const auto whole = [&](double paths) {
    return std::max<std::int64_t>(batch, batch * static_cast<std::int64_t>(std::llround(paths / batch)));
  };
  const double plain = plain_share * static_cast<double>(n_paths);
  const double rest = std::max(
      0.0, static_cast<double>(n_paths) - plain - static_cast<double>(batch) * static_cast<double>(weight.size() - 1));
  const double all = std::accumulate(weight.begin(), weight.end(), 0.0);
  Mixture mixture{std::move(components), {}};
  for (std::size_t c = 0; c < weight.size(); ++c)
    mixture.n_paths.push_back(whole((c == 0 ? plain : batch) + (all > 0 ? rest * weight[c] / all : 0)));
  return mixture;
}

Mixture choose_mixture(const engine::Experiment& experiment, const std::vector<Target>& targets, std::int64_t n_paths,
                       int n_threads) {
  if (!experiment.noise->start_twisted(noise_stream(experiment, "pilot", 0),
                                       {.n_components = 1, .drawn = 0, .p = experiment.p}))
    throw InputError("cannot twist the noise: '" + experiment.cell.values.text("noise.process") +
                     "' (the process must say how it is drawn round by round); choose another process");
  Pilot pilot(experiment, targets, n_threads);
  for (int stage = 0; stage < n_stages; ++stage) {
    if (stage > 0) pilot.refine(stage);
    pilot.measure(stage);
  }
  return pilot.mixture(n_paths);
}

}  // namespace mixlab::rare
