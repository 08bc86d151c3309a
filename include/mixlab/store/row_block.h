// Rows side by side, as they lie in files: one array per column, row-major, trajectory first.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mixlab/engine/row.h"
#include "mixlab/store/hdf5_reader.h"

namespace mixlab::store {

using engine::Axis;

/// The dimension of the file that an axis is; empty for none.
constexpr const char* dimension_of(Axis axis) {
  return axis == Axis::round ? "round" : axis == Axis::set ? "set" : "";
}

/// The dimensions of a column in a file whose rows stand over `leading`.
std::vector<std::string> dimensions_of(Axis axis, std::vector<std::string> leading);

/// `extent` of whole rows, with `size` along the axis if there is one.
inline Extent with_axis(Extent extent, Axis axis, hsize_t size) {
  if (axis != Axis::none) extent.push_back(size);
  return extent;
}

template <class Row>
class BlockOf {
  using Columns = decltype(Row::columns());

 public:
  /// visit(column, its array), column by column.
  template <class Visit>
  void for_each(Visit&& visit) {
    zip(*this, visit, std::make_index_sequence<std::tuple_size_v<Columns>>{});
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    zip(*this, visit, std::make_index_sequence<std::tuple_size_v<Columns>>{});
  }
  /// The array of one column.
  template <class Member>
  const auto& of(Member Row::*member) const {
    const std::vector<typename engine::ElementOf<Member>::Type>* found = nullptr;
    for_each([&](const auto& column, const auto& array) {
      if constexpr (std::is_same_v<decltype(column.member), Member Row::*>)
        if (column.member == member) found = &array;
    });
    return *found;
  }
  /// visit(column, array of a, array of b), column by column.
  template <class Visit>
  static void for_each_pair(const BlockOf& a, BlockOf& b, Visit&& visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      constexpr auto columns = Row::columns();
      (visit(std::get<I>(columns), std::get<I>(a.arrays_), std::get<I>(b.arrays_)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<Columns>>{});
  }

 private:
  template <class Tuple>
  struct ArraysOf;
  template <class... Column>
  struct ArraysOf<std::tuple<Column...>> {
    using Type = std::tuple<std::vector<typename Column::Element>...>;
  };

  template <class Self, class Visit, std::size_t... I>
  static void zip(Self& self, Visit& visit, std::index_sequence<I...>) {
    constexpr auto columns = Row::columns();
    (visit(std::get<I>(columns), std::get<I>(self.arrays_)), ...);
  }

  typename ArraysOf<Columns>::Type arrays_;
};
using RowBlock = BlockOf<engine::Row>;

template <class Row>
BlockOf<Row> side_by_side(const std::vector<Row>& rows) {
  BlockOf<Row> block;
  block.for_each([&](const auto& column, auto& array) {
    for (const Row& row : rows) {
      const auto values = column.values(row);
      array.insert(array.end(), values.begin(), values.end());
    }
  });
  return block;
}

/// Throws InputError unless the file has all the columns of its version, its rows over the `leading` dimensions.
template <class Row>
void require_rows(const Reader& file, std::int64_t version, const std::vector<std::string>& leading) {
  engine::for_each_column<Row>([&]<class Column>(const Column& column) {
    if (column.since <= version)
      file.require(column.name, type_of<typename Column::Element>(), dimensions_of(column.axis, leading));
  });
}

/// The rows that `start` and `count` select in the leading dimensions. Columns younger than the file say "not run".
template <class Row>
BlockOf<Row> read_rows(const Reader& file, std::int64_t version, const Extent& start, const Extent& count) {
  BlockOf<Row> block;
  block.for_each([&]<class Column>(const Column& column, auto& array) {
    const hsize_t size = column.axis == Axis::none ? 1 : file.extent(dimension_of(column.axis)).at(0);
    const Extent from = with_axis(start, column.axis, 0), shape = with_axis(count, column.axis, size);
    if (column.since <= version)
      array = file.read<typename Column::Element>(column.name, from, shape);
    else
      array.assign(n_elements(shape), column.not_run);
  });
  return block;
}

/// Bytes of a row with so many rounds and sets.
template <class Row>
double bytes_per_row(std::size_t n_rounds, std::size_t n_sets) {
  double bytes = 0;
  engine::for_each_column<Row>([&]<class Column>(const Column& column) {
    const std::size_t n = column.axis == Axis::round ? n_rounds : column.axis == Axis::set ? n_sets : 1;
    bytes += static_cast<double>(n * sizeof(typename Column::Element));
  });
  return bytes;
}

}  // namespace mixlab::store
