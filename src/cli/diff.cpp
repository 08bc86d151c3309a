#include <algorithm>
#include <cstring>
#include <iostream>

#include "command.h"
#include "mixlab/core/text.h"
#include "mixlab/store/results_file.h"

namespace mixlab::cli {
namespace {

using store::Extent;
using store::Reader;

constexpr hsize_t elements_per_block = 1 << 20;

std::string index_text(const Extent& start, const Extent& extent, std::size_t flat) {
  std::vector<std::size_t> index(extent.size());
  for (std::size_t axis = extent.size(); axis-- > 0;) {
    index[axis] = flat % extent[axis];
    flat /= extent[axis];
  }
  std::string text;
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    text += (axis ? "," : "") + std::to_string(start[axis] + index[axis]);
  return "[" + text + "]";
}

std::string shape_text(const Extent& extent) {
  return join(extent, " x ", [](hsize_t n) { return std::to_string(n); });
}

template <class T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::string value_text(const Reader& file, const std::string& name, const char* bytes) {
  const std::string type = file.type_name(name);
  if (type == "float64") return text("%.17g", load<double>(bytes));
  if (type == "int32") return std::to_string(load<std::int32_t>(bytes));
  if (type == "int64") return std::to_string(load<std::int64_t>(bytes));
  return std::to_string(static_cast<int>(load<std::uint8_t>(bytes)));
}

/// The first difference in the part of a numeric variable that both files have, or "".
std::string compare_numbers(const Reader& a, const Reader& b, const std::string& name, const Extent& common) {
  const std::size_t size = a.element_size(name);
  std::string difference;
  store::for_each_block(common, elements_per_block, [&](const Extent& start, const Extent& count) {
    if (!difference.empty()) return;
    const auto in_a = a.read_raw(name, start, count);
    const auto in_b = b.read_raw(name, start, count);
    if (in_a == in_b) return;
    const auto at =
        static_cast<std::size_t>(std::mismatch(in_a.begin(), in_a.end(), in_b.begin()).first - in_a.begin()) / size;
    difference = name + index_text(start, count, at) + ": " + value_text(a, name, in_a.data() + at * size) + " and " +
                 value_text(b, name, in_b.data() + at * size);
  });
  return difference;
}

std::string compare_texts(const Reader& a, const Reader& b, const std::string& name) {
  const auto in_a = a.read_text(name);
  const auto in_b = b.read_text(name);
  for (std::size_t i = 0; i < std::min(in_a.size(), in_b.size()); ++i)
    if (in_a[i] != in_b[i]) return name + "[" + std::to_string(i) + "]: '" + in_a[i] + "' and '" + in_b[i] + "'";
  return {};
}

/// What there is to say about one variable of two files.
struct VariableComparison {
  std::string sizes;       ///< "regret: shape 2 x 200 and 2 x 500", "" if they are the same
  std::string difference;  ///< in what both have, "" if there is none
};

VariableComparison compare_variable(const Reader& a, const Reader& b, const std::string& name) {
  if (!b.has(name)) return {{}, name + " is missing in the second"};
  const Extent of_a = a.extent(name), of_b = b.extent(name);
  const std::string shapes = name + ": shape " + shape_text(of_a) + " and " + shape_text(of_b);
  if (of_a.size() != of_b.size()) return {{}, shapes};
  if (a.type_name(name) != b.type_name(name))
    return {{}, name + ": type " + a.type_name(name) + " and " + b.type_name(name)};
  Extent common = of_a;
  for (std::size_t axis = 0; axis < common.size(); ++axis) common[axis] = std::min(of_a[axis], of_b[axis]);
  return {of_a == of_b ? "" : shapes,
          a.is_text(name) ? compare_texts(a, b, name) : compare_numbers(a, b, name, common)};
}

constexpr const char* history = "n_declared";  ///< how a study grew, not what it computed
constexpr const char* trajectories = "n_run";  ///< trajectories per cell: how much there is, not what

/// Whether files of this format version cannot have the variable.
bool is_younger(const std::string& name, std::int64_t version) {
  const auto& layout = store::results_layout();
  return std::any_of(layout.begin(), layout.end(), [&](const store::Variable& variable) {
    return variable.name == name && variable.since > version;
  });
}

Syntax diff_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab diff A.h5 B.h5\n\n"
      "Compares every variable of two results files bit for bit; attributes (dates, machine) do not count, nor\n"
      "does what the older of two format versions cannot have. Exit code 0 if all are the same, 3 if not, with the "
      "first\n"
      "difference of each variable.\n\n"
      "Of files of different size, such as a study before and after it grew, the part that both have is compared\n"
      "too: the first trajectories of the first cells. --common lets sizes not count.\n\n"
      "example: mixlab diff one-thread.h5 many-threads.h5\n";
  syntax.options.add_options()("common", "compare what both files have; a different size is no difference");
  syntax.positional = {"first", "second"};
  return syntax;
}

}  // namespace

ExitCode diff(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, diff_syntax(), options)) return ExitCode::done;
  const store::ResultsFile first(required(options, "first", "A.h5"));
  const store::ResultsFile second(required(options, "second", "B.h5"));
  const std::int64_t version = std::min(first.version(), second.version());
  const auto is_skipped = [&](const std::string& name) { return name == history || is_younger(name, version); };
  std::vector<std::string> differences, sizes;
  std::size_t n_compared = 0;
  for (const auto& name : first.file().variables()) {
    if (is_skipped(name)) continue;
    ++n_compared;
    VariableComparison comparison = compare_variable(first.file(), second.file(), name);
    if (name == trajectories) comparison = {comparison.difference, {}};
    if (!comparison.difference.empty()) differences.push_back(comparison.difference);
    if (!comparison.sizes.empty()) sizes.push_back(comparison.sizes);
  }
  for (const auto& name : second.file().variables())
    if (!first.file().has(name) && !is_skipped(name)) differences.push_back(name + " is missing in the first");
  const bool sizes_count = !options.count("common");
  for (const auto& words : differences) std::cout << "different: " << words << "\n";
  if (sizes_count)
    for (const auto& words : sizes) std::cout << "different: " << words << "\n";
  if (differences.empty())
    std::cout << (sizes.empty() ? "same: all " : "same in what both have: all ") << n_compared << " variables"
              << (first.version() == second.version() ? "" : " that both format versions have") << ", bit for bit\n";
  return differences.empty() && (sizes.empty() || !sizes_count) ? ExitCode::done : ExitCode::contradicted;
}

}  // namespace mixlab::cli
