#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include "mixlab/core/text.h"
#include "mixlab/engine/cost.h"
#include "mixlab/engine/estimate.h"
#include "mixlab/engine/facts.h"
#include "mixlab/engine/lanes.h"
#include "mixlab/engine/machine.h"
#include "mixlab/engine/progress.h"
#include "mixlab/engine/runner.h"
#include "mixlab/store/workspace.h"
#include "mixlab/study/plan.h"
#include "mixlab/verdict/stopping.h"
#include "study_options.h"
#include "text_table.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;
using engine::Experiment;

constexpr std::size_t most_in_full = 4;  ///< more cells than these are shown in a table
constexpr double program_memory = 30e6;  ///< bytes, before a row is computed
constexpr double seconds_to_estimate = 0.3;
constexpr double seconds_per_row = 2e-6, seconds_per_byte = 8e-9;  ///< to write and merge it

Syntax plan_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab plan STUDY.cfg [--set section.key=value]...\n\n"
      "Shows every cell with all parameters as they take effect, its delay d and phi_d, which sets the theory covers,\n"
      "and what disk, memory and time a run needs. Many cells are shown in a table, a line each; --cell shows one of\n"
      "them in full, --full all. Keeps nothing. STUDY.cfg may be -, for standard input.\n\n"
      "example: mixlab plan studies/quickstart.cfg --set study.horizon=100000\n";
  add_set_option(syntax.options);
  syntax.options.add_options()("cell", po::value<std::vector<std::int64_t>>()->value_name("C"),
                               "show only this cell, in full; repeatable")("full", "show every cell in full");
  add_until_option(syntax.options);
  syntax.positional = {"study"};
  return syntax;
}

/// Words of `items` after `indent` blanks, broken before column 80.
void print_wrapped(const std::vector<std::string>& items, const std::string& indent) {
  std::string line = indent;
  for (const auto& item : items) {
    if (line.size() > indent.size() && line.size() + 2 + item.size() > 79) {
      std::cout << line << "\n";
      line = indent;
    }
    line += (line.size() > indent.size() ? "  " : "") + item;
  }
  if (line.size() > indent.size()) std::cout << line << "\n";
}

std::string certificate(const noise::Process& noise) {
  std::string words = text("sigma %.4g, phi_d %s", noise.sigma(), noise.phi_is_exact() ? "exact" : "a bound");
  if (const auto geometric = noise.geometric())
    words += text(", phi_d <= %.4g exp(-d/%.4g)", geometric->C, geometric->tau);
  if (const auto algebraic = noise.algebraic()) words += text(", phi_d <= %.4g d^-%.4g", algebraic->C, algebraic->r);
  words += noise.starts_stationary() ? ", stationary start" : ", admissible start";
  return noise.outside_assumption().empty() ? words : words + "; " + noise.outside_assumption();
}

void print_cell(const Experiment& experiment) {
  std::cout << wrapped("cell " + std::to_string(experiment.cell.index) + ": " + experiment.cell.label, 2, 0) << "\n";
  std::cout << text("  d = %lld, phi_d = %.6g (%s), policy lag %lld\n", static_cast<long long>(experiment.d),
                    experiment.phi, experiment.cell.values.text("noise.process").c_str(),
                    static_cast<long long>(experiment.lag));
  const std::string why_not = engine::why_not_lanes(experiment);
  std::cout << "  " << wrapped(why_not.empty() ? "engine: lanes" : "engine: reference, because " + why_not, 4, 2)
            << "\n";
  std::cout << "  " << wrapped("noise: " + certificate(*experiment.noise), 4, 2) << "\n";
  if (const std::string data = experiment.noise->data_in_figures(); !data.empty())
    std::cout << "  " << wrapped("data: " + data, 4, 2) << "\n";
  for (const auto& section : study::section_names) {
    std::vector<std::string> items;
    for (const auto& [key, value] : experiment.cell.values.section(section))
      items.push_back(key + "=" + to_text(value));
    if (items.empty()) continue;
    std::cout << "  [" << section << "]\n";
    print_wrapped(items, "    ");
  }
  for (const auto& monitored : experiment.sets) {
    const std::string words = "set " + monitored.name + ": expected " + name_of(monitored.expected) + ", ";
    const std::string guarantee =
        monitored.why_not_guaranteed.empty() ? "guaranteed" : "not guaranteed: " + monitored.why_not_guaranteed;
    std::cout << "  " << wrapped(words + guarantee, 4, 2) << "\n";
  }
  const double bound = experiment.worst_case_bound(experiment.T);
  if (std::isnan(bound))
    std::cout << "  regret theorem: says nothing about this policy here\n";
  else
    std::cout << text("  regret theorem at T: %.4g%s\n", bound,
                      experiment.bound_is_vacuous() ? " (vacuous: not below 2BT)" : "");
  for (const auto& note : experiment.notes) std::cout << "  " << wrapped("note: " + note, 4, 2) << "\n";
}

