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

#include "mixlab/engine/lanes.h"
#include "mixlab/engine/reference.h"
#include "mixlab/engine/stop.h"

namespace mixlab::engine {
namespace {

constexpr std::size_t most_waiting_parts = 4;
constexpr std::int64_t packs_a_thread = 8;  ///< at least, so that all end at about the same time
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

/// A part while its packs of trajectories come in, in whatever order.
class Gathering {
 public:
  /// `largest_pack`: that all threads have something to do.
  Gathering(const study::Part& part, const Experiment& experiment, Engine engine, std::int64_t largest_pack)
      : part_(part), experiment_(experiment), in_lanes_(uses_lanes(experiment, engine)), missing_(part.size()) {
    if (!in_lanes_) return;
    const PackWidth width = pack_width(experiment);
    width_ = width.most;
    while (width_ > width.least && width_ > largest_pack) width_ -= width.least;
  }

  std::int64_t n_packs() const { return (part_.size() + width_ - 1) / width_; }

  /// Computes a pack, unless a stop is requested.
  void run(std::int64_t pack, Clerk& clerk) {
    std::call_once(opened_, [&] {
      rows_.resize(static_cast<std::size_t>(part_.size()));
      if (in_lanes_) lanes_ = std::make_unique<Lanes>(experiment_);
    });
    const std::int64_t first = pack * width_;
    const std::int64_t n = std::min(width_, part_.size() - first);
    std::vector<Row> rows;
    if (lanes_) {
      auto computed = lanes_->run(part_.first + first, static_cast<int>(n));
      if (!computed) return;
      rows = std::move(*computed);
    } else {
      auto row = run_reference(experiment_, part_.first + first);
      if (!row) return;
      rows.push_back(std::move(*row));
    }
    for (std::int64_t i = 0; i < n; ++i) {
      clerk.count(rows[static_cast<std::size_t>(i)], experiment_);
      rows_[static_cast<std::size_t>(first + i)] = std::move(rows[static_cast<std::size_t>(i)]);
    }
    if ((missing_ -= n) == 0) {
      lanes_.reset();
      clerk.hand_over({part_, std::move(rows_)});
    }
  }

 private:
  study::Part part_;
  const Experiment& experiment_;
  bool in_lanes_;
  std::int64_t width_ = 1;
  std::once_flag opened_;
  std::unique_ptr<Lanes> lanes_;
  std::vector<Row> rows_;
  std::atomic<std::int64_t> missing_;
};

}  // namespace

void run_parts(const std::vector<Experiment>& experiments, const std::vector<study::Part>& parts,
               const RunSettings& settings, const Commit& commit, Progress& progress, Tally& tally) {
  std::int64_t n_trajectories = 0;
  for (const auto& part : parts) n_trajectories += part.size();
  const std::int64_t largest_pack = n_trajectories / (packs_a_thread * settings.n_threads);
  std::deque<Gathering> gathering;
  std::vector<std::int64_t> first_pack(1, 0);
  for (const auto& part : parts) {
    gathering.emplace_back(part, experiments[static_cast<std::size_t>(part.cell)], settings.engine, largest_pack);
    first_pack.push_back(first_pack.back() + gathering.back().n_packs());
  }

  FirstError error;
  Clerk clerk(settings, commit, progress, tally, error);
  // Packs are dealt out in order, so an incomplete part always has a pack in flight: no more parts are open than
  // there are threads.
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(settings.n_threads)
  for (std::int64_t pack = 0; pack < first_pack.back(); ++pack) {
    if (Stop::requested() || error.failed()) continue;
    try {
      const auto part = std::upper_bound(first_pack.begin(), first_pack.end(), pack) - first_pack.begin() - 1;
      gathering[static_cast<std::size_t>(part)].run(pack - first_pack[static_cast<std::size_t>(part)], clerk);
    } catch (...) {
      error.keep(std::current_exception());
    }
  }
  clerk.close();
  progress.finish(tally);
  error.rethrow();
}

}  // namespace mixlab::engine
