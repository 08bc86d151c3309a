// A pack: some groups of trajectories in lockstep. Each goes through long chains of operations that wait for one another;
// side by side, step by step, they keep the processor busy. The smaller the dimension, the more of them it takes.
#pragma once

#include "group.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Pack {
 public:
  static constexpr int n_groups = P <= 3 ? 4 : P <= 6 ? 3 : P <= 12 ? 2 : 1;
  static constexpr PackWidth width = {Vec::width, n_groups* Vec::width};

  explicit Pack(const Task& task)
      : block_(task.tables.block), lag_(task.tables.experiment.lag), T_(task.tables.experiment.T) {
    for (int i = 0; i < task.n; i += Vec::width) groups_.push_back(std::make_unique<Group<P>>(task, task.first + i));
  }

  /// False if a stop was requested.
  bool run() {
    for (std::int64_t t = 1; t <= T_;) {
      if (Stop::requested()) return false;
      const std::int64_t end = t <= lag_ ? std::min(lag_, T_) : T_;
      const int n = static_cast<int>(std::min<std::int64_t>(block_, end - t + 1));
      if (t <= lag_) {
        for (auto& group : groups_) group->play_in_turn(t, n);
      } else {
        absorb(t - lag_, n);
        for (auto& group : groups_) group->choose_and_play(t, n);
      }
      t += n;
    }
    return drain();
  }

  std::vector<Row> rows() const {
    std::vector<Row> rows;
    for (const auto& group : groups_) group->write(rows);
    return rows;
  }

 private:
  /// The last samples, so that every C_t, t = 1..T, is looked at.
  bool drain() {
    for (std::int64_t t = T_ - lag_ + 1; t <= T_;) {
      if (Stop::requested()) return false;
      const std::int64_t aligned = block_ - (t - 1) % block_;
      const int n = static_cast<int>(std::min(aligned, T_ - t + 1));
      absorb(t, n);
      t += n;
    }
    return true;
  }

  /// Samples first..first+n-1 enter.
  void absorb(std::int64_t first, int n) {
    for (auto& group : groups_) group->open_block(first, n);
    for (int r = 0; r < n; ++r) {
      for (auto& group : groups_) group->absorb(r);
      for (auto& group : groups_) group->first_sweep();
      for (auto& group : groups_) group->second_sweep();
      for (auto& group : groups_) group->settle(r);
    }
    for (auto& group : groups_) group->close_block();
  }

  int block_;
  std::int64_t lag_, T_;
  std::vector<std::unique_ptr<Group<P>>> groups_;
};

template <int P>
bool run_pack(const Task& task, std::vector<Row>& rows) {
  Pack<P> pack(task);
  if (!pack.run()) return false;
  rows = pack.rows();
  return true;
}

template <int P>
Kernel kernel() {
  return {Pack<P>::width, run_pack<P>};
}

/// The dimensions that kernels are built for; what lies between is filled up with zeros.
inline Kernel kernel_of(int p) {
  if (p <= 6) {
    constexpr Kernel (*exact[])() = {kernel<2>, kernel<2>, kernel<3>, kernel<4>, kernel<5>, kernel<6>};
    return exact[p - 1]();
  }
  if (p <= 12) {
    constexpr Kernel (*even[])() = {kernel<8>, kernel<10>, kernel<12>};
    return even[(p - 7) / 2]();
  }
  constexpr Kernel (*tiled[])() = {kernel<16>, kernel<20>, kernel<24>, kernel<28>, kernel<32>};
  return tiled[(p - 13) / 4]();
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
