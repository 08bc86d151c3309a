// What RARE.h5 and its pieces have in common: who they are, rows and mixtures.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mixlab/rare/identity.h"
#include "mixlab/rare/mixture.h"
#include "mixlab/store/hdf5_reader.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/row_block.h"

namespace mixlab::rare {

constexpr const char* piece_format = "mixlab rare piece";
constexpr const char* rare_format = "mixlab rare";

store::Writer begin_file(const Identity& identity, const char* format);

/// Throws InputError unless the file answers this question, in a version that we know.
void require_question(const store::Reader& file, const char* format, const std::string& question, const char* what);

/// A mixture, or those of several cells, as variables over `tilt`.
void put_mixtures(store::Writer& file, const std::vector<std::pair<int, const Mixture*>>& mixtures);
/// The only one of a piece.
Mixture get_mixture(const store::Reader& file);

inline std::vector<std::string> dimensions_of(engine::Axis axis, const std::string& leading) {
  return axis == engine::Axis::none ? std::vector{leading} : std::vector<std::string>{leading, "target"};
}

template <class Row>
void put_rows(store::Writer& file, const std::string& leading, const std::vector<Row>& rows) {
  store::side_by_side(rows).for_each([&]<class T>(const auto& column, const std::vector<T>& array) {
    file.variable(column.name, store::type_of<T>(), dimensions_of(column.axis, leading),
                  {.attributes = {{"long_name", column.meaning}, {"units", column.unit}}});
    file.write(column.name, store::type_of<T>(), array.data());
  });
}

template <class Row>
std::vector<Row> get_rows(const store::Reader& file, const std::string& leading) {
  std::vector<Row> rows(file.extent(leading).at(0));
  engine::for_each_column<Row>([&]<class Column>(const Column& column) {
    file.require(column.name, store::type_of<typename Column::Element>(), dimensions_of(column.axis, leading));
    const auto array = file.read<typename Column::Element>(column.name);
    const std::size_t each = rows.empty() ? 0 : array.size() / rows.size();
    for (std::size_t i = 0; i < array.size(); ++i) column.append(rows[i / each], array[i]);
  });
  return rows;
}

}  // namespace mixlab::rare
