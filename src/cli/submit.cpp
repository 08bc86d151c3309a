#include "mixlab/cluster/submission.h"
#include "mixlab/engine/cost.h"
#include "mixlab/engine/estimate.h"
#include "mixlab/engine/facts.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "mixlab/core/text.h"
#include "mixlab/engine/progress.h"
#include "shards.h"
#include "target.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr double seconds_to_time_shards = 1.5;
using cluster::most_shards;

Syntax submit_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab submit STUDY.cfg --shards N [OPTIONS] [-- MORE SBATCH OPTIONS]\n\n"
      "Submits the study to a Slurm cluster: an array of N shards, and after it a job that merges them, gives the\n"
      "verdict and writes the report. Scripts and logs are kept in OUT.h5.jobs. A shard that meets its time limit\n"
      "requeues itself and goes on. Submitting again, also as mixlab submit OUT.h5, submits only what is "
      "missing.\n\n"
      "example: mixlab submit study.cfg --shards 20 -c 4 -t 2:00:00 -- -C skylake\n";
  const auto word = [](const char* name) { return po::value<std::string>()->value_name(name); };
  syntax.options.add_options()("shards", po::value<std::int64_t>()->value_name("N"),
                               "pieces to cut the study into, one task of the array each")(
      "output,o", word("OUT.h5"), "where the results go, on a file system that all nodes share")(
      "partition,p", word("NAME"), "as for sbatch, like the next four")("account,A", word("NAME"), "")(
      "qos", word("NAME"), "")("time,t", word("LIMIT"), "of a shard: 90 (minutes), 1:30:00, 2-12")(
      "mem", word("SIZE"), "")("cpus-per-task,c", po::value<int>()->default_value(1)->value_name("N"),
                               "threads of a shard")("array-limit", po::value<std::int64_t>()->value_name("N"),
                                                     "shards that may run at once")(
      "modules", word("LIST"), "to load in the jobs, separated by blanks or commas")(
      "prologue", word("FILE"), "shell lines that the jobs read first")(
      "after", word("JOB"), "start after this job is done; or AFTERTYPE:JOB as for sbatch --dependency")(
      "max-requeues", po::value<int>()->default_value(20)->value_name("N"), "how often a shard may queue itself again")(
      "allow-mixed", "allow nodes with different processors: last bits may differ")(
      "dry-run", "show the scripts and commands, submit nothing")("wait",
                                                                  "follow until all is done; exit code of check");
  add_set_option(syntax.options);
  add_until_option(syntax.options);
  syntax.positional = {"study"};
  return syntax;
}

std::string word_option(const Options& options, const std::string& name) {
  return options.count(name) ? options[name].as<std::string>() : "";
}

/// Options of sbatch that would take the job away from us.
void refuse_own_options(const Arguments& more) {
  static const std::vector<std::string> own = {
      "--array",      "-a", "--output",        "-o",          "--error",      "-e",
      "--dependency", "-d", "--signal",        "--open-mode", "--no-requeue", "--requeue",
      "--chdir",      "-D", "--parsable",      "--wait",      "-W",           "--wrap",
      "--job-name",   "-J", "--cpus-per-task", "-c",          "--test-only",  "--kill-on-invalid-dep"};
  for (const auto& word : more)
    if (std::find(own.begin(), own.end(), word.substr(0, word.find('='))) != own.end())
      throw InputError("bad option after --: '" + word + "' (mixlab submit sets it itself); leave it out");
}

std::int64_t shards_asked(const Options& options, const std::vector<cluster::SubmittedJob>& earlier) {
  if (!options.count("shards")) {
    if (earlier.empty()) throw InputError("missing option: --shards N; for instance --shards 20");
    return earlier.back().n_shards;
  }
  const auto n = options["shards"].as<std::int64_t>();
  if (n < 1 || n > most_shards)
    throw InputError("bad --shards: '" + std::to_string(n) + "' (must be from 1 to " + std::to_string(most_shards) +
                     "); as many as should run at once, and some more");
  return n;
}

cluster::JobSettings read_settings(const Options& options, const Arguments& more, const study::Study& study,
                                   const store::Workspace& workspace) {
  cluster::JobSettings settings;
  settings.program = fs::read_symlink("/proc/self/exe");
  settings.name = study.name();
  settings.out = fs::absolute(workspace.out()).lexically_normal();
  settings.folder = cluster::JobFolder(settings.out).path();
  settings.cpus_per_task = options["cpus-per-task"].as<int>();
  settings.max_requeues = options["max-requeues"].as<int>();
  settings.partition = word_option(options, "partition");
  settings.account = word_option(options, "account");
  settings.qos = word_option(options, "qos");
  settings.time = word_option(options, "time");
  settings.mem = word_option(options, "mem");
  settings.modules = word_option(options, "modules");
  std::replace(settings.modules.begin(), settings.modules.end(), ',', ' ');
  settings.allow_mixed = options.count("allow-mixed") > 0;
  settings.more = more;
  if (settings.cpus_per_task < 1 || settings.cpus_per_task > 4096)
    throw InputError("bad --cpus-per-task: '" + std::to_string(settings.cpus_per_task) + "' (must be from 1 to 4096)");
  if (settings.max_requeues < 0) throw InputError("bad --max-requeues: must not be negative; 0 never queues again");
  if (options.count("prologue")) {
    const std::string prologue = word_option(options, "prologue");
    if (!fs::is_regular_file(prologue))
      throw InputError("no such file: '" + prologue + "' (--prologue must be a file of shell lines); check the path");
    settings.prologue = fs::absolute(prologue).lexically_normal();
  }
  return settings;
}

