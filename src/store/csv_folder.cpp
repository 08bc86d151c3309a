#include "mixlab/store/csv_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/store/hdf5_reader.h"
#include "mixlab/store/output_place.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/workspace.h"

namespace mixlab::store {
namespace {

namespace fs = std::filesystem;

constexpr hsize_t elements_at_once = 1 << 16;
constexpr std::size_t letters_per_write = 1 << 18;  ///< of more at once the kernel makes large pages, at a price
constexpr unsigned most_threads = 8;                ///< as many blocks lie in memory

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return visible(text);
  return csv_quoted(text);
}

/// Text that grows.
class Text {
 public:
  std::string_view view() const { return {letters_.data(), size_}; }
  std::size_t size() const { return size_; }
  void shorten_to(std::size_t size) { size_ = size; }

  void add(char letter) { *room(1) = letter, ++size_; }
  void add(std::string_view text) {
    std::copy(text.begin(), text.end(), room(text.size()));
    size_ += text.size();
  }
  /// The shortest text that gives the number back.
  template <class T>
  void add_number(T value) {
    char* begin = room(longest_number);
    size_ += static_cast<std::size_t>(std::to_chars(begin, begin + longest_number, value).ptr - begin);
  }

 private:
  static constexpr std::size_t longest_number = 40;

  char* room(std::size_t n) {
    if (size_ + n > letters_.size()) letters_.resize(2 * (size_ + n));
    return letters_.data() + size_;
  }

  std::vector<char> letters_;
  std::size_t size_ = 0;
};

/// Part of a variable: its bytes, or where it begins if it is text.
struct Block {
  std::vector<char> bytes;
  std::size_t first = 0;
};

/// The values of one variable, block by block, as text; missing values are empty.
class Column {
 public:
  Column(const Reader& file, std::string name)
      : file_(file), name_(std::move(name)), type_(file.type_name(name_)), size_(file.element_size(name_)) {
    if (type_ == "string") texts_ = file.read_text(name_);
    const auto attributes = file.attributes(name_);
    const bool has_fill = std::find(attributes.begin(), attributes.end(), "_FillValue") != attributes.end();
    write_ = type_ == "string"              ? &Column::write_text
             : type_ == "float64"           ? &Column::write_number<double>
             : type_ == "int32" && has_fill ? &Column::write_filled
             : type_ == "int32"             ? &Column::write_number<std::int32_t>
             : type_ == "int64"             ? &Column::write_number<std::int64_t>
                                            : &Column::write_number<std::uint8_t>;
  }
  const std::string& name() const { return name_; }

  Block read(const Extent& start, const Extent& count) const {
    if (type_ == "string") return {{}, flat_index(start)};
    return {file_.read_raw(name_, start, count), 0};
  }
  /// False if there is no value.
  bool write(const Block& block, std::size_t i, Text& out) const { return (this->*write_)(block, i, out); }

 private:
  /// Where an element stands among all.
  std::size_t flat_index(const Extent& index) const {
    const Extent extent = file_.extent(name_);
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < extent.size(); ++axis) flat = flat * extent[axis] + index[axis];
    return flat;
  }
  bool write_text(const Block& block, std::size_t i, Text& out) const {
    const std::string text = quoted(texts_.at(block.first + i));
    out.add(text);
    return !text.empty();
  }
  template <class T>
  T number(const Block& block, std::size_t i) const {
    T value;
    std::memcpy(&value, block.bytes.data() + i * size_, sizeof value);
    return value;
  }
  template <class T>
  bool write_number(const Block& block, std::size_t i, Text& out) const {
    const T value = number<T>(block, i);
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(value)) return false;
    if constexpr (sizeof(T) == 1)
      out.add_number(static_cast<int>(value));
    else
      out.add_number(value);
    return true;
  }
  bool write_filled(const Block& block, std::size_t i, Text& out) const {
    return number<std::int32_t>(block, i) != -1 && write_number<std::int32_t>(block, i, out);
  }

  const Reader& file_;
  std::string name_;
  std::string type_;
  std::size_t size_;
  bool (Column::*write_)(const Block&, std::size_t, Text&) const;
  std::vector<std::string> texts_;
};

