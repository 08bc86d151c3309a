#include "mixlab/engine/runner.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "mixlab/core/error.h"
#include "mixlab/core/stop.h"
#include "mixlab/core/text.h"
#include "mixlab/engine/lanes.h"
#include "mixlab/engine/reference.h"
#include "visit.h"

namespace mixlab::engine {
namespace {

constexpr std::int64_t packs_per_thread = 8;  ///< at least, so that all end at about the same time
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

/// Where all threads are: a call into the user's code that does not come back is named, and ends the process.
class Lookout {
 public:
  Lookout(int n_threads, double max_round_seconds)
      : threads_(static_cast<std::size_t>(n_threads)),
        n_looks_(static_cast<int>(std::min(1e9, max_round_seconds / std::chrono::duration<double>(tick).count()))) {}

  Whereabouts* of_thread(int thread) { return &threads_[static_cast<std::size_t>(thread)]; }

  /// Looks once per tick, however often it is called; time during which nobody looked, as the process was stopped, does not
  /// count.
  void look() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < tick) return;
    last_ = now;
    for (auto& thread : threads_)
      if (const auto place = thread.stuck_for(n_looks_)) end_process(*place);
  }

 private:
  [[noreturn]] static void end_process(const Place& place) {
    std::cerr << "mixlab: "
              << VisitError("a call has not come back, longer than a round may take by --max-round", place).what()
              << std::endl;
    std::_Exit(static_cast<int>(ExitCode::failure));
  }

  std::deque<Whereabouts> threads_;
  int n_looks_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Some rows of a part.
struct Block {
  study::Part part;
  std::int64_t first = 0;
  std::vector<Row> rows;
};

/// One thread that writes finished blocks, watches the clock and shows progress, while the workers compute.
class BlockWriter {
 public:
  BlockWriter(const RunSettings& settings, const Commit& commit, Progress& progress, Tally& tally, FirstError& error,
              Lookout& lookout)
      : settings_(settings),
        commit_(commit),
        progress_(progress),
        tally_(tally),
        error_(error),
        lookout_(lookout),
        thread_([this] { work(); }) {}

  /// Waits while the queue is full.
  void hand_over(Block block) {
    std::unique_lock lock(mutex_);
    space_.wait(lock, [this] {  // one block per thread
      return queue_.size() < static_cast<std::size_t>(settings_.n_threads) || error_.failed();
    });
    queue_.push_back(std::move(block));
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
      lookout_.look();
      show_progress();
      if (queue_.empty()) {
        if (closing_) return;
        continue;
      }
      const Block block = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      if (can_write_) write(block);  // also what was finished before a trajectory failed
      lock.lock();
      space_.notify_all();
    }
  }

  void show_progress() {
    try {
      progress_.show(tally_);
    } catch (...) {
      error_.keep(std::current_exception());
    }
  }

  void write(const Block& block) {
    try {
      commit_(block.part, block.first, block.rows);
    } catch (...) {
      can_write_ = false;
      error_.keep(std::current_exception());
    }
  }

  const RunSettings& settings_;
  const Commit& commit_;
  Progress& progress_;
  Tally& tally_;
  FirstError& error_;
  Lookout& lookout_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable space_;
  std::deque<Block> queue_;
  bool closing_ = false;
  bool can_write_ = true;  ///< of the writing thread alone
  std::thread thread_;     // last: it uses all of the above
};

/// A part while its packs of trajectories come in, in whatever order. Blocks of packs that are complete are handed over.
class PartInProgress {
 public:
  /// `largest_pack`: that all threads have something to do.
  PartInProgress(const study::Part& part, const Experiment& experiment, Engine engine, std::int64_t largest_pack)
      : part_(part), experiment_(experiment), in_lanes_(uses_lanes(experiment, engine)), missing_(part.size()) {
    if (!in_lanes_) return;
    const PackWidth width = pack_width(experiment);
    width_ = width.most;
    while (width_ > width.least && width_ > largest_pack) width_ -= width.least;
  }

  std::int64_t n_packs() const { return (part_.size() + width_ - 1) / width_; }

