#include <cstdlib>
#include <filesystem>

#include "command.h"
#include "mixlab/core/process_id.h"
#include "mixlab/core/subprocess.h"
#include "mixlab/core/text.h"
#include "mixlab/core/version.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/results_file.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/workspace.h"

namespace mixlab::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

const Arguments modules = {"h5netcdf", "matplotlib", "numpy", "pandas", "scipy", "xarray"};

Syntax syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab report OUT.h5 [--rare RARE.h5] [-o DIR]\n\n"
      "Writes DIR/report.html, one page that needs nothing else, with the verdict of `mixlab check`; the same figures "
      "as\n"
      "SVG and PDF in DIR/figures; and the verdict in DIR/verdict.json. Exit code 3 if the verdict contradicts what "
      "the\n"
      "study expects: the report is written all the same. Needs Python with matplotlib, pandas, scipy, xarray and\n"
      "h5netcdf; the environment variable MIXLAB_PYTHON says which Python.\n\n"
      "example: mixlab report quickstart.h5\n";
  syntax.options.add_options()("output,o", po::value<std::string>()->value_name("DIR"),
                               "where to write (default: OUT-report beside OUT.h5)")(
      "rare", po::value<std::string>()->value_name("RARE.h5"), "also show what mixlab rare -o found");
  syntax.positional = {"results"};
  return syntax;
}

/// Isolated, Python reads no module and no setting of the working folder. What it would not see then, a cluster's
/// PYTHONPATH and the user's own packages, is added when it has started. It ends with this process.
constexpr const char* prelude =
    "import ctypes, os, signal, site, sys\n"
    "ctypes.CDLL(None).prctl(1, signal.SIGTERM)\n"
    "sys.path[:0] = [path for path in os.environ.get('PYTHONPATH', '').split(':') if path.startswith('/')]\n"
    "if sys.prefix == sys.base_prefix and not os.environ.get('PYTHONNOUSERSITE'):\n"
    "    site.addsitedir(site.getusersitepackages())\n";

Arguments python_command(const std::string& python, const std::string& code, const Arguments& arguments) {
  Arguments words = {python, "-I", "-B", "-c", prelude + code};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

bool has_modules(const std::string& python) {
  const std::string code = "from importlib.util import find_spec\nsys.exit(not all(map(find_spec, sys.argv[1:])))\n";
  return run_program(python_command(python, code, modules), {-1, Redirection::Messages::discarded}) == 0;
}

std::string find_python() {
  const char* chosen = std::getenv("MIXLAB_PYTHON");
  // A python3 earlier in the PATH often does not see the modules that the system's packages bring.
  const Arguments candidates =
      chosen && *chosen ? Arguments{chosen} : Arguments{"python3", "/usr/bin/python3", "/usr/local/bin/python3"};
  for (const auto& python : candidates)
    if (has_modules(python)) return python;
  const std::string wanted = join(modules, " ");
  throw std::runtime_error("no Python for the report: tried " + join(candidates) + " (must have the modules " + wanted +
                           "); install them (Debian: cmake/install-deps analysis; else: pip install " + wanted +
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

/// `python3 -m mixlab.report` of this package and no other; matplotlib looks for settings where it is first imported.
int write_page(const std::string& python, const fs::path& package, const Arguments& arguments) {
  const std::string code =
      "sys.path.insert(0, sys.argv.pop(1))\n"
      "here = os.getcwd()\n"
      "os.chdir('/')\n"
      "import matplotlib\n"
      "os.chdir(here)\n"
      "import runpy\n"
      "runpy.run_module('mixlab.report', run_name='__main__', alter_sys=True)\n";
  Arguments words = {package};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(python_command(python, code, words));
}

fs::path folder_of(const Options& options, const fs::path& results) {
  if (options.count("output")) return options["output"].as<std::string>();
  return store::report_folder(results);
}

/// What tells a file from every other, and from itself after a change.
std::string identity(const store::Reader& reader) {
  const struct stat file = reader.status();
  const auto nanoseconds = [](const timespec& time) {
    return std::to_string(std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec);
  };
  return join({std::to_string(file.st_dev), std::to_string(file.st_ino), std::to_string(file.st_size),
               nanoseconds(file.st_mtim), nanoseconds(file.st_ctim)},
              ":");
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
  const std::string checked = identity(store::ResultsFile(results).file());
  Arguments rare;
  if (options.count("rare")) {
    const auto path = options["rare"].as<std::string>();
    rare = {"--rare", path, "--rare-checked", identity(store::open_guarded(path))};
  }
  const std::string python = find_python();
  const fs::path package = find_package();
  const fs::path folder = folder_of(options, results);
  make_folder(folder);
  const std::string verdict_path = folder / "verdict.json";
  store::Temporary output(verdict_path);
  const int verdict =
      run_program({"/proc/self/exe", "check", results, "--format", "json"}, {output.file().descriptor()});
  if (verdict != static_cast<int>(ExitCode::done) && verdict != static_cast<int>(ExitCode::contradicted))
    return static_cast<ExitCode>(verdict);
  output.become(verdict_path);
  ::setenv("MIXLAB_PROCESS", ProcessId::self().text().c_str(), 1);  // in the names of its temporaries
  Arguments words = {results, "--checked", checked, "--verdict", verdict_path, "-o", folder};
  words.insert(words.end(), rare.begin(), rare.end());
  const int written = write_page(python, package, words);
  return static_cast<ExitCode>(written != 0 ? written : verdict);
}

}  // namespace mixlab::cli
