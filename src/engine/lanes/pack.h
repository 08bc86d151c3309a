// A pack: some groups of trajectories in lockstep. Each goes through long chains of operations that wait for one another;
// side by side, step by step, they keep the processor busy. The smaller the dimension, the more of them it takes.
#pragma once

#include "group.h"
#include "timetable.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Pack {
 public:
  static constexpr int n_groups = P <= 3 ? 4 : P <= 6 ? 3 : P <= 12 ? 2 : 1;
  static constexpr PackWidth width = {Vec::width, n_groups* Vec::width};

  explicit Pack(const Task& task) : task_(task) {
    for (int i = 0; i < task.n; i += Vec::width) groups_.push_back(std::make_unique<Group<P>>(task, task.first + i));
  }

  /// False if a stop was requested.
  bool run() {
    const Tables& tables = task_.tables;
    Timetable timetable(tables.schedule, tables.block, tables.look, tables.T);
    while (const std::optional<Step> step = timetable.next()) {
      if (Stop::requested()) return false;
      if (step->n_samples > 0) absorb(step->first_sample, step->n_samples);
      if (step->look) look();
      if (step->n_rounds > 0) play(*step);
    }
    return true;
  }

  std::vector<Row> rows() const {
    std::vector<Row> rows;
    for (const auto& group : groups_) group->write(rows);
    return rows;
  }

 private:
  /// Samples first..first+n-1 enter.
  void absorb(std::int64_t first, int n) {
    for (auto& group : groups_) group->learner.enter(first, n, group->environment.waiting());
    const int entered = groups_.front()->learner.block().entered;
    for (int r = entered; r < entered + n; ++r) {
      for (auto& group : groups_) group->learner.absorb(r);
      for (auto& group : groups_) group->learner.first_sweep();
      for (auto& group : groups_) group->learner.second_sweep();
      for (auto& group : groups_) group->learner.settle(r);
    }
  }

  /// At the samples of the block.
  void look() {
    for (auto& group : groups_) {
      group->monitors.see(group->learner.block(), group->learner.gram());
      group->decisions->potential().absorb(group->learner.block());
      if (task_.observer) group->report_block(*task_.observer, task_.tables);
      group->learner.close_block();
    }
  }

  void play(const Step& step) {
    const std::int64_t t = step.first_round;
    const int n = step.n_rounds;
    for (auto& group : groups_) {
      if (step.again)
        group->decisions->play_again(t, group->learner, *group->player, group->environment);
      else if (step.n_samples == 0)
        group->decisions->play_in_turn(t, n, group->environment);
      else
        group->decisions->play(t, n, group->learner, *group->player, group->environment);
    }
  }

  Task task_;
  std::vector<std::unique_ptr<Group<P>>> groups_;
};

template <int P>
bool run_pack(const Task& task, std::vector<Row>& rows) {
  Pack<P> pack(task);
  if (!pack.run()) return false;
  rows = pack.rows();
  return true;
}

/// Instantiated by the files in kernels/, called by kernels.cpp.
template <int P>
Kernel kernel() {
  return {Pack<P>::width, run_pack<P>};
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
