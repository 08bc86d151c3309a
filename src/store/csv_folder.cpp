#include "mixlab/store/csv_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/store/hdf5_reader.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/workspace.h"

namespace mixlab::store {
namespace {

namespace fs = std::filesystem;

constexpr hsize_t elements_per_block = 1 << 16;

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return visible(text);
  return csv_quoted(text);
}

template <class T>
std::string number_text(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(value)) return "";
  char text[40];
  if constexpr (sizeof(T) == 1) return std::to_string(static_cast<int>(value));
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// The values of one variable, block by block, as text; missing values are empty.
class Column {
 public:
  Column(const Reader& file, std::string name)
      : file_(file), name_(std::move(name)), type_(file.type_name(name_)), size_(file.element_size(name_)) {
    if (type_ == "string") texts_ = file.read_text(name_);
    const auto attributes = file.attributes(name_);
    if (type_ == "int32" && std::find(attributes.begin(), attributes.end(), "_FillValue") != attributes.end())
      fill_ = "-1";
  }
  const std::string& name() const { return name_; }

  void load(const Extent& start, const Extent& count) {
    if (type_ == "string")
      first_ = start.at(0);  // strings have one dimension
    else
      block_ = file_.read_raw(name_, start, count);
  }
  std::string text(std::size_t i) const {
    if (type_ == "string") return quoted(texts_.at(first_ + i));
    const char* bytes = block_.data() + i * size_;
    const std::string text = type_ == "float64" ? number_text<double>(bytes)
                             : type_ == "int32" ? number_text<std::int32_t>(bytes)
                             : type_ == "int64" ? number_text<std::int64_t>(bytes)
                                                : number_text<std::uint8_t>(bytes);
    return text == fill_ ? "" : text;
  }

 private:
  const Reader& file_;
  std::string name_;
  std::string type_;
  std::size_t size_;
  std::string fill_;  // besides NaN
  std::vector<std::string> texts_;
  std::size_t first_ = 0;
  std::vector<char> block_;
};

/// The coordinates along a dimension.
std::vector<std::string> coordinates(const Reader& file, const std::string& dimension) {
  Column column(file, dimension);
  const Extent all = file.extent(dimension);
  column.load({0}, all);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < all.at(0); ++i) texts.push_back(column.text(i));
  return texts;
}

class Table {
 public:
  Table(const Reader& file, const std::vector<std::string>& dimensions, const std::vector<std::string>& names)
      : extent_(file.extent(names.front())), dimensions_(dimensions) {
    for (const auto& name : dimensions) coordinates_.push_back(coordinates(file, name));
    for (const auto& name : names) columns_.emplace_back(file, name);
  }

  /// Number of rows; those without any value are left out.
  std::int64_t write(std::ostream& out) {
    std::string line;
    for (const auto& name : dimensions_) line += name + ",";
    for (const auto& column : columns_) line += column.name() + ",";
    line.back() = '\n';
    out << line;
    std::int64_t n_rows = 0;
    for_each_block(extent_, elements_per_block, [&](const Extent& start, const Extent& count) {
      for (auto& column : columns_) column.load(start, count);
      std::size_t n = 1;
      for (const hsize_t size : count) n *= size;
      for (std::size_t i = 0; i < n; ++i) n_rows += write_row(out, start, count, i);
    });
    return n_rows;
  }

 private:
  bool write_row(std::ostream& out, const Extent& start, const Extent& count, std::size_t flat) const {
    std::string values;
    bool any = false;
    for (const auto& column : columns_) {
      const std::string text = column.text(flat);
      any = any || !text.empty();
      values += "," + text;
    }
    if (!any) return false;
    std::string index;
    for (std::size_t axis = count.size(); axis-- > 0; flat /= count[axis])
      index = (axis ? "," : "") + coordinates_[axis][start[axis] + flat % count[axis]] + index;
    out << index << values << "\n";
    return true;
  }

  Extent extent_;
  std::vector<std::string> dimensions_;
  std::vector<std::vector<std::string>> coordinates_;
  std::vector<Column> columns_;
};

/// Dimensions -> the variables over them, in the order of the file.
std::map<std::vector<std::string>, std::vector<std::string>> variables_by_dimensions(const Reader& file) {
  std::map<std::vector<std::string>, std::vector<std::string>> all;
  for (const auto& name : file.variables()) {
    const auto dimensions = file.dimensions(name);
    if (dimensions.size() != file.extent(name).size() || dimensions == std::vector{name}) continue;
    all[dimensions].push_back(name);
  }
  return all;
}

std::string table_name(const std::vector<std::string>& dimensions) {
  return join(dimensions, "-") + ".csv";
}

/// A folder in the making, removed unless it gets its final name.
class NewFolder {
 public:
  explicit NewFolder(const std::string& path) : path_(path), temporary_(temporary_name(path)) {
    std::error_code error;
    if (fs::exists(path, error) && (!fs::is_directory(path, error) || !fs::is_empty(path, error)))
      throw InputError("bad output: '" + path +
                       "' (exists already and is not an empty folder); choose another with -o");
    require_folder_of(path);
    if (!fs::create_directory(temporary_, error)) fail(error.message());
  }
  ~NewFolder() {
    std::error_code error;
    fs::remove_all(temporary_, error);
  }
  std::string operator/(const std::string& name) const { return temporary_ + "/" + name; }
  void finish() {
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(std::strerror(errno));
  }
  [[noreturn]] void fail(const std::string& reason) const {
    throw WriteError("cannot write " + path_ + ": " + reason + "; free some space or choose another place with -o");
  }

 private:
  std::string path_;
  std::string temporary_;
};

}  // namespace

std::vector<CsvTable> write_csv_folder(const std::string& path, const ResultsFile& results) {
  std::string plain = path;
  while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  NewFolder folder(plain);
  std::vector<CsvTable> tables;
  for (const auto& [dimensions, names] : variables_by_dimensions(results.file())) {
    CsvTable table{table_name(dimensions), 0};
    std::ofstream out(folder / table.name, std::ios::binary);
    errno = 0;
    table.n_rows = Table(results.file(), dimensions, names).write(out);
    out.close();
    if (!out) folder.fail(std::strerror(errno ? errno : EIO));
    tables.push_back(table);
  }
  write_text(folder / "study.cfg", results.study_text());
  folder.finish();
  return tables;
}

}  // namespace mixlab::store
