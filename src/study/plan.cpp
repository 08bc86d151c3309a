#include "mixlab/study/plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/study/look.h"

namespace mixlab::study {
namespace {

bool take_number(std::string_view& text, std::int64_t& number, std::size_t least_digits) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || number < 0 || digits < least_digits) return false;
  text.remove_prefix(digits);
  return true;
}

}  // namespace

std::string file_name(const Part& part) {
  char name[80];
  std::snprintf(name, sizeof name, "c%04d-%06lld-%06lld.h5", part.cell, static_cast<long long>(part.first),
                static_cast<long long>(part.end - 1));
  return name;
}

std::optional<Part> parse_file_name(const std::string& name) {
  Part part;
  std::string_view text = name;
  std::int64_t cell = 0;
  std::int64_t last = 0;
  const auto take = [&](char wanted) {
    if (text.empty() || text.front() != wanted) return false;
    text.remove_prefix(1);
    return true;
  };
  if (!take('c') || !take_number(text, cell, 4) || !take('-') || !take_number(text, part.first, 6) || !take('-') ||
      !take_number(text, last, 6) || text != ".h5" || cell > 1000000 || last < part.first ||
      last == std::numeric_limits<std::int64_t>::max())
    return {};
  part.cell = static_cast<int>(cell);
  part.end = last + 1;
  return part;
}

void RowRanges::add(int cell, std::int64_t first, std::int64_t end) {
  if (first >= end) return;
  auto& ranges = ranges_[cell];
  auto at = ranges.upper_bound(first);
  if (at != ranges.begin() && std::prev(at)->second >= first) {
    --at;
    first = at->first;
  }
  while (at != ranges.end() && at->first <= end) {
    end = std::max(end, at->second);
    at = ranges.erase(at);
  }
  ranges[first] = end;
}

std::int64_t RowRanges::count(int cell) const {
  std::int64_t rows = 0;
  if (const auto ranges = ranges_.find(cell); ranges != ranges_.end())
    for (const auto& [first, end] : ranges->second) rows += end - first;
  return rows;
}

std::int64_t RowRanges::count() const {
  std::int64_t rows = 0;
  for (const auto& [cell, ranges] : ranges_) rows += count(cell);
  return rows;
}

std::vector<std::pair<std::int64_t, std::int64_t>> RowRanges::missing(int cell, std::int64_t first,
                                                                      std::int64_t end) const {
  std::vector<std::pair<std::int64_t, std::int64_t>> holes;
  if (const auto ranges = ranges_.find(cell); ranges != ranges_.end())
    for (const auto& [range_first, range_end] : ranges->second) {
      if (range_end <= first) continue;
      if (range_first >= end) break;
      if (range_first > first) holes.emplace_back(first, range_first);
      first = range_end;
    }
  if (first < end) holes.emplace_back(first, end);
  return holes;
}

Shard parse_shard(const std::string& text) {
  const auto pieces = split(text, '/');
  const auto index = parse_integer(pieces.front()), count = parse_integer(pieces.back());
  if (pieces.size() != 2 || !index || !count || *index < 0 || *index >= *count)
    throw InputError("bad --shard: '" + text +
                     "' (must be I/N with 0 <= I < N); for instance --shard 0/4 to --shard 3/4");
  return {*index, *count};
}

bool stops_at_verdict(const Study& study) {
  return study.effective().at("study.stop") == "verdict";
}

std::vector<Part> missing_parts(const Study& study, const std::vector<std::int64_t>& part_sizes, const RowRanges& done,
                                Shard shard) {
  return missing_parts(study, part_sizes, std::vector(study.cells().size(), study.trajectories()), done, shard);
}

std::vector<Part> missing_parts(const Study& study, const std::vector<std::int64_t>& part_sizes,
                                const std::vector<std::int64_t>& ends, const RowRanges& done, Shard shard) {
  const bool stops = stops_at_verdict(study);
  std::vector<Part> parts;
  std::int64_t number = 0;
  for (const auto& cell : study.cells()) {
    const auto index = static_cast<std::size_t>(cell.index);
    const std::int64_t size = study.part() > 0 ? study.part() : part_sizes[index];
    std::int64_t end = 0;
    for (std::int64_t first = 0; first < study.trajectories(); first = end, ++number) {
      end = std::min((first / size + 1) * size, study.trajectories());
      if (stops) end = std::min(end, look_after(first));
      if (number % shard.count != shard.index || first >= ends[index]) continue;
      for (const auto& [hole_first, hole_end] : done.missing(cell.index, first, std::min(end, ends[index])))
        parts.push_back({cell.index, hole_first, hole_end, number});
    }
  }
  return parts;
}

std::vector<std::int64_t> checkpoints(std::int64_t T, int n) {
  std::vector<std::int64_t> rounds;
  for (int i = 0; i < n; ++i) {
    const double exponent = n == 1 ? 1.0 : static_cast<double>(i) / (n - 1);
    const auto round = std::clamp<std::int64_t>(std::llround(std::pow(static_cast<double>(T), exponent)), 1, T);
    if (rounds.empty() || round > rounds.back()) rounds.push_back(round);
  }
  rounds.back() = T;
  return rounds;
}

}  // namespace mixlab::study
