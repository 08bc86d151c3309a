// What all commands share.
#pragma once

#include <boost/program_options.hpp>
#include <cstdarg>
#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/core/error.h"

namespace mixlab::cli {

using Arguments = std::vector<std::string>;
using Options = boost::program_options::variables_map;

struct Command {
  const char* name;
  const char* summary;
  ExitCode (*run)(const Arguments& arguments);
};

/// One file each.
ExitCode init(const Arguments& arguments);
ExitCode run(const Arguments& arguments);
ExitCode plan(const Arguments& arguments);
ExitCode status(const Arguments& arguments);
ExitCode merge(const Arguments& arguments);
ExitCode check(const Arguments& arguments);
ExitCode rare(const Arguments& arguments);
ExitCode report(const Arguments& arguments);
ExitCode trace(const Arguments& arguments);
ExitCode export_csv(const Arguments& arguments);
ExitCode clean(const Arguments& arguments);
ExitCode diff(const Arguments& arguments);
ExitCode submit(const Arguments& arguments);
ExitCode list(const Arguments& arguments);
ExitCode describe(const Arguments& arguments);
ExitCode certify(const Arguments& arguments);

/// A word to the user, on standard error; on a terminal broken before column 80.
void say(const std::string& words);

/// What a command takes: `usage` is the text shown by --help, above the options.
struct Syntax {
  std::string usage;
  boost::program_options::options_description options{"Options"};
  std::vector<std::string> positional;  ///< option names in order; the last may repeat if it ends in "..."
};

/// False if --help was asked for and printed. Throws InputError on anything not understood.
bool parse(const Arguments& arguments, const Syntax& syntax, Options& options);

/// `words` broken before column 80; the first line begins at column `start`, the others at `column`.
std::string wrapped(const std::string& words, std::size_t column, std::size_t start);
/// Paragraphs, separated by empty lines, broken before column 80.
std::string fit_terminal(const std::string& prose);

/// The value of an option that must be there; InputError otherwise.
std::string required(const Options& options, const std::string& name, const std::string& what);

/// The value of an option that must be one of these; InputError otherwise.
std::string one_of(const Options& options, const std::string& name, const std::vector<std::string>& choices);

/// --threads; 0 if it is left out. InputError if it is no such number.
int threads_asked(const Options& options);

/// --cell, which may repeat; empty if it is left out. InputError for a cell that the study does not have.
std::vector<std::int64_t> cells_asked(const Options& options, std::int64_t n_cells);

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// A string inside JSON quotes.
std::string json(const std::string& value);
/// A JSON list of strings.
std::string json(const std::vector<std::string>& values);

/// "12.3 MB"
std::string bytes_text(double bytes);

/// "90", "90s", "15m", "2h", "1:30:00" in seconds; InputError otherwise.
double parse_duration(const std::string& duration);

/// OUT.h5 for a study: what -o says, else STUDY.h5 in the current folder.
std::string output_path(const Options& options, const std::string& study_path);

}  // namespace mixlab::cli