/// The time limit of a shard in seconds, as far as it is known.
std::optional<double> time_limit(const cluster::JobSettings& settings) {
  if (settings.time.empty()) return cluster::default_time_limit(settings.partition);
  const auto limit = cluster::parse_time_limit(settings.time);
  if (!limit)
    throw InputError("bad --time: '" + settings.time +
                     "' (must be minutes, H:MM:SS or D-HH:MM as for sbatch); for instance 2:00:00");
  return limit;
}

/// What a timed run says about the time of a shard, with advice where the limit will not do.
void print_estimate(std::vector<engine::Experiment> experiments, const std::vector<study::Part>& parts,
                    const cluster::JobSettings& settings, std::optional<double> limit) {
  if (parts.empty()) return;
  const auto estimate = engine::Estimate::by_running(std::move(experiments), seconds_to_time_shards);
  const double shard = estimate.slowest_shard(parts, settings.n_shards, settings.cpus_per_task);
  double part = 0;
  for (const auto& each : parts) part = std::max(part, estimate.seconds(each) / settings.cpus_per_task);
  std::cerr << "time: about " << engine::clock_text(shard) << " per shard on " << settings.cpus_per_task
            << (settings.cpus_per_task == 1 ? " thread" : " threads") << ", as timed on this machine";
  if (limit && std::isfinite(*limit)) std::cerr << "; limit " << engine::clock_text(*limit);
  std::cerr << "\n";
  if (!limit || !std::isfinite(*limit)) return;
  const double usable = std::max(1.0, *limit - settings.warning_seconds);
  const double n_runs = std::ceil(shard / usable);
  if (part > usable)
    std::cerr << text(
        "warning: one part takes about %s, which is all the limit leaves: nothing will ever be finished; "
        "ask for more --time or --cpus-per-task, or make study.part smaller\n",
        engine::clock_text(part).c_str());
  else if (n_runs - 1 > settings.max_requeues)
    std::cerr << text(
        "warning: a shard would requeue itself about %.0f times, and may %d times; ask for more --time, "
        "--shards, --cpus-per-task or --max-requeues\n",
        n_runs - 1, settings.max_requeues);
  else if (shard > usable)
    std::cerr << text(
        "warning: longer than the limit: a shard will requeue itself about %.0f %s; more --shards would "
        "avoid that\n",
        n_runs - 1, n_runs == 2 ? "time" : "times");
}

/// A shard is made of whole parts.
void print_idle_shards(const study::Study& study, const std::vector<std::int64_t>& part_sizes, std::int64_t n_shards) {
  const auto parts = study::missing_parts(study, part_sizes, {});
  const auto n_parts = static_cast<std::int64_t>(parts.size());
  if (n_parts >= n_shards) return;
  std::int64_t n_rows = 0;
  for (const auto& part : parts) n_rows += part.size();
  std::cerr << text(
      "warning: %lld of %lld shards have nothing to do: the study has %lld %s; try --shards %lld, or "
      "study.part = %lld or less\n",
      static_cast<long long>(n_shards - n_parts), static_cast<long long>(n_shards), static_cast<long long>(n_parts),
      n_parts == 1 ? "part" : "parts", static_cast<long long>(n_parts),
      static_cast<long long>(std::max<std::int64_t>(1, n_rows / n_shards)));
}

/// As one would type it, a long one in several lines.
void print_command(std::vector<std::string> options, const std::string& script, const std::string& argument = "") {
  std::string line = "sbatch --parsable";
  options.push_back(script);
  if (!argument.empty()) options.push_back(argument);
  for (const auto& option : options) {
    const std::string word = shell_word(option);
    if (line.size() + word.size() > 76) {
      std::cout << line << " \\\n";
      line = "   ";
    }
    line += " " + word;
  }
  std::cout << line << "\n";
}

void print_dry_run(cluster::Submission submission, const cluster::JobSettings& settings,
                   const cluster::JobFolder& folder) {
  std::cout << "---- " << folder.array_script_path() << "\n"
            << cluster::array_script(settings) << "---- " << folder.finish_script_path() << "\n"
            << cluster::finish_script(settings) << "---- commands\n";
  for (std::size_t i = 0; i < submission.arrays.size(); ++i) {
    print_command(submission.array_options(submission.arrays[i]), folder.array_script_path(),
                  std::to_string(submission.arrays[i].offset));
    submission.arrays[i].id = "ARRAY" + std::to_string(i + 1);
  }
  print_command(submission.finish_options(), folder.finish_script_path());
  if (!submission.arrays.empty()) std::cout << "(ARRAY1 is what the first command prints)\n";
  std::cout << "nothing was submitted (--dry-run)\n";
}

