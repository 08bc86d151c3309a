// Records printed as table, csv and json from one list of fields.
#pragma once

#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mixlab::cli {

/// A number that is NaN is unknown: null in json, empty in csv, a dash in a table.
using Datum = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;

std::string json_text(const Datum& datum);
std::string csv_text(const Datum& datum);

/// How a field looks in a table. A record too wide for one table is spread over several, each with a digit.
struct Column {
  const char* tables = "";  ///< digits of those it stands in
  const char* heading = "";
  int width = 0;                ///< negative: to the left
  const char* number = "%.4g";  ///< printf format of a double
  const char* yes = "yes";
  const char* no = "no";

  bool stands_in(char table) const { return std::string_view(tables).find(table) != std::string_view::npos; }
};
std::string table_text(const Datum& datum, const Column& column);
std::string padded(const std::string& words, int width);

template <class Record>
struct Field {
  std::string name;
  std::function<Datum(const Record&)> value;
  Column column = {};
};
template <class Record>
using Fields = std::vector<Field<Record>>;

template <class Record>
void print_json_list(std::ostream& out, const char* name, const Fields<Record>& fields,
                     const std::vector<Record>& records) {
  out << ",\n\"" << name << "\": [";
  for (std::size_t i = 0; i < records.size(); ++i) {
    out << (i == 0 ? "\n  {" : ",\n  {");
    for (std::size_t f = 0; f < fields.size(); ++f)
      out << (f == 0 ? "\"" : ", \"") << fields[f].name << "\": " << json_text(fields[f].value(records[i]));
    out << "}";
  }
  out << "]";
}

template <class Record>
void print_csv_list(const Fields<Record>& fields, const std::vector<Record>& records) {
  std::cout << join(fields, ",", [](const auto& field) { return field.name; }) << "\n";
  for (const auto& record : records)
    std::cout << join(fields, ",", [&](const auto& field) { return csv_text(field.value(record)); }) << "\n";
}

template <class Record>
void print_table_heading(const Fields<Record>& fields, char table) {
  std::string text = " ";
  for (const auto& field : fields)
    if (field.column.stands_in(table)) text += " " + padded(field.column.heading, field.column.width);
  std::cout << text << "\n";
}

template <class Record>
void print_table_line(const Fields<Record>& fields, char table, const Record& record) {
  std::string text = " ";
  for (const auto& field : fields)
    if (field.column.stands_in(table)) text += " " + table_text(field.value(record), field.column);
  std::cout << text.substr(0, text.find_last_not_of(' ') + 1) << "\n";
}

}  // namespace mixlab::cli
