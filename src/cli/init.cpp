#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "mixlab/core/text.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/store/guard.h"
#include "mixlab/study/study.h"
#include "study_options.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;

Syntax init_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab init [FILE.cfg] [--replay DATA.csv [--column C]] [--sweep]\n\n"
      "Writes a study with comments to start from (default: my-study.cfg): your own residuals as noise with --replay,\n"
      "several cells with --sweep. Never overwrites a file.\n\n"
      "example: mixlab init first.cfg && mixlab run first.cfg && mixlab check first.h5\n";
  syntax.options.add_options()("replay", po::value<std::string>()->value_name("DATA.csv"),
                               "play the series in this file as noise")(
      "column", po::value<std::string>()->value_name("C"), "its column, by number or name")(
      "sweep", "compare policies and strengths of dependence");
  syntax.positional = {"file"};
  return syntax;
}

constexpr const char* head = R"(# What does this study ask?
#
# Expected: write down what you expect before you run it; [expect] below says it to `mixlab check`.
# Every key: `mixlab describe study` (problem, noise, policy, confidence, expect, sweep). Every name: `mixlab list`.

[study]
title        = My first study
trajectories = 1000            # independent repetitions per cell; may grow later
horizon      = 2000            # rounds T of each
seed         = 1

[problem]
dimension  = 2
arms       = circle:8          # 8 arms on the unit circle
norm_bound = 1                 # B: theta* is known to be this short
theta_norm = 0.9               # its true norm, in a random direction

)";

constexpr const char* sticky_noise = R"([noise]
process = sticky               # a sign that is kept with probability (1 + rho)/2
rho     = @RHO@

)";

constexpr const char* replayed_noise = R"([noise]
process = replay               # your series, each trajectory from an offset of its own, its mean taken off
file    = @FILE@
@COLUMN@proxy   = 1                    # declare: the series is this sub-Gaussian (`mixlab plan` shows its sd and range),
C       = 1                    # and |E[eps_t | what was known d rounds ago]| is at most C exp(-d/tau):
tau     = 10                   # `mixlab plan` shows the autocorrelation, a floor for what you can declare

)";

constexpr const char* tail = R"([policy]
name = @POLICIES@
@SET@
[confidence]
delta   = 0.05                 # theta* may leave a set in some round with at most this probability
delay   = @DELAY@                # how many rounds apart the noise is taken for nearly independent
monitor = telescope paper oful # ours, the paper's, and one made for independent noise

[expect]
@EXPECT@)";

/// A study names its files from its own folder.
std::string seen_from(const std::string& folder, const std::string& path) {
  namespace fs = std::filesystem;
  if (folder.empty() || fs::path(path).is_absolute()) return path;
  return fs::absolute(path).lexically_relative(fs::absolute(folder)).string();
}

std::string study_text(const Options& options, const std::string& folder) {
  const bool sweeps = options.count("sweep") > 0;
  std::string text = head;
  std::string expect;
  if (options.count("replay")) {
    text += replayed_noise;
    expect = "oful = any                     # nothing is certified of a replayed series: look before you expect\n";
  } else {
    text += sticky_noise;
    expect = sweeps ? "telescope = any; holds if policy.name=mixing-linucb\n"
                      "paper     = any; holds if policy.name=mixing-linucb\n"
                      "oful      = any; broken if noise.rho>=0.9\n"
                    : "telescope = holds\npaper     = holds\noful      = broken\n";
  }
  const auto put = [&](const std::string& mark, const std::string& value) {
    if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), value);
  };
  text += tail;
  put("@RHO@", sweeps ? "0, 0.5, 0.9             # three strengths of dependence: one cell for each" : "0.9");
  put("@POLICIES@", sweeps ? "mixing-linucb, linucb   # each with each strength" : "mixing-linucb");
  put("@SET@", sweeps ? "" : "set  = telescope               # the smallest set that is proved\n");
  put("@DELAY@", sweeps ? "paper" : "short");
  put("@EXPECT@", expect);
  if (options.count("replay")) put("@FILE@", seen_from(folder, options["replay"].as<std::string>()));
  put("@COLUMN@", options.count("column") ? "column  = " + options["column"].as<std::string>() + "\n" : "");
  return text;
}

[[noreturn]] void refuse(const std::string& path) {
  throw InputError("already there: '" + path + "' (init never overwrites); give another name");
}

/// Creates `path`, which must not be there in any form.
void write_new(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST) refuse(path);
  if (file < 0) throw InputError("cannot create '" + path + "' (" + std::strerror(errno) + "); give another name");
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (::close(file) != 0 || !written) {
    ::unlink(path.c_str());
    throw WriteError("cannot write '" + path + "'; is the disk full?");
  }
}

}  // namespace

ExitCode init(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, init_syntax(), options)) return ExitCode::done;
  const std::string path = options.count("file") ? options["file"].as<std::string>() : "my-study.cfg";
  if (!path.ends_with(".cfg")) throw InputError("bad name: '" + path + "' (must end in .cfg); for instance first.cfg");
  if (options.count("column") && !options.count("replay"))
    throw InputError("--column without --replay (it is a column of the series); give both");
  if (options.count("replay") && options["replay"].as<std::string>().find_first_of("#,\n") != std::string::npos)
    throw InputError("bad --replay: '" + options["replay"].as<std::string>() +
                     "' (a study file cannot name a path with # or a comma); rename it");
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
    refuse(path);  // before a long computation
  const auto folder = std::filesystem::path(path).parent_path().string();
  const std::string text = study_text(options, folder);
  const study::Study study(study::parse_study_text(text, path, {}, Attachments(folder, store::read_series)));
  engine::make_experiments(study);  // what could not be run is not written
  write_new(path, text);
  const std::string results = study.name() + ".h5";
  std::cout << "wrote " << path << "; next:\n  mixlab plan " << shell_word(path) << "\n  mixlab run "
            << shell_word(path) << "\n  mixlab check " << shell_word(results) << "\n  mixlab report "
            << shell_word(results) << "\n";
  return ExitCode::done;
}

}  // namespace mixlab::cli
