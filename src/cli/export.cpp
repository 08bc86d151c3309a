#include <iostream>

#include "command.h"
#include "mixlab/store/csv_folder.h"
#include "mixlab/store/results_file.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;

Syntax export_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab export OUT.h5 -o FOLDER\n\n"
      "Writes the results as tidy CSV: a table for each combination of dimensions, one row per combination, one\n"
      "column per variable (cell-trajectory-set.csv has first_violation, log10_p and sup_ratio). Rows that were\n"
      "not run are left out, missing values are empty, numbers are exact. study.cfg is the study as it took effect.\n\n"
      "example: mixlab export quickstart.h5 -o quickstart-csv\n";
  syntax.options.add_options()("output,o", po::value<std::string>()->value_name("FOLDER"),
                               "a new folder for the tables");
  syntax.positional = {"results"};
  return syntax;
}

}  // namespace

ExitCode export_csv(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, export_syntax(), options)) return ExitCode::done;
  const store::ResultsFile results(required(options, "results", "OUT.h5"));
  const std::string folder = required(options, "output", "-o FOLDER");
  for (const auto& table : store::write_csv_folder(folder, results))
    std::cout << folder << "/" << table.name << ": " << table.n_rows << (table.n_rows == 1 ? " row\n" : " rows\n");
  return ExitCode::done;
}

}  // namespace mixlab::cli
