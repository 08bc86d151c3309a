#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

#include "mixlab/core/stop.h"
#include "mixlab/engine/facts.h"
#include "mixlab/engine/lanes.h"
#include "mixlab/engine/machine.h"
#include "mixlab/engine/reference.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/output_place.h"
#include "mixlab/store/results_file.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/trace_file.h"
#include "mixlab/store/workspace.h"
#include "study_options.h"
#include "trace_picture.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;

Syntax trace_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab trace OUT.h5|STUDY.cfg --cell C --trajectory I [-o TRACE.h5] [--plot FILE.svg [--only SET]]\n\n"
      "Recomputes one trajectory. With -o every round goes into a file from which all numbers can be recomputed. "
      "Given\n"
      "a results file, says whether the trajectory equals the stored row, bit for bit (exit code 3 if not).\n"
      "In two dimensions --plot draws theta*, the estimates and the set at the round of the first escape.\n\n"
      "example: mixlab trace quickstart.h5 --cell 1 --trajectory 42 -o trace.h5\n";
  syntax.options.add_options()("cell", po::value<std::int64_t>()->value_name("C"), "cell, from 0")(
      "trajectory", po::value<std::int64_t>()->value_name("I"), "trajectory, from 0")(
      "output,o", po::value<std::string>()->value_name("TRACE.h5"), "write every round to this file")(
      "plot", po::value<std::string>()->value_name("FILE.svg|png|pdf"), "draw the round at which theta* leaves a set")(
      "only", po::value<std::string>()->value_name("SET"), "with --plot: the set (default: the first that misses)");
  add_set_option(syntax.options);
  syntax.positional = {"study"};
  return syntax;
}

/// Only a trace may be replaced by a trace.
void refuse_to_overwrite(const std::string& path) {
  if (path.empty()) throw InputError("bad output: '' (must be a file name); give one with -o");
  store::require_folder_of(path);
  std::error_code error;
  if (!std::filesystem::exists(store::resolve_output(path), error)) return;
  if (!store::has_seal(path) || store::open_guarded(path).text_attribute("format") != "mixlab trace")
    throw InputError("bad output: '" + path + "' (exists and is not a trace file); choose another with -o");
}

std::int64_t index_option(const Options& options, const std::string& name, std::int64_t end) {
  if (!options.count(name)) throw InputError("missing option: --" + name + "; see --help");
  const std::int64_t index = options[name].as<std::int64_t>();
  if (index < 0 || index >= end)
    throw InputError("bad --" + name + ": '" + std::to_string(index) + "' (must be from 0 to " +
                     std::to_string(end - 1) + "); choose another");
  return index;
}

template <class T>
std::size_t position(const std::vector<T>& all, const T& wanted) {
  const auto found = std::find(all.begin(), all.end(), wanted);
  if (found == all.end())
    throw InputError(
        "results file and its study disagree: rounds or sets of the file are not those of the study; "
        "write it again with mixlab merge");
  return static_cast<std::size_t>(found - all.begin());
}

/// The values of a stored row that belong to its cell.
engine::Row stored_row(const store::ResultsFile& results, const engine::Experiment& experiment,
                       std::int64_t trajectory) {
  const auto rounds = results.file().read<std::int64_t>("round");
  const auto sets = results.sets();
  std::vector<std::size_t> own_rounds, own_sets;
  for (const std::int64_t t : experiment.checkpoints) own_rounds.push_back(position(rounds, t));
  for (const auto& monitored : experiment.sets) own_sets.push_back(position(sets, monitored.name));
  engine::Row row;
  results.read(experiment.cell.index, trajectory, trajectory + 1).for_each([&](const auto& column, const auto& array) {
    using engine::Axis;
    if (column.axis == Axis::none) column.append(row, array.at(0));
    for (const std::size_t at : column.axis == Axis::round ? own_rounds : own_sets)
      if (column.axis != Axis::none) column.append(row, array.at(at));
  });
  return row;
}

void print_row(const engine::Experiment& experiment, const engine::Row& row, std::int64_t trajectory) {
  std::cout << "cell " << experiment.cell.index << " (" << experiment.cell.label << "), trajectory " << trajectory
            << "\n";
  std::cout << text("  regret at T = %lld: %.6g, potential %.6g\n", static_cast<long long>(experiment.T),
                    row.regret.back(), row.potential);
  for (std::size_t i = 0; i < experiment.sets.size(); ++i)
    std::cout << text("  %-12s %s, sup ratio %.4g, log10 p %.4g\n", experiment.sets[i].name.c_str(),
                      row.first_violation[i]
                          ? ("misses theta* first at t = " + std::to_string(row.first_violation[i])).c_str()
                          : "covers theta* at every round",
                      row.sup_ratio[i], row.log10_p[i]);
}

}  // namespace

ExitCode trace(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, trace_syntax(), options)) return ExitCode::done;
  const std::string path = required(options, "study", "OUT.h5 or STUDY.cfg");
  std::optional<store::ResultsFile> results;
  if (store::has_seal(path)) results.emplace(path);
  if (results && options.count("set"))
    throw InputError("bad option: --set (a results file has its study inside); give the study file to change it");
  const study::Study study = results ? study::Study(study::parse_study_text(results->study_text(), path, {},
                                                                            results->files(), study::Source::stored))
                                     : read_study(options);
  const auto experiments = engine::make_experiments(study);
  const auto& experiment = experiments[static_cast<std::size_t>(
      index_option(options, "cell", static_cast<std::int64_t>(experiments.size())))];
  const std::int64_t trajectory = index_option(options, "trajectory", study.trajectories());

  // Code of a user's own may never come back to ask: then a signal ends the process as usual.
  if (!experiment.has_own_code) Stop::install_signal_handlers();
  engine::Trace trace;
  const bool wants_file = options.count("output") > 0;
  if (wants_file) refuse_to_overwrite(options["output"].as<std::string>());
  const auto picture = TracePicture::asked(options, experiment);
  const auto row = engine::run_reference(experiment, trajectory, wants_file || picture ? &trace : nullptr);
  if (!row) return Stop::reason() == StopReason::interrupt ? ExitCode::interrupted : ExitCode::work_left;
  print_row(experiment, *row, trajectory);
  if (wants_file) {
    const std::string output = options["output"].as<std::string>();
    store::write_trace(output, engine::facts_of(experiment), trace);
    std::cout << "wrote " << output << "\n";
  }
  if (picture) picture->draw(engine::facts_of(experiment), trace);
  if (!results) return ExitCode::done;
  const auto completed = results->file().read<std::uint8_t>(
      "completed", {static_cast<hsize_t>(experiment.cell.index), static_cast<hsize_t>(trajectory)}, {1, 1});
  if (completed[0] == 0) {
    std::cout << "this row has not been run in " << path << ": nothing to compare with\n";
    return ExitCode::done;
  }
  const bool in_lanes = engine::uses_lanes(experiment, engine::engine_of(results->numerics()));
  const engine::Row again = in_lanes ? engine::Lanes(experiment).run(trajectory, 1)->front() : *row;
  const bool same = engine::same_bits(again, stored_row(*results, experiment, trajectory));
  std::cout << (same ? "equals the stored row, bit for bit\n" : "DIFFERS from the stored row\n");
  return same ? ExitCode::done : ExitCode::contradicted;
}

}  // namespace mixlab::cli
