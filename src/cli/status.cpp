#include <algorithm>
#include <iostream>

#include "mixlab/core/text.h"
#include "shards.h"
#include "target.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;

constexpr std::size_t most_workers = 10, most_parts = 10;  // to be shown

Syntax status_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab status OUT.h5 [--format table|json]\n\n"
      "What is done and what is missing, from the files alone; also while a run is going on. Exit code 0 when\n"
      "OUT.h5 is complete, 75 while work is left.\n\n"
      "example: mixlab status quickstart.h5\n";
  syntax.options.add_options()("format", po::value<std::string>()->default_value("table")->value_name("F"),
                               "table or json");
  syntax.positional = {"results"};
  return syntax;
}

/// Their trajectories count as done once the part is whole.
void print_parts(const std::vector<study::Part>& parts) {
  for (std::size_t i = 0; i < std::min(parts.size(), most_parts); ++i)
    std::cout << text("  part at work: cell %d, trajectories %lld to %lld\n", parts[i].cell,
                      static_cast<long long>(parts[i].first), static_cast<long long>(parts[i].end - 1));
  if (parts.size() > most_parts) std::cout << "  and " << parts.size() - most_parts << " more parts at work\n";
}

}  // namespace

ExitCode status(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, status_syntax(), options)) return ExitCode::done;
  const std::string format = options["format"].as<std::string>();
  if (format != "table" && format != "json")
    throw InputError("bad --format: '" + format + "' (must be table or json); leave it out");
  const store::Workspace workspace = workspace_at(required(options, "results", "OUT.h5"));
  const study::Study study = workspace.stored_study();
  const study::RowRanges done = workspace.done();
  const auto n_parts = store::Workspace::parts_in(workspace.parts_folder()).size();
  const study::Goal goal = workspace.goal(study);
  const bool all_run = goal.met_by(done);
  const auto n_stopped = std::count_if(goal.wanted_per_cell().begin(), goal.wanted_per_cell().end(),
                                       [&](std::int64_t wanted) { return wanted < study.trajectories(); });
  const bool complete = all_run && n_parts == 0;
  const auto workers = store::workers_in(workspace.parts_folder());
  const auto at_work = workspace.parts_at_work();

  if (format == "json") {
    std::cout << "{\"study\": " << json(study.name()) << ", \"complete\": " << (complete ? "true" : "false")
              << ", \"stopped_cells\": " << n_stopped << ", \"done\": " << done.count()
              << ", \"total\": " << goal.wanted() << ", \"parts_waiting\": " << n_parts << ", \"running\": [";
    for (std::size_t i = 0; i < workers.size(); ++i)
      std::cout << (i ? ", " : "") << "{\"host\": " << json(workers[i].process.host)
                << ", \"pid\": " << workers[i].process.pid << ", \"since\": " << json(workers[i].since) << "}";
    std::cout << "], \"parts_at_work\": [";
    for (std::size_t i = 0; i < at_work.size(); ++i)
      std::cout << (i ? ", " : "") << "{\"cell\": " << at_work[i].cell << ", \"first\": " << at_work[i].first
                << ", \"end\": " << at_work[i].end << "}";
    std::cout << "], \"cells\": [";
    for (const auto& cell : study.cells())
      std::cout << (cell.index ? ", " : "") << "{\"cell\": " << cell.index << ", \"label\": " << json(cell.label)
                << ", \"done\": " << done.count(cell.index) << ", \"total\": " << goal.wanted(cell.index) << "}";
    std::cout << "]" << shards_json(study, workspace) << "}\n";
  } else {
    std::cout << study.title() << "\n";
    for (const auto& cell : study.cells())
      std::cout << text("  cell %-4d %9lld / %-9lld %s\n", cell.index, static_cast<long long>(done.count(cell.index)),
                        static_cast<long long>(goal.wanted(cell.index)), cell.label.c_str());
    std::cout << done.count() << " of " << (stops_at_verdict(study) && !all_run ? "at most " : "") << goal.wanted()
              << " trajectories done";
    if (stops_at_verdict(study)) std::cout << ", " << n_stopped << " of " << goal.n_cells() << " cells stopped";
    if (n_parts > 0) std::cout << ", " << n_parts << (n_parts == 1 ? " part" : " parts") << " not yet merged";
    std::cout << (complete           ? "; complete\n"
                  : !workers.empty() ? "; at work:\n"
                  : all_run          ? "; next: mixlab merge " + shell_word(workspace.out()) + "\n"
                                     : "; run the study again to go on\n");
    for (std::size_t i = 0; i < std::min(workers.size(), most_workers); ++i) {
      const auto& worker = workers[i];
      std::cout << "  " << worker.process.host << " process " << worker.process.pid << " since " << worker.since
                << (worker.process.alive() == Alive::unknown ? " (another machine: not seen from here)\n" : "\n");
    }
    print_parts(at_work);
    if (workers.size() > most_workers) std::cout << "  and " << workers.size() - most_workers << " more\n";
    print_shards(study, workspace);
  }
  return complete ? ExitCode::done : ExitCode::work_left;
}

}  // namespace mixlab::cli