/// The keys of a section that have one value in all cells.
std::vector<std::string> shared_keys(const std::vector<Experiment>& experiments, const std::string& section) {
  std::map<std::string, std::size_t> n_cells;
  for (const auto& experiment : experiments)
    for (const auto& [key, value] : experiment.cell.values.section(section)) ++n_cells[key + "=" + to_text(value)];
  std::vector<std::string> shared;
  for (const auto& [assignment, n] : n_cells)
    if (n == experiments.size()) shared.push_back(assignment);
  return shared;
}

std::string theorem_at_horizon(const Experiment& experiment) {
  const double bound = experiment.worst_case_bound(experiment.T);
  if (std::isnan(bound)) return "none";
  return experiment.bound_is_vacuous() ? "vacuous" : text("%.4g", bound);
}

/// "all", "all but oful otc", "paper tight", "none".
std::string guaranteed_sets(const Experiment& experiment) {
  std::vector<std::string> guaranteed, others;
  for (const auto& monitored : experiment.sets)
    (monitored.why_not_guaranteed.empty() ? guaranteed : others).push_back(monitored.name);
  if (guaranteed.empty()) return "none";
  if (others.empty()) return "all";
  return others.size() < guaranteed.size() ? "all but " + join(others, " ") : join(guaranteed, " ");
}

/// A line per cell, below what all cells share.
void print_table(const study::Study& study, const std::vector<Experiment>& experiments) {
  std::cout << wrapped("swept: " + join(study.swept(), ", ") + "; the same in every cell:", 2, 0) << "\n";
  for (const auto& section : study::section_names)
    if (const auto shared = shared_keys(experiments, section); !shared.empty()) {
      std::cout << "  [" << section << "]\n";
      print_wrapped(shared, "    ");
    }
  TextTable table({{"cell"}, {"", Align::left}, {"d"}, {"phi_d"}, {"lag"}, {"theorem"}, {"guaranteed", Align::left}});
  std::map<std::string, std::vector<std::int64_t>> slow;
  for (const auto& experiment : experiments) {
    table.add({std::to_string(experiment.cell.index), experiment.cell.label, std::to_string(experiment.d),
               text("%.3g", experiment.phi), std::to_string(experiment.lag), theorem_at_horizon(experiment),
               guaranteed_sets(experiment)});
    if (const std::string why_not = engine::why_not_lanes(experiment); !why_not.empty())
      slow[why_not].push_back(experiment.cell.index);
  }
  std::cout << table.text();
  for (const auto& [why_not, cells] : slow)
    std::cout << wrapped("reference engine in " + std::string(cells.size() == 1 ? "cell " : "cells ") +
                             ranges_text(cells, ", ") + ", because " + why_not,
                         2, 0)
              << "\n";
  std::cout << "--cell C shows a cell in full, --full every cell\n";
}

void print_cells(const study::Study& study, const std::vector<Experiment>& experiments, const Options& options) {
  const auto asked = cells_asked(options, static_cast<std::int64_t>(experiments.size()));
  if (asked.empty() && !options.count("full") && experiments.size() > most_in_full)
    return print_table(study, experiments);
  for (const auto& experiment : experiments)
    if (asked.empty() || std::find(asked.begin(), asked.end(), experiment.cell.index) != asked.end())
      print_cell(experiment);
}

