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

/// The first difference in a numeric variable, or "".
std::string compare_numbers(const Reader& a, const Reader& b, const std::string& name, const Extent& extent) {
  const std::size_t size = a.element_size(name);
  std::string difference;
  store::for_each_block(extent, elements_per_block, [&](const Extent& start, const Extent& count) {
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

std::string compare_variable(const Reader& a, const Reader& b, const std::string& name) {
  if (!b.has(name)) return name + " is missing in the second";
  const Extent extent = a.extent(name);
  if (extent != b.extent(name)) return name + ": shape " + shape_text(extent) + " and " + shape_text(b.extent(name));
  if (a.type_name(name) != b.type_name(name)) return name + ": type " + a.type_name(name) + " and " + b.type_name(name);
  if (!a.is_text(name)) return compare_numbers(a, b, name, extent);
  const auto in_a = a.read_text(name);
  const auto in_b = b.read_text(name);
  for (std::size_t i = 0; i < in_a.size(); ++i)
    if (in_a[i] != in_b[i]) return name + "[" + std::to_string(i) + "]: '" + in_a[i] + "' and '" + in_b[i] + "'";
  return {};
}

constexpr const char* history = "n_declared";  ///< how a study grew, not what it computed

/// Whether files of this format version cannot have the variable.
bool is_younger(const std::string& name, std::int64_t version) {
  const auto& layout = store::results_layout();
  return std::any_of(layout.begin(), layout.end(), [&](const store::Variable& variable) {
    return variable.name == name && variable.since > version;
  });
}

Syntax syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab diff A.h5 B.h5\n\n"
      "Compares every variable of two results files bit for bit; attributes (dates, machine) do not count, nor\n"
      "does what the older of two format versions cannot have. Exit code 0 if all are the same, 3 if not, with the "
      "first\n"
      "difference of each variable.\n\n"
      "example: mixlab diff one-thread.h5 many-threads.h5\n";
  syntax.positional = {"first", "second"};
  return syntax;
}

}  // namespace

ExitCode diff(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, syntax(), options)) return ExitCode::done;
  const store::ResultsFile first(required(options, "first", "A.h5"));
  const store::ResultsFile second(required(options, "second", "B.h5"));
  const std::int64_t version = std::min(first.version(), second.version());
  const auto is_skipped = [&](const std::string& name) { return name == history || is_younger(name, version); };
  std::vector<std::string> differences;
  std::size_t n_compared = 0;
  for (const auto& name : first.file().variables()) {
    if (is_skipped(name)) continue;
    ++n_compared;
    if (const std::string difference = compare_variable(first.file(), second.file(), name); !difference.empty())
      differences.push_back(difference);
  }
  for (const auto& name : second.file().variables())
    if (!first.file().has(name) && !is_skipped(name)) differences.push_back(name + " is missing in the first");
  for (const auto& difference : differences) std::cout << "different: " << difference << "\n";
  if (differences.empty())
    std::cout << "same: all " << n_compared << " variables"
              << (first.version() == second.version() ? "" : " that both format versions have") << ", bit for bit\n";
  return differences.empty() ? ExitCode::done : ExitCode::contradicted;
}

}  // namespace mixlab::cli