/// The coordinates along a dimension.
std::vector<std::string> coordinates(const Reader& file, const std::string& dimension) {
  const Column column(file, dimension);
  const Extent all = file.extent(dimension);
  const Block block = column.read({0}, all);
  std::vector<std::string> texts;
  Text text;
  for (std::size_t i = 0; i < all.at(0); ++i) {
    text.shorten_to(0);
    column.write(block, i, text);
    texts.emplace_back(text.view());
  }
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
  std::int64_t write(std::ostream& file) const {
    file << heading();
    std::int64_t n_rows = 0;
    std::deque<std::future<Rows>> ahead;
    Text room;  // of rows that were written: new memory costs more than what is put there
    const auto write_first = [&] {
      Rows rows = ahead.front().get();
      ahead.pop_front();
      write_pieces(file, rows.text.view());
      n_rows += rows.n;
      room = std::move(rows.text);
    };
    for_each_block(extent_, elements_at_once, [&](const Extent& start, const Extent& count) {
      if (ahead.size() == n_threads()) write_first();
      const auto work = std::make_shared<Work>();
      for (const auto& column : columns_) work->blocks.push_back(column.read(start, count));
      work->room = std::move(room);
      // Where no thread can be had this one does it: by a copy of the task, which must not have been moved from.
      const auto task = [this, start, count, work] {
        return rows_of(start, count, work->blocks, std::move(work->room));
      };
      ahead.push_back(std::async(std::launch::async | std::launch::deferred, task));
    });
    while (!ahead.empty()) write_first();
    return n_rows;
  }

 private:
  struct Work {
    std::vector<Block> blocks;
    Text room;
  };
  struct Rows {
    Text text;
    std::int64_t n = 0;
  };

  static void write_pieces(std::ostream& file, std::string_view text) {
    for (; !text.empty(); text.remove_prefix(std::min(letters_per_write, text.size())))
      file.write(text.data(), static_cast<std::streamsize>(std::min(letters_per_write, text.size())));
  }

  static std::size_t n_threads() { return std::clamp(std::thread::hardware_concurrency(), 1u, most_threads); }

  std::string heading() const {
    std::vector<std::string> names = dimensions_;
    for (const auto& column : columns_) names.push_back(column.name());
    return join(names, ",") + "\n";
  }

  Rows rows_of(const Extent& start, const Extent& count, const std::vector<Block>& blocks, Text room) const {
    Rows rows{std::move(room)};
    rows.text.shorten_to(0);
    std::string index;  // along all axes but the last
    const std::size_t n = n_elements(count), n_last = count.back();
    for (std::size_t i = 0; i < n; ++i) {
      if (i % n_last == 0) index = leading_coordinates(start, count, i / n_last);
      rows.n += write_row(index, coordinates_.back()[start.back() + i % n_last], blocks, i, rows.text);
    }
    return rows;
  }

  std::string leading_coordinates(const Extent& start, const Extent& count, std::size_t flat) const {
    std::string text;
    for (std::size_t axis = count.size() - 1; axis-- > 0; flat /= count[axis])
      text = coordinates_[axis][start[axis] + flat % count[axis]] + "," + text;
    return text;
  }

  bool write_row(const std::string& index, const std::string& last, const std::vector<Block>& blocks, std::size_t flat,
                 Text& out) const {
    const std::size_t before = out.size();
    out.add(index);
    out.add(last);
    bool any = false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      out.add(',');
      any = columns_[i].write(blocks[i], flat, out) || any;
    }
    if (any)
      out.add('\n');
    else
      out.shorten_to(before);
    return any;
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
    file.require_extent(name, dimensions);  // whatever is attached to it
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
    remove_leftovers_of(path);
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
