#include "mixlab/verdict/sieve.h"

#include <algorithm>
#include <limits>

#include "mixlab/verdict/binomial.h"

namespace mixlab::verdict {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t not_settled = -1;
constexpr std::size_t values_per_run = 4;  // a run takes the memory of so many

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
  for (std::size_t i = 0; i < sorted.size(); i += values_per_run)
    if (runs.empty() || runs.back().value != sorted[i]) runs.push_back({sorted[i], not_settled, 0});
  return runs;
}

}  // namespace

void Sieve::take(double value) {
  if (stage_ == Stage::collecting) collect(value);
  if (stage_ == Stage::counting) count(value);
}

bool Sieve::end_pass() {
  if (stage_ == Stage::collecting) {
    std::sort(collected_.begin(), collected_.end());
    const bool all = stride_ == 1;
    if (!all && runs_.empty()) add({{-infinity, not_settled, 0}, {infinity, not_settled, 0}});
    std::vector<ValueRun> more = all ? group(collected_) : splitters(collected_);
    collected_ = {};
    add(std::move(more));
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

std::size_t Sieve::place_of(double value) const {
  const auto below = [](const ValueRun& run, double limit) { return run.value < limit; };
  return static_cast<std::size_t>(std::lower_bound(runs_.begin(), runs_.end(), value, below) - runs_.begin());
}

void Sieve::collect(double value) {
  if (!runs_.empty()) {
    const std::size_t place = place_of(value);
    if (runs_[place].value == value || !is_open_[place]) return;
  }
  if (n_seen_++ % stride_ != 0) return;
  if (collected_.size() == room_) {  // keep every other one
    for (std::size_t i = 0; 2 * i < room_; ++i) collected_[i] = collected_[2 * i];
    collected_.resize((room_ + 1) / 2);
    stride_ *= 2;
    if ((n_seen_ - 1) % stride_ != 0) return;
  }
  collected_.push_back(value);
}

void Sieve::count(double value) {
  const std::size_t place = place_of(value);
  ValueRun& run = runs_[place];
  if (run.value == value)
    run.count += run.before == not_settled;
  else
    in_gap_[place] += is_open_[place];
}

void Sieve::add(std::vector<ValueRun> more) {
  std::vector<char> is_open(more.size(), true);
  if (!runs_.empty()) {
    std::vector<ValueRun> all;
    all.reserve(runs_.size() + more.size());
    is_open.clear();
    std::size_t old = 0;
    const auto take_old = [&] {
      all.push_back(runs_[old]);
      is_open.push_back(is_open_[old++]);
    };
    for (const ValueRun& run : more) {
      while (old < runs_.size() && runs_[old].value < run.value) take_old();
      if (old < runs_.size() && runs_[old].value == run.value) continue;
      all.push_back(run);
      is_open.push_back(true);
    }
    while (old < runs_.size()) take_old();
    more = std::move(all);
  }
  runs_ = std::move(more);
  is_open_ = std::move(is_open);
  in_gap_.assign(runs_.size(), 0);
}

void Sieve::settle_ranks() {
  std::int64_t rank = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (runs_[i].before == not_settled) runs_[i].before = rank + in_gap_[i];
    rank = runs_[i].last_rank();
  }
}

bool Sieve::choose_gaps() {
  is_open_.assign(runs_.size(), false);
  bool any = false;
  for (const std::size_t i : wanted_(runs_)) {
    if (runs_[i].before == (i == 0 ? 0 : runs_[i - 1].last_rank())) continue;  // nothing in between
    is_open_[i] = true;
    any = true;
  }
  return any;
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
