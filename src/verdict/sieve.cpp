#include "mixlab/verdict/sieve.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "mixlab/verdict/binomial.h"

namespace mixlab::verdict {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t not_settled = -1;
constexpr std::size_t values_per_run = 4;     // a run takes the memory of so many
constexpr std::size_t most_splitters = 1024;  // few enough that they stay in the cache, where most of the time goes

/// Equal neighbours made one run.
std::vector<ValueRun> group(const std::vector<double>& sorted) {
  std::vector<ValueRun> runs;
  runs.reserve(sorted.size());
  for (const double value : sorted) {
    if (runs.empty() || runs.back().value != value) runs.push_back({value, not_settled, 0});
    ++runs.back().count;
  }
  return runs;
}

/// Some of a sorted sample, evenly, to be counted.
std::vector<ValueRun> splitters(const std::vector<double>& sorted) {
  std::vector<ValueRun> runs;
  const std::size_t step = std::max(values_per_run, sorted.size() / most_splitters);
  for (std::size_t i = 0; i < sorted.size(); i += step)
    if (runs.empty() || runs.back().value != sorted[i]) runs.push_back({sorted[i], not_settled, 0});
  return runs;
}

/// How many of the sorted numbers are below `value`, without a branch that could be guessed wrong.
inline std::size_t count_below(const std::vector<double>& sorted, double value) {
  const double* first = sorted.data();
  std::size_t n = sorted.size();
  if (n == 0) return 0;
  for (; n > 1; n -= n / 2) first += (first[n / 2 - 1] < value) * (n / 2);
  return static_cast<std::size_t>(first - sorted.data()) + (*first < value);
}

}  // namespace

void Sieve::take(double value) {
  if (stage_ == Stage::collecting)
    collect(value);
  else if (stage_ == Stage::counting)
    count(value);
}

bool Sieve::end_pass() {
  if (stage_ == Stage::collecting) {
    std::sort(collected_.begin(), collected_.end());
    const bool all = stride_ == 1;
    add(all ? group(collected_) : splitters(collected_));
    collected_ = {};
    stage_ = all ? Stage::done : Stage::counting;
    if (all) settle_ranks();
  } else if (stage_ == Stage::counting) {
    settle_ranks();
    stage_ = choose_gaps() ? Stage::collecting : Stage::done;
    stride_ = 1;
    n_seen_ = 0;
  }
  return stage_ != Stage::done;
}

void Sieve::collect(double value) {
  if (!runs_.empty()) {
    const std::size_t gap = count_below(gap_ends_, value);
    if (gap == gap_ends_.size() || value == gap_ends_[gap] || value <= gap_starts_[gap]) return;
  }
  if (n_seen_++ % stride_ != 0) return;
  if (collected_.size() == room_ && runs_.empty()) return start_counting(value);
  if (collected_.size() == room_) {  // keep every other one
    for (std::size_t i = 0; 2 * i < room_; ++i) collected_[i] = collected_[2 * i];
    collected_.resize((room_ + 1) / 2);
    stride_ *= 2;
    if ((n_seen_ - 1) % stride_ != 0) return;
  }
  collected_.push_back(value);
}

void Sieve::start_counting(double value) {
  std::vector<double> first = std::exchange(collected_, {});
  std::sort(first.begin(), first.end());
  add({{-infinity, not_settled, 0}, {infinity, not_settled, 0}});
  add(splitters(first));
  stage_ = Stage::counting;
  first.push_back(value);
  for (const double one : first) count(one);
}

void Sieve::count(double value) {
  const std::size_t place = count_below(limits_, value);
  ++hits_[2 * place + (limits_[place] == value)];
}

void Sieve::add(const std::vector<ValueRun>& more) {
  std::vector<ValueRun> all;
  all.reserve(runs_.size() + more.size());
  const auto below = [](const ValueRun& a, const ValueRun& b) { return a.value < b.value; };
  std::set_union(runs_.begin(), runs_.end(), more.begin(), more.end(), std::back_inserter(all), below);
  runs_ = std::move(all);
  hits_.assign(2 * runs_.size(), 0);
  limits_.clear();
  for (const ValueRun& run : runs_) limits_.push_back(run.value);
}

void Sieve::settle_ranks() {
  std::int64_t rank = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    ValueRun& run = runs_[i];
    if (run.before == not_settled) {
      run.before = rank + hits_[2 * i];
      run.count += hits_[2 * i + 1];
    }
    rank = run.last_rank();
  }
}

bool Sieve::choose_gaps() {
  gap_starts_.clear();
  gap_ends_.clear();
  const std::vector<std::size_t> wanted = wanted_(runs_);
  for (const std::size_t i : std::set(wanted.begin(), wanted.end())) {
    if (runs_[i].before == runs_[i - 1].last_rank()) continue;  // nothing in between
    gap_starts_.push_back(runs_[i - 1].value);
    gap_ends_.push_back(runs_[i].value);
  }
  return !gap_ends_.empty();
}

bool end_pass(std::vector<Sieve>& sieves) {
  bool again = false;
  for (Sieve& sieve : sieves) again |= sieve.end_pass();
  return again;
}

double value_at(const std::vector<ValueRun>& runs, std::int64_t rank) {
  for (const ValueRun& run : runs)
    if (run.before < rank && rank <= run.last_rank()) return run.value;
  return unknown;
}

std::vector<ValueRun> runs_of(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  std::vector<ValueRun> runs = group(sample);
  std::int64_t rank = 0;
  for (ValueRun& run : runs) {
    run.before = rank;
    rank = run.last_rank();
  }
  return runs;
}

}  // namespace mixlab::verdict
