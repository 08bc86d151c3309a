#include "mixlab/rare/survey.h"

#include <algorithm>
#include <cmath>

#include "mixlab/rare/pilot.h"

namespace mixlab::rare {
namespace {

constexpr std::int64_t paths_per_part = 200;

// What the pieces of a question can hold: the files they come from may be anybody's.

bool could_be_of(const engine::Experiment& experiment, const Question& question, const Mixture& mixture) {
  const std::int64_t batch = Mixture::n_batches;
  const auto most = 2 * question.n_paths + batch * static_cast<std::int64_t>(mixture.components.size());
  const auto is_count = [&](std::int64_t n) { return n >= batch && n % batch == 0 && n <= most; };
  const auto is_component = [&](const Component& component) {
    return component.direction.size() == static_cast<std::size_t>(experiment.p) && std::isfinite(component.eta) &&
           std::all_of(component.direction.begin(), component.direction.end(),
                       [](double v) { return std::abs(v) <= 2; });
  };
  return !mixture.components.empty() && mixture.components.front().eta == 0 &&
         mixture.n_paths.size() == mixture.components.size() &&
         std::all_of(mixture.n_paths.begin(), mixture.n_paths.end(), is_count) && mixture.total() <= most &&
         std::all_of(mixture.components.begin(), mixture.components.end(), is_component);
}

bool could_be_of(const engine::Experiment& experiment, const CellAnswer& answer, const study::Part& part,
                 const std::vector<PathRow>& rows) {
  if (static_cast<std::int64_t>(rows.size()) != part.size()) return false;
  std::int64_t path = part.first;
  return std::all_of(rows.begin(), rows.end(), [&](const PathRow& row) {
    bool is_sound = row.component == static_cast<int>(answer.mixture.component_of(path++)) &&
                    row.log_weight.size() == answer.targets.size() &&
                    row.first_crossing.size() == row.log_weight.size();
    for (std::size_t i = 0; is_sound && i < row.log_weight.size(); ++i) {
      const std::int64_t t = row.first_crossing[i];
      is_sound = t >= 0 && t <= experiment.T &&
                 (t == 0 ? std::isinf(row.log_weight[i]) && row.log_weight[i] < 0 : std::isfinite(row.log_weight[i]));
    }
    return is_sound;
  });
}

bool could_be_of(const std::vector<double>& deltas, const Splitting& splitting) {
  constexpr double rounding = 1e-6;
  return splitting.log_estimates.size() == deltas.size() && splitting.n_paths >= 0 &&
         splitting.n_paths <= (std::int64_t{1} << 48) &&
         std::all_of(splitting.log_estimates.begin(), splitting.log_estimates.end(),
                     [](double log_estimate) { return log_estimate <= rounding; });  // nor NaN
}

/// One piece of work after the other, numbered through; a shard takes every N-th.
class Surveyor {
 public:
  Surveyor(const Question& question, const SurveySettings& settings, Pieces& pieces, std::int64_t n_cells)
      : question_(question), settings_(settings), pieces_(pieces), total_(n_cells * question.n_paths) {}

  CellAnswer answer(const engine::Experiment& experiment) {
    CellAnswer answer;
    answer.cell = experiment.cell.index;
    answer.targets = question_.targets_of(experiment);
    for (const auto& monitored : experiment.sets) answer.sets.push_back(monitored.name);
    if (question_.twisted) draw_twisted(experiment, answer);
    if (question_.splitting) split(experiment, answer);
    for (Estimate& estimate : answer.estimates) {
      estimate.cell = experiment.cell.index;
      estimate.label = experiment.cell.label;
    }
    return answer;
  }

 private:
  bool is_ours() { return n_pieces_++ % settings_.shard.count == settings_.shard.index; }
  bool is_shard() const { return settings_.shard.count > 1; }

