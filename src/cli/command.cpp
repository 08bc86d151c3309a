#include "command.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;

std::vector<std::string> option_names(const po::options_description& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  return names;
}

/// The first word beyond those that the command takes by position.
std::string first_surplus(const Arguments& arguments, const po::options_description& options, std::size_t n_taken) {
  const auto parsed = po::command_line_parser(arguments).options(options).run();
  std::vector<std::string> words;
  for (const auto& option : parsed.options)
    if (option.string_key.empty()) words.insert(words.end(), option.value.begin(), option.value.end());
  return n_taken < words.size() ? words[n_taken] : "";
}

}  // namespace

bool parse(const Arguments& arguments, const Syntax& syntax, Options& options) {
  po::options_description visible("Options", 80, 40);
  for (const auto& option : syntax.options.options()) visible.add(option);
  visible.add_options()("help,h", "show this help");
  po::options_description all;
  all.add(visible);
  po::positional_options_description positions;
  for (const auto& name : syntax.positional) {
    const bool repeats = name.ends_with("...");
    const std::string plain = repeats ? name.substr(0, name.size() - 3) : name;
    if (repeats)
      all.add_options()(plain.c_str(), po::value<std::vector<std::string>>());
    else
      all.add_options()(plain.c_str(), po::value<std::string>());
    positions.add(plain.c_str(), repeats ? -1 : 1);
  }
  try {
    po::store(po::command_line_parser(arguments)
                  .options(all)
                  .positional(positions)
                  .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
                  .run(),
              options);
    po::notify(options);
  } catch (const po::unknown_option& error) {
    const std::string near = nearest(error.get_option_name(), option_names(visible));
    throw InputError("unknown option: " + error.get_option_name() +
                     (near.empty() ? "; see --help" : "; did you mean " + near + "?"));
  } catch (const po::too_many_positional_options_error&) {
    throw InputError("too many words: '" + first_surplus(arguments, all, syntax.positional.size()) +
                     "' (no argument takes it); quote words that belong together, or see --help");
  } catch (const po::error& error) {
    throw InputError(std::string("bad command line: ") + error.what() + "; see --help");
  }
  if (!options.count("help")) return true;
  std::cout << fit_terminal(syntax.usage) << "\n" << visible;
  return false;
}

void say(const std::string& words) {
  const std::string message = "mixlab: " + words;
  const bool is_one_line =
      message.find_first_of("\n\t") == std::string::npos && message.find("  ") == std::string::npos;
  std::cerr << (is_one_line && isatty(STDERR_FILENO) ? wrapped(message, 2, 0) : message) << std::endl;
}

std::string wrapped(const std::string& words, std::size_t column, std::size_t start) {
  std::string text;
  std::size_t at = start;
  bool fresh = true;
  for (const auto& word : split_blanks(words)) {
    if (!fresh && at + 1 + word.size() > 79) {
      text += "\n" + std::string(column, ' ');
      at = column;
    } else if (!fresh) {
      text += " ";
      ++at;
    }
    text += word;
    at += word.size();
    fresh = false;
  }
  return text;
}

std::string fit_terminal(const std::string& prose) {
  std::string fitted, paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) fitted += wrapped(paragraph, 0, 0) + "\n";
    paragraph.clear();
  };
  for (const auto& line : split(prose, '\n')) {
    if (line.empty()) {
      flush();
      fitted += "\n";
    } else {
      paragraph += " " + line;
    }
  }
  flush();
  while (fitted.ends_with("\n\n")) fitted.pop_back();
  return fitted;
}

std::string required(const Options& options, const std::string& name, const std::string& what) {
  if (!options.count(name)) throw InputError("missing argument: " + what + "; see --help");
  return options[name].as<std::string>();
}

std::string text(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char buffer[1024];
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

std::string json(const std::string& value) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < value.size();) {
    const std::size_t size = character_size(value, i);
    const std::string character = value.substr(i, std::max<std::size_t>(1, size)), shown = visible(character);
    if (character == "\"" || character == "\\")
      quoted += "\\" + character;
    else if (character == "\n" || character == "\t")
      quoted += text("\\u%04x", character[0]);
    else if (size == 0)
      quoted += "\\" + shown;  // no character of JSON: the words for it
    else if (shown != character)
      quoted += (shown[1] == 'x' ? "\\u00" : "\\u") + shown.substr(2);
    else
      quoted += character;
    i += character.size();
  }
  return quoted + "\"";
}

std::string json(const std::vector<std::string>& values) {
  return "[" + join(values, ", ", [](const std::string& value) { return json(value); }) + "]";
}

std::string bytes_text(double bytes) {
  if (bytes < 1e6) return text("%.0f kB", std::ceil(bytes / 1e3));
  if (bytes < 1e9) return text("%.1f MB", bytes / 1e6);
  return text("%.1f GB", bytes / 1e9);
}

double parse_duration(const std::string& duration) {
  double seconds = 0;
  const auto bad = [&] {
    return InputError("bad duration: '" + duration + "' (must be seconds, or 90s, 15m, 2h, 1:30:00); for instance 15m");
  };
  if (duration.find(':') != std::string::npos) {
    for (const auto& piece : split(duration, ':')) {
      const auto number = parse_real(piece);
      if (!number || *number < 0) throw bad();
      seconds = 60 * seconds + *number;
    }
    if (seconds <= 0) throw bad();
    return seconds;
  }
  std::string number = duration;
  double unit = 1;
  if (!number.empty() && std::string("smh").find(number.back()) != std::string::npos) {
    unit = number.back() == 'h' ? 3600 : number.back() == 'm' ? 60 : 1;
    number.pop_back();
  }
  const auto count = parse_real(number);
  if (!count || *count <= 0) throw bad();
  return unit * *count;
}

std::vector<std::int64_t> cells_asked(const Options& options, std::int64_t n_cells) {
  if (!options.count("cell")) return {};
  const auto cells = options["cell"].as<std::vector<std::int64_t>>();
  for (const std::int64_t cell : cells)
    if (cell < 0 || cell >= n_cells)
      throw InputError("bad --cell: '" + std::to_string(cell) + "' (must be a cell of the study); it has " +
                       (n_cells == 1 ? "only cell 0" : "cells 0 to " + std::to_string(n_cells - 1)));
  return cells;
}

std::string output_path(const Options& options, const std::string& study_path) {
  if (options.count("output")) {
    const std::string output = options["output"].as<std::string>();
    if (output.empty()) throw InputError("bad output: '' (must be a file name); give one with -o");
    return output;
  }
  return std::filesystem::path(study_path).stem().string() + ".h5";
}

std::string one_of(const Options& options, const std::string& name, const std::vector<std::string>& choices) {
  const std::string chosen = options[name].as<std::string>();
  if (std::find(choices.begin(), choices.end(), chosen) != choices.end()) return chosen;
  throw InputError("bad --" + name + ": '" + chosen + "' (must be " + alternatives(choices) + "); leave it out");
}

int threads_asked(const Options& options) {
  if (!options.count("threads")) return 0;
  const int n = options["threads"].as<int>();
  if (n < 1 || n > 4096)
    throw InputError("bad --threads: '" + std::to_string(n) +
                     "' (must be from 1 to 4096); leave it out to use all processors");
  return n;
}

}  // namespace mixlab::cli
