// A group: as many trajectories as a register has lanes.
#pragma once

#include "decision_set.h"
#include "monitors.h"
#include "player_table.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
struct Group {
  /// `first`: trajectory of lane 0.
  Group(const Task& task, std::int64_t first_)
      : first(first_),
        n(static_cast<int>(std::min<std::int64_t>(Vec::width, task.first + task.n - first_))),
        environment(task.tables, first_),
        player(Players<P>::make(task.tables, first_)),
        learner(task.tables, environment.theta_star(), task.observer ? Estimate::followed : player->ridge_estimate()),
        decisions(make_decision_set<P>(task.tables, environment)),
        monitors(task.tables, environment.theta_star()) {}

  /// One row per trajectory.
  void write(std::vector<Row>& rows) const {
    for (int lane = 0; lane < n; ++lane) {
      Row& row = rows.emplace_back();
      environment.write(lane, row);
      monitors.write(lane, row);
      row.potential = decisions->potential().total()[lane];
      row.fresh_potential = decisions->potential().fresh()[lane];
      row.stale_rounds = static_cast<std::int32_t>(decisions->potential().n_stale()[lane]);
    }
  }

  [[gnu::noinline]] void report_block(const RoundObserver& observer, const Tables& tables) const {
    const Absorbed<P>& block = learner.block();
    for (int lane = 0; lane < n; ++lane) {
      const auto old_axes = tables.old_axes(first + lane);
      for (int r = 0; r < block.n; ++r) {
        const auto numbers = [&](const Vec* v) {
          std::vector<double> out;
          for (int i = 0; i < tables.p; ++i) out.push_back(v[r * P + i][lane]);
          return old_axes ? (*old_axes)(out) : out;
        };
        observer({.trajectory = first + lane,
                  .t = block.first + r,
                  .x = numbers(block.x),
                  .y = block.y[r][lane],
                  .eps = block.eps[r][lane],
                  .theta_hat = numbers(block.theta_hat),
                  .mu = block.mu[r][lane],
                  .theta_ridge = numbers(block.theta_ridge),
                  .q_Lambda = block.q_Lambda[r][lane],
                  .q_loss = block.q_loss[r][lane],
                  .error2 = block.error2[r][lane],
                  .q_ridge = block.q_ridge[r][lane],
                  .logdet = block.logdet(r)[lane]});
      }
    }
  }

  std::int64_t first;  ///< trajectory of lane 0
  int n;               ///< trajectories; lanes from here on belong to nobody
  Environment<P> environment;
  std::unique_ptr<Player<P>> player;
  Learner<P> learner;
  std::unique_ptr<DecisionSet<P>> decisions;
  Monitors<P> monitors;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