  void draw_twisted(const engine::Experiment& experiment, CellAnswer& answer) {
    const auto fits = [&](const Mixture& found) { return could_be_of(experiment, question_, found); };
    if (auto found = pieces_.mixture(answer.cell, fits)) {
      answer.mixture = std::move(*found);
    } else {
      answer.mixture = choose_mixture(experiment, answer.targets, question_.n_paths, settings_.n_threads);
      pieces_.keep(answer.cell, answer.mixture);
    }
    const std::int64_t n = answer.mixture.total();
    total_ += n - question_.n_paths;
    for (std::int64_t first = 0; first < n; first += paths_per_part) {
      const study::Part part{answer.cell, first, std::min(first + paths_per_part, n), 0};
      const auto rows = rows_of(experiment, answer, part);
      answer.rows.insert(answer.rows.end(), rows.begin(), rows.end());
      settings_.progress(done_ += part.size(), total_);
    }
    if (is_shard()) return;
    for (std::size_t i = 0; i < answer.targets.size(); ++i)
      answer.estimates.push_back(
          named(estimate_twisted(answer.mixture, answer.rows, i, guarantee_of(experiment, answer.targets[i])),
                experiment, answer.targets[i]));
  }

  /// Nothing of parts that fall to another shard.
  std::vector<PathRow> rows_of(const engine::Experiment& experiment, const CellAnswer& answer,
                               const study::Part& part) {
    if (!is_ours()) return {};
    const auto fits = [&](const auto& found) { return could_be_of(experiment, answer, part, found); };
    if (auto found = pieces_.rows(part, fits)) return std::move(*found);
    auto rows =
        run_twisted_paths(experiment, answer.mixture, answer.targets, part.first, part.end, settings_.n_threads);
    pieces_.keep(part, rows);
    return rows;
  }

  void split(const engine::Experiment& experiment, CellAnswer& answer) {
    const auto deltas = question_.deltas_of(experiment);
    for (std::size_t set = 0; set < experiment.sets.size(); ++set) {
      std::vector<Splitting> repetitions;
      for (int repetition = 0; repetition < Question::n_repetitions; ++repetition)
        if (is_ours()) repetitions.push_back(repetition_of(experiment, set, deltas, repetition));
      if (is_shard()) continue;
      for (std::size_t i = 0; i < deltas.size(); ++i) {
        const Target target{set, deltas[i]};
        answer.estimates.push_back(
            named(estimate_splitting(repetitions, i, guarantee_of(experiment, target)), experiment, target));
      }
    }
  }

  Splitting repetition_of(const engine::Experiment& experiment, std::size_t set, const std::vector<double>& deltas,
                          int repetition) {
    const std::string& name = experiment.sets[set].name;
    const auto fits = [&](const Splitting& splitting) { return could_be_of(deltas, splitting); };
    auto found = pieces_.splitting(experiment.cell.index, name, repetition, fits);
    if (!found) {
      found = run_splitting(experiment, set, deltas, question_.n_particles(), repetition, settings_.n_threads);
      pieces_.keep(experiment.cell.index, name, repetition, *found);
    }
    total_ += found->n_paths;
    settings_.progress(done_ += found->n_paths, total_);
    return std::move(*found);
  }

  static double guarantee_of(const engine::Experiment& experiment, const Target& target) {
    return experiment.sets[target.set].why_not_guaranteed.empty() ? target.delta : Estimate::none;
  }
  static Estimate named(Estimate estimate, const engine::Experiment& experiment, const Target& target) {
    estimate.set = experiment.sets[target.set].name;
    estimate.delta = target.delta;
    return estimate;
  }

  const Question& question_;
  const SurveySettings& settings_;
  Pieces& pieces_;
  std::int64_t done_ = 0, total_;
  std::int64_t n_pieces_ = 0;
};

}  // namespace

std::vector<double> Question::deltas_of(const engine::Experiment& experiment) const {
  return deltas.empty() ? std::vector<double>{experiment.delta} : deltas;
}

std::vector<Target> Question::targets_of(const engine::Experiment& experiment) const {
  std::vector<Target> targets;
  for (std::size_t set = 0; set < experiment.sets.size(); ++set)
    for (const double delta : deltas_of(experiment)) targets.push_back({set, delta});
  return targets;
}

std::vector<CellAnswer> survey(const std::vector<engine::Experiment>& experiments, const Question& question,
                               const SurveySettings& settings, Pieces& pieces) {
  Surveyor surveyor(question, settings, pieces, question.twisted ? static_cast<std::int64_t>(experiments.size()) : 0);
  std::vector<CellAnswer> answers;
  for (const auto& experiment : experiments) answers.push_back(surveyor.answer(experiment));
  if (settings.shard.count > 1) answers.clear();
  return answers;
}

}  // namespace mixlab::rare