/// On the clock: trajectories are computed by all threads, rows are written and merged by one.
double seconds_to_run(std::vector<Experiment> experiments, std::int64_t n_trajectories, double row, int n_threads) {
  const auto n_cells = static_cast<int>(experiments.size());
  const auto estimate = engine::Estimate::by_running(std::move(experiments), seconds_to_estimate);
  double seconds = 0;
  for (int cell = 0; cell < n_cells; ++cell) seconds += estimate.seconds({cell, 0, n_trajectories, 0}) / n_threads;
  return seconds + n_cells * static_cast<double>(n_trajectories) * (seconds_per_row + seconds_per_byte * row);
}

/// What stopping at the verdict saves in the best case.
void print_stops(const study::Study& study, const std::vector<engine::CellFacts>& cells) {
  const auto declared = verdict::declared_in(cells);
  const std::int64_t n_words = verdict::n_words(declared);
  verdict::LevelSplits splits;
  std::int64_t at_least = 0, idle = 0;
  for (const auto& cell : declared) {
    at_least += verdict::earliest_stop(cell, n_words, study.trajectories(), splits);
    idle += !cell.decides_anything();
  }
  const auto all = static_cast<double>(study.trajectories()) * static_cast<double>(cells.size());
  std::cout
      << wrapped(
             text("stop = verdict: cells are looked at after 64, 128, 256, ... trajectories, for %lld comparisons; if "
                  "what is expected to hold never misses and what is expected to break always does, %lld of "
                  "%.0f trajectories are run, %.0f%% are saved",
                  static_cast<long long>(n_words), static_cast<long long>(at_least), all,
                  100 * (1 - static_cast<double>(at_least) / all)) +
                 (idle > 0 ? text("; %lld %s of which nothing is expected will not stop", static_cast<long long>(idle),
                                  idle == 1 ? "cell" : "cells")
                           : ""),
             0, 0)
      << "\n";
}

}  // namespace

ExitCode plan(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, plan_syntax(), options)) return ExitCode::done;
  const study::Study study = read_study(options);
  auto experiments = engine::make_experiments(study);
  std::cout << wrapped(study.title(), 0, 0) << "\n";
  print_cells(study, experiments, options);

  const auto cells = engine::facts_of(experiments);
  const double row = store::row_size(study, cells);
  const int n_threads = engine::choose_threads(0);
  const auto n_parts =
      static_cast<std::int64_t>(study::missing_parts(study, engine::part_sizes(experiments), {}).size());
  const std::size_t n_cells = experiments.size();
  const double seconds = seconds_to_run(std::move(experiments), study.trajectories(), row, n_threads);
  const double disk = store::results_size(study, cells);
  const double memory = program_memory + 2 * row * static_cast<double>((2 * n_threads + 2) * engine::rows_per_block);
  std::cout << text("%zu %s x %lld trajectories in %lld %s; seed %llu, %d checkpoints\n", n_cells,
                    n_cells == 1 ? "cell" : "cells", static_cast<long long>(study.trajectories()),
                    static_cast<long long>(n_parts), n_parts == 1 ? "part" : "parts",
                    static_cast<unsigned long long>(study.seed()), study.n_checkpoints());
  std::cout << wrapped("disk up to " + bytes_text(2 * disk) + " while merging, " + bytes_text(disk) +
                           " at the end; memory about " + bytes_text(memory) + "; time about " +
                           engine::clock_text(seconds) + " on " + std::to_string(n_threads) +
                           (n_threads == 1 ? " thread" : " threads") + ", as timed on this machine",
                       0, 0)
            << "\n";
  if (engine::choose_isa() == engine::Isa::portable)
    std::cout
        << wrapped(
               "without a fused multiply-add, in this processor or in the kernels of this build, the lanes engine "
               "gives the same bits, but takes 10 to 50 times as long",
               0, 0)
        << "\n";
  if (stops_at_verdict(study)) print_stops(study, cells);
  return ExitCode::done;
}

}  // namespace mixlab::cli
