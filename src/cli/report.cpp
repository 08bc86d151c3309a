#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "command.h"
#include "mixlab/core/version.h"
#include "mixlab/store/results_file.h"

extern char** environ;

namespace mixlab::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

const Arguments modules = {"h5netcdf", "matplotlib", "numpy", "pandas", "scipy", "xarray"};

Syntax syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab report OUT.h5 [-o DIR]\n\n"
      "Writes DIR/report.html, one page that needs nothing else, with the verdict of `mixlab check`; the same figures "
      "as\n"
      "SVG and PDF in DIR/figures; and the verdict in DIR/verdict.json. Exit code 3 if the verdict contradicts what "
      "the\n"
      "study expects: the report is written all the same. Needs Python with matplotlib, pandas, scipy, xarray and\n"
      "h5netcdf; the environment variable MIXLAB_PYTHON says which Python.\n\n"
      "example: mixlab report quickstart.h5\n";
  syntax.options.add_options()("output,o", po::value<std::string>()->value_name("DIR"),
                               "where to write (default: OUT-report beside OUT.h5)");
  syntax.positional = {"results"};
  return syntax;
}

/// Runs a program to its end and returns its exit code, 127 if there is no such program. Its standard output goes to
/// the file `output`, if one is named; `quiet` silences its messages.
int run_program(const Arguments& words, const std::string& output = {}, bool quiet = false) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  if (!output.empty()) posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), flags, 0644);
  if (quiet) posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  sigset_t ignored;  // by us, see Stop; others expect to die of them
  sigemptyset(&ignored);
  sigaddset(&ignored, SIGPIPE);
  sigaddset(&ignored, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &ignored);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int error = posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error == ENOENT || error == EACCES) return 127;
  if (error != 0) throw std::runtime_error("cannot start " + words[0] + ": " + std::strerror(error));
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR) throw std::runtime_error("lost " + words[0] + ": " + std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// How Python runs `code`, which sees `sys`, without modules of the working folder: `-c` would prefer them to Python's
/// own. Not `-I`, which would not see what a cluster puts into PYTHONPATH.
Arguments python_command(const std::string& python, const std::string& code, const Arguments& arguments) {
  Arguments words = {python, "-B", "-c", "import sys\nsys.path[:] = filter(None, sys.path)\n" + code};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

/// An empty entry of PYTHONPATH (a colon too many) means the working folder, too, and Python heeds it as it starts.
void keep_absolute_python_path() {
  const char* path = std::getenv("PYTHONPATH");
  if (!path) return;
  std::istringstream folders(path);
  std::string kept;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (folder.starts_with('/')) kept += (kept.empty() ? "" : ":") + folder;
  ::setenv("PYTHONPATH", kept.c_str(), 1);
}

bool has_modules(const std::string& python) {
  const std::string code = "from importlib.util import find_spec\nsys.exit(not all(map(find_spec, sys.argv[1:])))\n";
  return run_program(python_command(python, code, modules), "/dev/null", true) == 0;
}

std::string find_python() {
  const char* chosen = std::getenv("MIXLAB_PYTHON");
  // A python3 earlier in the PATH often does not see the modules that the system's packages bring.
  const Arguments candidates =
      chosen && *chosen ? Arguments{chosen} : Arguments{"python3", "/usr/bin/python3", "/usr/local/bin/python3"};
  std::string tried, wanted;
  for (const auto& python : candidates) {
    if (has_modules(python)) return python;
    tried += (tried.empty() ? "" : ", ") + python;
  }
  for (const auto& name : modules) wanted += " " + name;
  throw std::runtime_error("no Python for the report: tried " + tried + " (must have the modules" + wanted +
                           "); install them (Debian: cmake/install-deps analysis; else: pip install" + wanted +
                           ") or name another Python in MIXLAB_PYTHON");
}

/// The folder of the Python package `mixlab`: installed with this program, or in its source tree.
fs::path find_package() {
  const fs::path installed = fs::read_symlink("/proc/self/exe").parent_path() / "../share/mixlab/analysis";
  const fs::path source = fs::path(source_folder()) / "analysis";
  std::error_code none;
  for (const auto& place : {installed, source})
    if (fs::exists(place / "mixlab/report/__main__.py", none)) return fs::canonical(place);
  throw std::runtime_error("no Python package mixlab: looked in " + installed.string() + " and " + source.string() +
                           " (must be beside the program); keep the source tree or install mixlab");
}

/// `python3 -m mixlab.report` of this package and no other.
int write_page(const std::string& python, const fs::path& package, const Arguments& arguments) {
  const std::string code =
      "sys.path.insert(0, sys.argv.pop(1))\n"
      "import runpy\n"
      "runpy.run_module('mixlab.report', run_name='__main__', alter_sys=True)\n";
  Arguments words = {package};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(python_command(python, code, words));
}

fs::path folder_of(const Options& options, const fs::path& results) {
  if (options.count("output")) return options["output"].as<std::string>();
  fs::path folder = results;
  folder.replace_extension();
  return folder += "-report";
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    throw InputError("report folder: '" + folder.string() + "' (must be a folder, not a file); choose another with -o");
  fs::create_directories(folder, error);
  if (error) throw WriteError("cannot create " + folder.string() + ": " + error.message() + "; choose another with -o");
}

}  // namespace

ExitCode report(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, syntax(), options)) return ExitCode::done;
  const fs::path results = required(options, "results", "OUT.h5");
  store::ResultsFile{results};  // says what is wrong with it before anything is written
  keep_absolute_python_path();
  const std::string python = find_python();
  const fs::path package = find_package();
  const fs::path folder = folder_of(options, results);
  make_folder(folder);
  const std::string verdict_path = folder / "verdict.json";
  const int verdict = run_program({"/proc/self/exe", "check", results, "--format", "json"}, verdict_path);
  if (verdict != static_cast<int>(ExitCode::done) && verdict != static_cast<int>(ExitCode::contradicted))
    return static_cast<ExitCode>(verdict);
  const int written = write_page(python, package, {results, "--verdict", verdict_path, "-o", folder});
  return static_cast<ExitCode>(written != 0 ? written : verdict);
}

}  // namespace mixlab::cli
