#include "mixlab/store/part_file.h"

#include <numeric>

#include "mixlab/error.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {
namespace {

constexpr const char* part_format = "mixlab part";
constexpr std::int64_t part_version = 1;

template <class T, class Member>
std::vector<T> gather(const std::vector<engine::Row>& rows, Member member) {
  std::vector<T> all;
  for (const auto& row : rows) all.insert(all.end(), (row.*member).begin(), (row.*member).end());
  return all;
}

}  // namespace

void require_rows(const Reader& file, const std::vector<std::string>& leading) {
  const auto over = [&](const char* last) {
    std::vector<std::string> dimensions = leading;
    dimensions.emplace_back(last);
    return dimensions;
  };
  file.require("regret", Type::float64, over("round"));
  file.require("first_violation", Type::int32, over("set"));
  file.require("log10_p", Type::float64, over("set"));
  file.require("horizon_log10_p", Type::float64, over("set"));
  file.require("sup_ratio", Type::float64, over("set"));
  file.require("potential", Type::float64, leading);
  file.require("first_bound_violation", Type::int32, leading);
}

void write_part(const std::string& folder, const study::Part& part, const std::vector<engine::Row>& rows,
                const std::vector<std::int64_t>& rounds, const std::vector<std::string>& sets,
                const PartContext& context) {
  Writer file = Writer::in_memory();
  file.attribute("format", part_format);
  file.attribute("format_version", part_version);
  file.attribute("study_hash", context.study_hash);
  file.attribute("study", context.study_text);
  file.attribute("numerics", context.numerics);
  file.attribute("cell", std::int64_t{part.cell});
  file.attribute("first", part.first);
  file.attribute("end", part.end);

  std::vector<std::int64_t> trajectories(rows.size());
  std::iota(trajectories.begin(), trajectories.end(), part.first);
  file.dimension("trajectory", trajectories, "trajectory number");
  file.dimension("round", rounds, "round of the checkpoint");
  file.dimension("set", sets, "confidence set");

  using engine::Row;
  const auto put = [&]<class T>(const char* name, const std::vector<std::string>& dimensions,
                                const std::vector<T>& data) {
    file.put(name, dimensions, std::span<const T>(data), name);
  };
  put("regret", {"trajectory", "round"}, gather<double>(rows, &Row::regret));
  put("first_violation", {"trajectory", "set"}, gather<std::int32_t>(rows, &Row::first_violation));
  put("log10_p", {"trajectory", "set"}, gather<double>(rows, &Row::log10_p));
  put("horizon_log10_p", {"trajectory", "set"}, gather<double>(rows, &Row::horizon_log10_p));
  put("sup_ratio", {"trajectory", "set"}, gather<double>(rows, &Row::sup_ratio));
  std::vector<double> potential;
  std::vector<std::int32_t> first_bound_violation;
  for (const auto& row : rows) {
    potential.push_back(row.potential);
    first_bound_violation.push_back(row.first_bound_violation);
  }
  put("potential", {"trajectory"}, potential);
  put("first_bound_violation", {"trajectory"}, first_bound_violation);
  write_sealed(folder + "/" + study::file_name(part), file.image());
}

std::string verify_part(const std::string& path, const study::Part& part, const std::string& study_hash) {
  const Reader file = open_guarded(path);
  if (file.text_attribute("format") != part_format || file.integer_attribute("format_version") != part_version)
    throw InputError("not a part file of this version: '" + path + "'; remove it");
  if (file.text_attribute("study_hash") != study_hash)
    throw InputError("part of another study: '" + path + "' (its study hash differs); move it away");
  if (file.integer_attribute("cell") != part.cell || file.integer_attribute("first") != part.first ||
      file.integer_attribute("end") != part.end)
    throw InputError("renamed part file: '" + path + "' (its contents are another range); restore its name");
  require_rows(file, {"trajectory"});
  if (file.extent("trajectory").at(0) != static_cast<hsize_t>(part.size()))
    throw DamagedFile("damaged file: '" + path + "' (not as many rows as its name says); delete it");
  return file.text_attribute("numerics");
}

RowBlock read_part(const std::string& path, const study::Part& part, std::int64_t first, std::int64_t end) {
  const Reader file(path);
  const auto start = static_cast<hsize_t>(first - part.first);
  const auto count = static_cast<hsize_t>(end - first);
  const hsize_t n_rounds = file.extent("round").at(0);
  const hsize_t n_sets = file.extent("set").at(0);
  return {file.read<double>("regret", {start, 0}, {count, n_rounds}),
          file.read<std::int32_t>("first_violation", {start, 0}, {count, n_sets}),
          file.read<double>("log10_p", {start, 0}, {count, n_sets}),
          file.read<double>("horizon_log10_p", {start, 0}, {count, n_sets}),
          file.read<double>("sup_ratio", {start, 0}, {count, n_sets}),
          file.read<double>("potential", {start}, {count}),
          file.read<std::int32_t>("first_bound_violation", {start}, {count})};
}

}  // namespace mixlab::store
