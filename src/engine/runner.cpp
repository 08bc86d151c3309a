#include "mixlab/engine/runner.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "mixlab/engine/reference.h"
#include "mixlab/engine/stop.h"

namespace mixlab::engine {
namespace {

constexpr std::size_t most_waiting_parts = 4;
constexpr auto tick = std::chrono::milliseconds(100);

/// The first exception of any thread, to be thrown again where it can be caught.
class FirstError {
 public:
  void keep(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    failed_.store(true, std::memory_order_relaxed);
  }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
  std::atomic<bool> failed_{false};
};

struct Finished {
  study::Part part;
  std::vector<Row> rows;
};

/// One thread that writes finished parts, watches the clock and shows progress, while the workers compute.
class Clerk {
 public:
  Clerk(const RunSettings& settings, const Commit& commit, Progress& progress, Tally& tally, FirstError& error)
      : settings_(settings), commit_(commit), progress_(progress), tally_(tally), error_(error), thread_([this] {
          work();
        }) {}

  /// Waits while the queue is full.
  void hand_over(Finished finished) {
    std::unique_lock lock(mutex_);
    space_.wait(lock, [this] { return queue_.size() < most_waiting_parts || error_.failed(); });
    queue_.push_back(std::move(finished));
    work_.notify_one();
  }

  void count(const Row& row, const Experiment& experiment) {
    const std::lock_guard lock(mutex_);
    ++tally_.done;
    ++tally_.computed;
    tally_.rounds += static_cast<double>(experiment.T);
    for (std::size_t i = 0; i < row.first_violation.size(); ++i) {
      if (row.first_violation[i] == 0) continue;
      const auto set = std::find(tally_.sets.begin(), tally_.sets.end(), experiment.sets[i].name);
      if (set != tally_.sets.end()) ++tally_.misses[static_cast<std::size_t>(set - tally_.sets.begin())];
    }
  }

  /// Writes what is waiting and ends.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      work_.notify_one();
    }
    thread_.join();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      work_.wait_for(lock, tick, [this] { return closing_ || !queue_.empty(); });
      if (settings_.max_seconds && progress_.seconds() >= *settings_.max_seconds) Stop::request(StopReason::time_limit);
      progress_.show(tally_);
      if (queue_.empty()) {
        if (closing_) return;
        continue;
      }
      const Finished finished = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      if (!error_.failed()) write(finished);
      lock.lock();
      space_.notify_all();
    }
  }

  void write(const Finished& finished) {
    try {
      commit_(finished.part, finished.rows);
    } catch (...) {
      error_.keep(std::current_exception());
    }
  }

  const RunSettings& settings_;
  const Commit& commit_;
  Progress& progress_;
  Tally& tally_;
  FirstError& error_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable space_;
  std::deque<Finished> queue_;
  bool closing_ = false;
  std::thread thread_;  // last: it uses all of the above
};

/// Rows of a part while its trajectories come in, in whatever order.
struct Gathering {
  std::once_flag opened;
  std::vector<Row> rows;
  std::atomic<std::int64_t> missing{0};
};

}  // namespace

void run_parts(const std::vector<Experiment>& experiments, const std::vector<study::Part>& parts,
               const RunSettings& settings, const Commit& commit, Progress& progress, Tally& tally) {
  std::vector<std::int64_t> first_item(1, 0);
  for (const auto& part : parts) first_item.push_back(first_item.back() + part.size());
  const std::int64_t n_items = first_item.back();
  std::vector<Gathering> gathering(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) gathering[i].missing = parts[i].size();

  FirstError error;
  Clerk clerk(settings, commit, progress, tally, error);
  const auto run_item = [&](std::int64_t item) {
    const auto index =
        static_cast<std::size_t>(std::upper_bound(first_item.begin(), first_item.end(), item) - first_item.begin() - 1);
    const study::Part& part = parts[index];
    const Experiment& experiment = experiments[static_cast<std::size_t>(part.cell)];
    const std::int64_t offset = item - first_item[index];
    std::optional<Row> row = run_reference(experiment, part.first + offset);
    if (!row) return;
    Gathering& gathered = gathering[index];
    std::call_once(gathered.opened, [&] { gathered.rows.resize(static_cast<std::size_t>(part.size())); });
    clerk.count(*row, experiment);
    gathered.rows[static_cast<std::size_t>(offset)] = std::move(*row);
    if (--gathered.missing == 0) clerk.hand_over({part, std::move(gathered.rows)});
  };

  // Items are dealt out in order, so an incomplete part always has a trajectory in flight: no more parts are open
  // than there are threads.
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(settings.n_threads)
  for (std::int64_t item = 0; item < n_items; ++item) {
    if (Stop::requested() || error.failed()) continue;
    try {
      run_item(item);
    } catch (...) {
      error.keep(std::current_exception());
    }
  }
  clerk.close();
  progress.finish(tally);
  error.rethrow();
}

}  // namespace mixlab::engine
