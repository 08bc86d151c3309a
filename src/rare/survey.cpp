#include "mixlab/rare/survey.h"

#include <algorithm>
#include <cmath>

#include "mixlab/rare/pilot.h"
#include "mixlab/rare/selection.h"

namespace mixlab::rare {
namespace {

constexpr std::int64_t paths_per_part = 200;
constexpr double log10_rare = -3;  ///< what is likelier needs more paths and nothing else

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

bool could_be_of(std::size_t n_levels, const Repetition& repetition) {
  constexpr double rounding = 1e-6;
  return repetition.log_estimates.size() == n_levels && repetition.n_paths >= 0 &&
         repetition.n_paths <= (std::int64_t{1} << 48) &&
         std::all_of(repetition.log_estimates.begin(), repetition.log_estimates.end(),
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
    for (std::size_t i = 0; i < answer.targets.size(); ++i)
      if (const Estimate& twisted = answer.estimates[i];
          twisted.found() && !twisted.reliable && twisted.log10_estimate < log10_rare)
        answer.estimates.push_back(selected(experiment, answer, i));
  }

  /// Where paths drawn once do not suffice. Which these are only the whole knows: shards leave it to the last run.
  Estimate selected(const engine::Experiment& experiment, const CellAnswer& answer, std::size_t i) {
    const Target& target = answer.targets[i];
    const Aim aim = take_aim(answer.mixture, answer.rows, target, i, question_.n_selected());
    std::vector<Repetition> populations;
    n_promised_ = 0;
    for (int number = 0; number < Question::n_populations; ++number)
      populations.push_back(
          repetition({"selected", answer.cell, experiment.sets[target.set].name, target.delta, number}, 1,
                     [&] { return run_selection(experiment, aim, number, settings_.n_threads); }));
    return named(estimate_repetitions("selected", populations, 0, guarantee_of(experiment, target)), experiment,
                 target);
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
      std::vector<Repetition> repetitions;
      n_promised_ = 0;
      for (int number = 0; number < Question::n_populations; ++number)
        if (is_ours())
          repetitions.push_back(
              repetition({"splitting", answer.cell, experiment.sets[set].name, 0, number}, deltas.size(), [&] {
                return run_splitting(experiment, set, deltas, question_.n_split(), number, settings_.n_threads);
              }));
      if (is_shard()) continue;
      for (std::size_t i = 0; i < deltas.size(); ++i) {
        const Target target{set, deltas[i]};
        answer.estimates.push_back(named(
            estimate_repetitions("splitting", repetitions, i, guarantee_of(experiment, target)), experiment, target));
      }
    }
  }

  Repetition repetition(const RepetitionName& name, std::size_t n_levels, const std::function<Repetition()>& run) {
    const auto fits = [&](const Repetition& repetition) { return could_be_of(n_levels, repetition); };
    auto found = pieces_.repetition(name, fits);
    if (!found) {
      found = run();
      pieces_.keep(name, *found);
    }
    if (name.number == 0) {  // the others will take about as many
      n_promised_ = found->n_paths;
      total_ += Question::n_populations * n_promised_;
    }
    total_ += found->n_paths - n_promised_;
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
  std::int64_t n_promised_ = 0;  ///< paths of a population, as far as total has them already
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