  /// Computes a pack, unless a stop is requested.
  void run(std::int64_t pack, BlockWriter& writer) {
    std::call_once(opened_, [&] {
      if (in_lanes_) lanes_ = std::make_unique<Lanes>(experiment_);
    });
    auto rows = compute(part_.first + pack * width_, std::min(width_, part_.size() - pack * width_));
    if (!rows) return;
    for (const Row& row : *rows) writer.count(row, experiment_);
    if (auto block = take(pack, std::move(*rows))) writer.hand_over(std::move(*block));
  }

 private:
  /// A block while its packs come in.
  struct OpenBlock {
    std::vector<Row> rows;
    std::int64_t missing = 0;
  };

  std::optional<std::vector<Row>> compute(std::int64_t first, std::int64_t n) const {
    if (lanes_) return lanes_->run(first, static_cast<int>(n));
    auto row = run_reference(experiment_, first);
    if (!row) return {};
    return std::vector<Row>{std::move(*row)};
  }

  /// Returns the block that the pack completes, if it does.
  std::optional<Block> take(std::int64_t pack, std::vector<Row> rows) {
    const std::int64_t packs_per_block = std::max<std::int64_t>(1, rows_per_block / width_);
    const std::int64_t number = pack / packs_per_block;
    const std::int64_t first = number * packs_per_block * width_;  // in the part
    const std::lock_guard lock(mutex_);
    OpenBlock& block = open_[number];
    if (block.rows.empty()) {
      block.missing = std::min(packs_per_block * width_, part_.size() - first);
      block.rows.resize(static_cast<std::size_t>(block.missing));
    }
    std::move(rows.begin(), rows.end(), block.rows.begin() + (pack * width_ - first));
    block.missing -= static_cast<std::int64_t>(rows.size());
    if ((missing_ -= static_cast<std::int64_t>(rows.size())) == 0) lanes_.reset();
    if (block.missing > 0) return {};
    Block complete{part_, part_.first + first, std::move(block.rows)};
    open_.erase(number);
    return complete;
  }

  study::Part part_;
  const Experiment& experiment_;
  bool in_lanes_;
  std::int64_t width_ = 1;  ///< trajectories per pack
  std::once_flag opened_;
  std::unique_ptr<Lanes> lanes_;
  std::mutex mutex_;  // for what follows
  std::map<std::int64_t, OpenBlock> open_;
  std::int64_t missing_;
};

}  // namespace

void run_parts(const std::vector<Experiment>& experiments, const std::vector<study::Part>& parts,
               const RunSettings& settings, const Commit& commit, Progress& progress, Tally& tally) {
  omp_set_dynamic(0);
  std::int64_t n_trajectories = 0;
  for (const auto& part : parts) n_trajectories += part.size();
  const std::int64_t largest_pack = n_trajectories / (packs_per_thread * settings.n_threads);
  std::deque<PartInProgress> in_progress;
  std::vector<std::int64_t> first_pack(1, 0);
  for (const auto& part : parts) {
    in_progress.emplace_back(part, experiments[static_cast<std::size_t>(part.cell)], settings.engine, largest_pack);
    first_pack.push_back(first_pack.back() + in_progress.back().n_packs());
  }

  FirstError error;
  Lookout lookout(settings.n_threads, settings.max_round_seconds);
  BlockWriter writer(settings, commit, progress, tally, error, lookout);
  // Packs are dealt out in order, so an incomplete block always has a pack in flight: no more blocks are open than
  // there are threads.
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(settings.n_threads)
  for (std::int64_t pack = 0; pack < first_pack.back(); ++pack) {
    if (Stop::requested() || error.failed()) continue;
    whereabouts() = lookout.of_thread(omp_get_thread_num());
    try {
      const auto part = std::upper_bound(first_pack.begin(), first_pack.end(), pack) - first_pack.begin() - 1;
      in_progress[static_cast<std::size_t>(part)].run(pack - first_pack[static_cast<std::size_t>(part)], writer);
    } catch (...) {
      error.keep(std::current_exception());
    }
    whereabouts() = nullptr;
  }
  writer.close();
  progress.finish(tally);
  error.rethrow();
}

}  // namespace mixlab::engine
