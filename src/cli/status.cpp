#include <algorithm>
#include <iostream>
#include <numeric>

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

void print_workers(const std::vector<store::Worker>& workers) {
  for (std::size_t i = 0; i < std::min(workers.size(), most_workers); ++i) {
    const auto& worker = workers[i];
    std::cout << "  " << worker.process.host << " process " << worker.process.pid << " since " << worker.since
              << (worker.process.alive() == Alive::unknown ? " (another machine: not seen from here)\n" : "\n");
  }
}

/// What is there, and what is to be.
struct Standing {
  explicit Standing(const store::Workspace& workspace)
      : study(workspace.stored_study()),
        done(workspace.done()),
        n_parts(store::Workspace::parts_in(workspace.parts_folder()).size()),
        goal(workspace.goal(study)),
        n_stopped(goal.n_stopped_before(study.trajectories())),
        all_run(goal.met_by(done)),
        n_done(std::accumulate(study.cells().begin(), study.cells().end(), std::int64_t{0},
                               [&](std::int64_t n, const study::Cell& cell) { return n + done.count(cell.index); })),
        workers(store::workers_in(workspace.parts_folder())),
        at_work(workspace.parts_at_work()) {}
  bool complete() const { return all_run && n_parts == 0; }

  study::Study study;
  study::RowRanges done;
  std::size_t n_parts;
  study::Goal goal;
  std::int64_t n_stopped;
  bool all_run;
  std::int64_t n_done;  ///< not of cells that there are not, whatever the names of parts say
  std::vector<store::Worker> workers;
  std::vector<study::Part> at_work;
};

std::string number(std::int64_t value) {
  return std::to_string(value);
}

void print_json(const Standing& now, const store::Workspace& workspace) {
  const auto list = [](const auto& items, auto to_fields) {
    return "[" + join(items, ", ", [&](const auto& item) { return "{" + to_fields(item) + "}"; }) + "]";
  };
  std::cout << "{\"study\": " << json(now.study.name()) << ", \"complete\": " << (now.complete() ? "true" : "false")
            << ", \"stopped_cells\": " << now.n_stopped << ", \"done\": " << now.n_done
            << ", \"total\": " << now.goal.wanted() << ", \"parts_waiting\": " << now.n_parts << ", \"running\": "
            << list(now.workers,
                    [](const store::Worker& worker) {
                      return "\"host\": " + json(worker.process.host) + ", \"pid\": " + number(worker.process.pid) +
                             ", \"since\": " + json(worker.since);
                    })
            << ", \"parts_at_work\": "
            << list(now.at_work,
                    [](const study::Part& part) {
                      return "\"cell\": " + number(part.cell) + ", \"first\": " + number(part.first) +
                             ", \"end\": " + number(part.end);
                    })
            << ", \"cells\": "
            << list(now.study.cells(),
                    [&](const study::Cell& cell) {
                      return "\"cell\": " + number(cell.index) + ", \"label\": " + json(cell.label) +
                             ", \"done\": " + number(now.done.count(cell.index)) +
                             ", \"total\": " + number(now.goal.wanted(cell.index));
                    })
            << shards_json(now.study, workspace) << "}\n";
}

void print_text(const Standing& now, const store::Workspace& workspace) {
  std::cout << now.study.title() << "\n";
  for (const auto& cell : now.study.cells())
    std::cout << text("  cell %-4d %9lld / %-9lld %s\n", cell.index, static_cast<long long>(now.done.count(cell.index)),
                      static_cast<long long>(now.goal.wanted(cell.index)), cell.label.c_str());
  const bool may_stop = stops_at_verdict(now.study);
  std::cout << now.n_done << " of " << (may_stop && !now.all_run ? "at most " : "") << now.goal.wanted()
            << " trajectories done";
  if (may_stop) std::cout << ", " << now.n_stopped << " of " << now.goal.n_cells() << " cells stopped";
  if (now.n_parts > 0) std::cout << ", " << now.n_parts << (now.n_parts == 1 ? " part" : " parts") << " not yet merged";
  std::cout << (now.complete()         ? "; complete\n"
                : !now.workers.empty() ? "; at work:\n"
                : now.all_run          ? "; next: mixlab merge " + shell_word(workspace.out()) + "\n"
                                       : "; run the study again to go on\n");
  print_workers(now.workers);
  print_parts(now.at_work);
  if (now.workers.size() > most_workers) std::cout << "  and " << now.workers.size() - most_workers << " more\n";
  print_shards(now.study, workspace);
}

}  // namespace

ExitCode status(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, status_syntax(), options)) return ExitCode::done;
  const std::string format = options["format"].as<std::string>();
  if (format != "table" && format != "json")
    throw InputError("bad --format: '" + format + "' (must be table or json); leave it out");
  const store::Workspace workspace = workspace_at(required(options, "results", "OUT.h5"));
  const Standing now(workspace);
  format == "json" ? print_json(now, workspace) : print_text(now, workspace);
  return now.complete() ? ExitCode::done : ExitCode::work_left;
}

}  // namespace mixlab::cli