void print_submitted(const cluster::Submission& submission, const store::Workspace& workspace,
                     const cluster::JobFolder& folder) {
  std::size_t n_tasks = 0;
  for (const auto& array : submission.arrays) n_tasks += array.indices.size();
  if (n_tasks > 0)
    std::cout << "submitted " << n_tasks << " of " << submission.finish.n_shards << " shards: array "
              << join(cluster::ids_of(submission.arrays), " ") << "\n";
  std::cout << "then merge, check and report: job " << submission.finish.id << "\n\nnext:\n  mixlab status "
            << shell_word(workspace.out()) << "\n  mixlab submit " << shell_word(workspace.out())
            << " --wait    follow; submits again what failed\n  scancel "
            << join(cluster::ids_of(submission.arrays), " ") << (submission.arrays.empty() ? "" : " ")
            << submission.finish.id << "    withdraw\nlogs: " << folder.path() << "/shard-*.log, finish.log\n";
}

/// Folders that were not there before, removed again unless something came of it.
class NewFolders {
 public:
  explicit NewFolders(const std::vector<std::string>& paths) {
    for (const auto& path : paths)
      if (!fs::exists(path)) paths_.push_back(path);
  }
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    std::error_code error;
    for (const auto& path : paths_) fs::remove_all(path, error);
  }
  void keep() { paths_.clear(); }

 private:
  std::vector<std::string> paths_;
};

}  // namespace

ExitCode submit(const Arguments& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const Arguments more(dashes == arguments.end() ? dashes : dashes + 1, arguments.end());
  Options options;
  if (!parse({arguments.begin(), dashes}, submit_syntax(), options)) return ExitCode::done;
  refuse_own_options(more);
  const auto [study, workspace] = find_target(options);
  if (fs::path(workspace.out()).extension() != ".h5")
    throw InputError("bad output: '" + workspace.out() +
                     "' (must end in .h5: the jobs find the study by it); choose another with -o");
  const auto experiments = engine::make_experiments(study);
  const auto sizes = engine::part_sizes(experiments);
  workspace.require_same_study(study);
  const cluster::JobFolder folder(workspace.out());
  auto settings = read_settings(options, more, study, workspace);
  settings.n_shards = shards_asked(options, folder.jobs());
  const bool dry_run = options.count("dry-run") > 0;
  const bool wait = options.count("wait") > 0;
  if (!dry_run) cluster::require_slurm();

  const ShardReport report = report_shards(study, sizes, workspace, settings.n_shards);
  require_one_cut(report, settings.n_shards);
  if (workspace.complete(study) && !dry_run) {
    std::cout << workspace.out() << " is complete already\n";
    return wait ? check({workspace.out()}) : ExitCode::done;
  }
  auto submission =
      cluster::plan_submission(report.shards, report.jobs, report.queue, dry_run ? 1001 : cluster::max_array_size());
  if (submission.arrays.empty() && !submission.finishing.empty() && !dry_run) {
    std::cout << "nothing to submit: all that is missing is in the queue, job " << join(submission.still_running, " ")
              << (submission.still_running.empty() ? "" : " and then ") << join(submission.finishing, " ") << "\n";
    return wait ? follow(study, sizes, workspace, settings.n_shards) : ExitCode::done;
  }
  if (options.count("array-limit")) submission.array_limit = options["array-limit"].as<std::int64_t>();
  submission.after = word_option(options, "after");
  if (!submission.after.empty() && submission.after.find(':') == std::string::npos)
    submission.after = "afterok:" + submission.after;
  const auto limit = time_limit(settings);
  settings.warning_seconds = cluster::warning_for(limit.value_or(INFINITY));
  print_idle_shards(study, sizes, settings.n_shards);
  print_estimate(engine::make_experiments(study),
                 study::missing_parts(study, sizes, workspace.goal(study).wanted_per_cell(), workspace.done()),
                 settings, limit);
  if (dry_run) {
    print_dry_run(std::move(submission), settings, folder);
    return ExitCode::done;
  }
  NewFolders created({folder.path(), workspace.parts_folder()});
  store::check_free_space(workspace.out(), 2 * store::results_size(study, engine::facts_of(experiments)));
  folder.create();
  { const auto presence = workspace.open_for(study); }  // the study is there now; we are not at work on it ourselves
  cluster::submit(submission, settings, folder);
  created.keep();
  print_submitted(submission, workspace, folder);
  return wait ? follow(study, sizes, workspace, settings.n_shards) : ExitCode::done;
}

}  // namespace mixlab::cli
