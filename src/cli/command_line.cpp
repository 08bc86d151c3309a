#include "mixlab/command_line.h"
#include "mixlab/core/blas.h"

#include <poll.h>
#include <unistd.h>

#include <iostream>

#include "command.h"
#include "mixlab/builtins.h"
#include "mixlab/core/memory.h"
#include "mixlab/core/standard_streams.h"
#include "mixlab/core/stop.h"
#include "mixlab/core/text.h"
#include "mixlab/core/version.h"
#include "mixlab/engine/machine.h"
#include "mixlab/store/guard.h"
#include "visible_stream.h"

namespace mixlab {
namespace {

using cli::Command;

constexpr Command commands[] = {
    {"init", "write a study to start from", cli::init},
    {"run", "run a study, or go on with it", cli::run},
    {"plan", "what a study would do: cells, delays, disk, memory, time", cli::plan},
    {"status", "what is done and what is missing", cli::status},
    {"merge", "assemble what shards wrote", cli::merge},
    {"check", "the verdict: is each confidence set valid?", cli::check},
    {"rare", "miss probabilities far below what a run can see", cli::rare},
    {"report", "figures and one self-contained page with the verdict", cli::report},
    {"trace", "recompute one trajectory round by round", cli::trace},
    {"export", "the results as CSV", cli::export_csv},
    {"clean", "remove what stopped processes left behind", cli::clean},
    {"diff", "compare two results bit for bit", cli::diff},
    {"submit", "run a study on a Slurm cluster", cli::submit},
    {"certify", "test a noise process against what it certifies", cli::certify},
    {"list", "what a study can name", cli::list},
    {"describe", "one of these things, with parameters and formula", cli::describe},
};

void print_help() {
  std::cout << "mixlab: linear bandits under dependent noise\n\nusage: mixlab COMMAND [OPTIONS]\n\n";
  for (const auto& command : commands) std::cout << cli::text("  %-9s %s\n", command.name, command.summary);
  std::cout << "\n`mixlab COMMAND --help` explains a command. For a start:\n"
               "  mixlab init first.cfg && mixlab run first.cfg && mixlab check first.h5\n";
}

void print_version() {
  std::cout << "mixlab " << version() << " (" << git_commit().substr(0, 12) << (git_dirty() ? ", modified" : "") << ", "
            << compiler() << ", HDF5 " << store::hdf5_version() << ")\n";
}

/// Whether standard output is a pipe whose reader, such as `head`, has seen enough.
bool reader_has_left() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

ExitCode dispatch(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "--help";
  if (name == "--help" || name == "-h" || name == "help") {
    print_help();
    return argc > 1 ? ExitCode::done : ExitCode::bad_input;
  }
  if (name == "--version" || name == "-V" || name == "version") {
    print_version();
    return ExitCode::done;
  }
  std::vector<std::string> names;
  for (const auto& command : commands) {
    if (name == command.name) return command.run({argv + 2, argv + argc});
    names.emplace_back(command.name);
  }
  throw InputError("unknown command: '" + name + "'; " + suggestion(name, names, "see mixlab --help"));
}

}  // namespace

int run_command_line(int argc, char** argv) {
  keep_standard_streams();
  require_memory();
  const cli::VisibleStream out(std::cout), err(std::cerr);
  const auto fail = [](const std::exception& error, ExitCode code) {
    cli::say(error.what());
    return static_cast<int>(code);
  };
  try {
    register_builtins();
    Stop::report_failed_writes();
    store::prepare_hdf5();
    prepare_blas();
    const ExitCode code = dispatch(argc, argv);
    std::cout.flush();
    if (!std::cout && !reader_has_left()) throw WriteError("cannot write to standard output; is the disk full?");
    return static_cast<int>(code);
  } catch (const InputError& error) {
    return fail(error, ExitCode::bad_input);
  } catch (const WriteError& error) {
    return fail(error, ExitCode::write_failed);
  } catch (const Stopped& stopped) {
    return fail(stopped, Stop::reason() == StopReason::interrupt ? ExitCode::interrupted : ExitCode::work_left);
  } catch (const std::bad_alloc&) {
    cli::say("out of memory; use fewer threads, or a smaller horizon, dimension or part");
    return static_cast<int>(ExitCode::failure);
  } catch (const std::exception& error) {
    return fail(error, ExitCode::failure);
  }
}

}  // namespace mixlab
