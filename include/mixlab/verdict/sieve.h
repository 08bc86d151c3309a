// Order statistics of a column that is too long to be held in memory: it passes by several times, and each pass
// narrows down where the wanted values lie. What comes out is exact.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace mixlab::verdict {

/// Equal values of a column: in ascending order they have the ranks before + 1 .. before + count.
struct ValueRun {
  double value = 0;
  std::int64_t before = 0;
  std::int64_t count = 0;

  std::int64_t last_rank() const { return before + count; }
};

class Sieve {
 public:
  /// Given runs in ascending order, each i such that a wanted value may lie strictly between runs[i-1] and runs[i]: its
  /// rank is from runs[i-1].last_rank() + 1 to runs[i].before.
  using Wanted = std::function<std::vector<std::size_t>(const std::vector<ValueRun>& runs)>;

  /// Holds at most about `room` values of the column; all of a column that is not longer, then one pass is enough.
  Sieve(Wanted wanted, std::size_t room) : wanted_(std::move(wanted)), room_(room) {}

  /// One value of the column, which must not be NaN; every pass has the same ones in the same order.
  void take(double value);
  /// Ends a pass; whether another one is needed.
  bool end_pass();
  bool done() const { return stage_ == Stage::done; }
  /// When done: runs of the column in ascending order, the wanted ones among them. The first and the last may be
  /// infinite and of count 0.
  const std::vector<ValueRun>& runs() const { return runs_; }
  std::vector<ValueRun> take_runs() { return std::move(runs_); }

 private:
  enum class Stage { collecting, counting, done };
  void collect(double value);
  /// The first values as splitters of the column, so that the pass that brought them counts, too. Where they tell little
  /// of the others, as in a column that ascends, later passes sample all of it.
  void start_counting(double value);
  void count(double value);
  /// Adds runs inside open gaps, of ranks yet unknown.
  void add(const std::vector<ValueRun>& more);
  void settle_ranks();
  bool choose_gaps();

  Wanted wanted_;
  std::size_t room_;
  Stage stage_ = Stage::collecting;
  std::vector<double> collected_;  ///< every stride_-th of the values in open gaps
  std::int64_t stride_ = 1;
  std::int64_t n_seen_ = 0;
  std::vector<ValueRun> runs_;
  std::vector<double> limits_;      ///< values of the runs
  std::vector<std::int64_t> hits_;  ///< for each run, values strictly between it and the one before, and at it
  std::vector<double> gap_starts_, gap_ends_;  ///< ascending: what lies strictly between is searched
};

/// Ends a pass of columns that go by together; whether one of them needs another.
bool end_pass(std::vector<Sieve>& sieves);

/// The value of a rank from 1 on that was wanted; unknown for other ranks.
double value_at(const std::vector<ValueRun>& runs, std::int64_t rank);

/// A whole sample.
std::vector<ValueRun> runs_of(std::vector<double> sample);

}  // namespace mixlab::verdict
