// Everything that one `mixlab rare` asks, and how it is computed: piece by piece, each a pure function of the question.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/rare/estimate.h"
#include "mixlab/rare/splitting.h"
#include "mixlab/rare/twisted.h"
#include "mixlab/study/plan.h"

namespace mixlab::rare {

struct Question {
  std::vector<double> deltas;  ///< empty: the level of each cell
  bool twisted = true;
  bool splitting = false;
  std::int64_t n_paths = 10000;  ///< twisted paths per cell, about

  static constexpr int n_populations = 20;  ///< of selection, and of splitting
  std::int64_t n_selected() const { return std::max<std::int64_t>(50, n_paths / 20); }  ///< in a population
  std::int64_t n_split() const { return std::max<std::int64_t>(50, n_paths / 50); }     ///< the same
  std::vector<double> deltas_of(const engine::Experiment& experiment) const;
  std::vector<Target> targets_of(const engine::Experiment& experiment) const;
};

/// Whether a piece that was found can be one of this question, as far as its numbers tell.
template <class Piece>
using Fits = std::function<bool(const Piece& found)>;

/// A repetition among those of a question.
struct RepetitionName {
  std::string method;
  int cell = 0;
  std::string set;
  double delta = 0;  ///< 0: all levels of the question together
  int number = 0;

  auto operator<=>(const RepetitionName&) const = default;
};

/// Pieces of the work as they are finished: where they are kept, and found again after a stop. This one forgets.
class Pieces {
 public:
  virtual ~Pieces() = default;
  virtual std::optional<Mixture> mixture(int /*cell*/, const Fits<Mixture>& /*fits*/) { return {}; }
  virtual std::optional<std::vector<PathRow>> rows(const study::Part& /*part*/,
                                                   const Fits<std::vector<PathRow>>& /*fits*/) {
    return {};
  }
  virtual std::optional<Repetition> repetition(const RepetitionName& /*name*/, const Fits<Repetition>& /*fits*/) {
    return {};
  }
  virtual void keep(int /*cell*/, const Mixture& /*mixture*/) {}
  virtual void keep(const study::Part& /*part*/, const std::vector<PathRow>& /*rows*/) {}
  virtual void keep(const RepetitionName& /*name*/, const Repetition& /*repetition*/) {}
};

/// What was drawn for one cell, and what follows.
struct CellAnswer {
  int cell = 0;
  std::vector<std::string> sets;
  std::vector<Target> targets;
  Mixture mixture;            ///< empty without twisted paths
  std::vector<PathRow> rows;  ///< of the mixture, path by path
  std::vector<Estimate> estimates;
};

struct SurveySettings {
  int n_threads = 1;
  study::Shard shard = {};
  /// Hears how many paths of how many are there, after each piece; what populations will take, the first of them tells.
  std::function<void(std::int64_t done, std::int64_t total)> progress = [](std::int64_t, std::int64_t) {};
};

/// Computes what `pieces` does not hold; with several shards only their share, and then answers nothing.
std::vector<CellAnswer> survey(const std::vector<engine::Experiment>& experiments, const Question& question,
                               const SurveySettings& settings, Pieces& pieces);

}  // namespace mixlab::rare
