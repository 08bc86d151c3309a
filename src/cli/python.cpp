#include "python.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "mixlab/core/process_id.h"
#include "mixlab/core/subprocess.h"
#include "mixlab/core/text.h"
#include "mixlab/core/version.h"

namespace mixlab::cli {
namespace {

namespace fs = std::filesystem;

const Arguments modules = {"h5netcdf", "matplotlib", "numpy", "pandas", "scipy", "xarray"};

/// Isolated, Python reads no module and no setting of the working folder. What it would not see then, a cluster's
/// PYTHONPATH and the user's own packages, is added when it has started. It ends with this process, OURS: if that is no
/// more among its ancestors when it asks to be told, nobody will tell it. A script may stand between the two.
constexpr const char* prelude =
    "import ctypes, os, signal, site, sys\n"
    "ctypes.CDLL(None).prctl(1, signal.SIGTERM)\n"
    "ancestor = os.getppid()\n"
    "while ancestor > 1 and ancestor != OURS:\n"
    "    with open(f'/proc/{ancestor}/stat', 'rb') as file:\n"
    "        ancestor = int(file.read().rpartition(b')')[2].split()[1])\n"
    "if ancestor != OURS:\n"
    "    sys.exit('mixlab report: the mixlab that started this Python has ended, or numbers processes in another "
    "way; name another in MIXLAB_PYTHON')\n"
    "sys.path[:0] = [path for path in os.environ.get('PYTHONPATH', '').split(':') if path.startswith('/')]\n"
    "if sys.prefix == sys.base_prefix and not os.environ.get('PYTHONNOUSERSITE'):\n"
    "    site.addsitedir(site.getusersitepackages())\n";

Arguments python_command(const std::string& python, const std::string& code, const Arguments& arguments) {
  Arguments words = {python, "-I", "-B", "-c", "OURS = " + std::to_string(::getpid()) + "\n" + prelude + code};
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
                           "); install them (Debian: apt install python3-" + join(modules, " python3-") +
                           "; else: pip install " + wanted + ") or name another Python in MIXLAB_PYTHON");
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

}  // namespace

Python::Python() : program_(find_python()), package_(find_package()) {}

int Python::run_module(const std::string& module, const Arguments& arguments) const {
  // matplotlib looks for settings where it is first imported
  const std::string code =
      "sys.path.insert(0, sys.argv.pop(1))\n"
      "here = os.getcwd()\n"
      "os.chdir('/')\n"
      "import matplotlib\n"
      "os.chdir(here)\n"
      "import runpy\n"
      "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)\n";
  Arguments words = {package_, module};
  words.insert(words.end(), arguments.begin(), arguments.end());
  ::setenv("MIXLAB_PROCESS", ProcessId::self().text().c_str(), 1);  // in the names of its temporaries
  return run_program(python_command(program_, code, words));
}

}  // namespace mixlab::cli
