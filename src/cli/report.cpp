#include <filesystem>
#include <set>
#include <sstream>

#include "mixlab/core/text.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/output_place.h"
#include "mixlab/store/results_file.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/workspace.h"
#include "python.h"
#include "verdict_json.h"

namespace mixlab::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

Syntax report_syntax() {
  Syntax syntax;
  syntax.usage =
      "usage: mixlab report OUT.h5... [--rare RARE.h5] [-o DIR] [--pdf]\n\n"
      "Writes DIR/report.html, one page that needs nothing else, with the verdict of `mixlab check`; the same figures "
      "as\n"
      "SVG in DIR/figures; and the verdict in DIR/verdict.json. Of several files each has its report in DIR/NAME, and\n"
      "DIR/report.html is an index of studies with what each found. Exit code 3 if a verdict contradicts what its "
      "study\n"
      "expects: the report is written all the same. Needs Python with matplotlib, pandas, scipy, xarray and h5netcdf;\n"
      "the environment variable MIXLAB_PYTHON says which Python.\n\n"
      "example: mixlab report quickstart.h5\n";
  syntax.options.add_options()("output,o", po::value<std::string>()->value_name("DIR"),
                               "where to write (default: OUT-report beside OUT.h5; of several files: report)")(
      "rare", po::value<std::string>()->value_name("RARE.h5"), "also show what mixlab rare -o found")(
      "pdf", "write every figure as PDF, too");
  syntax.positional = {"results..."};
  return syntax;
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

/// Where somebody else made a link, nothing is written and nothing removed.
void make_folder(const fs::path& folder) {
  store::refuse_links_of_others(folder);
  store::refuse_links_of_others(folder / "figures");
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    throw InputError("report folder: '" + folder.string() + "' (must be a folder, not a file); choose another with -o");
  fs::create_directories(folder, error);
  if (error) throw WriteError("cannot create " + folder.string() + ": " + error.message() + "; choose another with -o");
  for (const char* name : {"verdict.json", "report.html"}) store::remove_leftovers_of(folder / name);
  store::remove_leftovers_below(folder / "figures", store::OtherMachines::keep);
}

/// One study of the report: its results, found good, and the folder of what is written about it.
struct Subject {
  store::ResultsFile results;
  std::string checked;  ///< its identity when it was
  fs::path folder;
};

/// A name for each: that of the results file, with a number where it is taken by another or by the report itself.
std::vector<std::string> distinct_names(const std::vector<std::string>& paths) {
  std::set<std::string> taken = {".", "..", "report.html", "verdict.json", "figures"};
  std::vector<std::string> names;
  for (const auto& path : paths) {
    const std::string stem = fs::path(path).stem();
    std::string name = stem;
    for (int number = 2; !taken.insert(name).second; ++number) name = stem + "-" + std::to_string(number);
    names.push_back(name);
  }
  return names;
}

std::vector<Subject> subjects_of(const std::vector<std::string>& paths, const fs::path& folder) {
  const auto names = distinct_names(paths);
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    store::ResultsFile results(paths[i]);
    const std::string checked = identity(results.file());
    subjects.push_back({std::move(results), checked, paths.size() == 1 ? folder : folder / names[i]});
  }
  return subjects;
}

/// What `mixlab check` says, in verdict.json of its folder; gives its exit code. The file is judged as it was opened,
/// wherever its name leads by now.
ExitCode write_verdict(const Subject& subject) {
  const verdict::Verdict verdict = verdict::check(subject.results, verdict::Verdict().alpha, {});
  const ExitCode code = exit_code_of(verdict);
  std::ostringstream text;
  print_verdict_json(text, verdict, verdict, code);
  make_folder(subject.folder);
  store::write_text(subject.folder / "verdict.json", text.str());
  mention_missing_rows(verdict);
  return code;
}

}  // namespace

ExitCode report(const Arguments& arguments) {
  Options options;
  if (!parse(arguments, report_syntax(), options)) return ExitCode::done;
  if (!options.count("results")) throw InputError("missing argument: OUT.h5; see --help");
  const auto paths = options["results"].as<std::vector<std::string>>();
  const fs::path folder = options.count("output") ? fs::path(options["output"].as<std::string>())
                          : paths.size() == 1     ? fs::path(store::report_folder(paths.front()))
                                                  : fs::path("report");
  if (paths.size() > 1 && options.count("rare"))
    throw InputError("bad option: --rare (it belongs to one study); report on its OUT.h5 alone");
  const auto subjects = subjects_of(paths, folder);
  Arguments rare;
  if (options.count("rare")) {
    const auto path = options["rare"].as<std::string>();
    rare = {"--rare", path, "--rare-checked", identity(store::open_guarded(path))};
  }
  const Python python;
  make_folder(folder);
  Arguments words = {"-o", folder, "--program", fs::read_symlink("/proc/self/exe")};
  words.insert(words.end(), paths.begin(), paths.end());
  ExitCode verdict = ExitCode::done;
  for (const auto& subject : subjects) {
    const ExitCode code = write_verdict(subject);
    if (code == ExitCode::contradicted) verdict = code;
    words.insert(words.end(), {"--checked", subject.checked, "--verdict", subject.folder / "verdict.json"});
  }
  words.insert(words.end(), rare.begin(), rare.end());
  if (options.count("pdf")) words.push_back("--pdf");
  const int written = python.run_module("mixlab.report", words);
  return written != 0 ? static_cast<ExitCode>(written) : verdict;
}

}  // namespace mixlab::cli
