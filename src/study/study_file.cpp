#include "mixlab/study/study_file.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>
#include <istream>
#include <sstream>

#include "mixlab/core/error.h"
#include "mixlab/core/file.h"
#include "mixlab/core/text.h"

namespace mixlab::study {
namespace {

namespace po = boost::program_options;

constexpr std::size_t largest_study_file = 16u << 20;

/// A title goes to terminals, tables and logs.
void require_plain(const std::string& text, const std::string& where) {
  auto at = find_control(text);
  while (at != std::string::npos && text.compare(at, 2, "\r\n") == 0) at = find_control(text, at + 1);
  if (at == std::string::npos) return;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::string shown = visible(text.substr(at, 3));
  const std::string first = "'" + shown.substr(0, shown.starts_with("\\u") ? 6 : 4) + "'";
  throw InputError(where + ":" + std::to_string(line) + ": not a study file: " +
                   (character_size(text, at) > 0 ? "control character " + first + " (must be text); remove it"
                                                 : "byte " + first + " (must be text in UTF-8); save it as UTF-8"));
}

std::string without_comment(const std::string& line) {
  return trim(line.substr(0, line.find('#')));
}

bool is_header(const std::string& content) {
  return content.front() == '[' && content.back() == ']';
}

std::string section_of(const std::string& header) {
  std::string name = trim(header.substr(1, header.size() - 2));
  if (name.ends_with('.')) name.pop_back();
  return name;
}

// Boost.Program_options gives no line numbers: walk the text as its parser does and call back with each
// (line number, section, content).
template <class Visit>
void for_each_line(const std::string& text, Visit visit) {
  std::istringstream lines(text);
  std::string line;
  std::string section;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string content = without_comment(line);
    if (content.empty()) continue;
    if (is_header(content)) section = section_of(content);
    visit(number, section, content);
  }
}

int line_of(const std::string& text, const std::string& full_key, int occurrence) {
  int found = 0;
  for_each_line(text, [&](int number, const std::string& section, const std::string& content) {
    const auto equals = content.find('=');
    if (equals == std::string::npos || is_header(content)) return;
    const std::string key = (section.empty() ? "" : section + ".") + trim(content.substr(0, equals));
    if (key == full_key && occurrence-- == 0) found = number;
  });
  return found;
}

int first_malformed_line(const std::string& text) {
  int found = 0;
  for_each_line(text, [&](int number, const std::string&, const std::string& content) {
    const auto equals = content.find('=');
    const bool bad = is_header(content) ? section_of(content).empty() : equals == std::string::npos || equals == 0;
    if (found == 0 && bad) found = number;
  });
  return found;
}

auto assignment_of(StudyFile& file, const std::string& full_key) {
  return std::find_if(file.assignments.begin(), file.assignments.end(),
                      [&](const Assignment& assignment) { return assignment.full_key() == full_key; });
}

/// `--set '~section.key'`: as if the file did not have the key.
void drop_key(StudyFile& file, const std::string& full_key) {
  const auto dropped = assignment_of(file, full_key);
  if (dropped == file.assignments.end()) {
    std::vector<std::string> keys;
    for (const auto& assignment : file.assignments) keys.push_back(assignment.full_key());
    throw InputError("bad --set: '~" + full_key + "' (the study does not give this key); " +
                     suggestion(full_key, keys, "leave it out"));
  }
  file.replaced.push_back(*dropped);
  file.assignments.erase(dropped);
}

void apply_override(StudyFile& file, const std::string& text) {
  if (text.starts_with('~')) return drop_key(file, trim(text.substr(1)));
  const auto equals = text.find('=');
  const auto dot = text.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals || dot == 0)
    throw InputError("bad --set: '" + text +
                     "' (must be section.key=value, or ~section.key to drop a key); for instance --set noise.rho=0.5");
  if (text.find('#') != std::string::npos || text.find('\n') != std::string::npos)
    throw InputError("bad --set: '" + text + "' (must not contain # or line breaks: # begins a comment); leave it out");
  Assignment assignment{trim(text.substr(0, dot)), trim(text.substr(dot + 1, equals - dot - 1)),
                        trim(text.substr(equals + 1)), "--set"};
  const auto existing = assignment_of(file, assignment.full_key());
  if (existing == file.assignments.end()) {
    file.assignments.push_back(assignment);
    return;
  }
  file.replaced.push_back(*existing);
  *existing = assignment;
}

StudyFile parse_user_text(const std::string& text, const std::string& path, const std::vector<std::string>& overrides,
                          const Attachments& files) {
  if (text.find('\0') == std::string::npos) require_plain(text, path);
  for (const auto& words : overrides) require_plain(words, "--set");
  return parse_study_text(text, path, overrides, files);
}

}  // namespace

const Assignment* StudyFile::find(const std::string& full_key) const {
  for (const auto& assignment : assignments)
    if (assignment.full_key() == full_key) return &assignment;
  return nullptr;
}

StudyFile parse_study_text(const std::string& verbatim, const std::string& path,
                           const std::vector<std::string>& overrides, const Attachments& files, Source source) {
  StudyFile file{path, verbatim, overrides, {}, {}, source, std::make_shared<Attachments>(files)};
  const std::string text(without_mark(verbatim));
  if (text.find('\0') != std::string::npos)
    throw InputError(path + ": not a study file: it contains null bytes (must be text); check the path");
  if (const int line = first_malformed_line(text))
    throw InputError(path + ":" + std::to_string(line) +
                     ": line not understood (must be [section] or key = value); correct it, or begin it with #");
  po::parsed_options parsed(nullptr);
  try {
    std::istringstream stream(text);
    parsed = po::parse_config_file(stream, po::options_description{}, true);
  } catch (const po::error& error) {
    throw InputError(path + ": not understood (" + error.what() + "); see studies/quickstart.cfg for an example");
  }
  for (const auto& option : parsed.options) {
    const auto last_dot = option.string_key.rfind('.');
    const std::string full_key = last_dot == std::string::npos ? option.string_key
                                                               : trim(option.string_key.substr(0, last_dot)) + "." +
                                                                     trim(option.string_key.substr(last_dot + 1));
    const auto dot = full_key.find('.');
    const std::string at = path + ":" + std::to_string(line_of(text, full_key, 0));
    if (dot == std::string::npos)
      throw InputError(at + ": key outside a section: '" + full_key +
                       "' (every key belongs to [study], [problem], [noise], [policy], [confidence] or [expect]);"
                       " put it under its section");
    if (file.find(full_key))
      throw InputError(path + ":" + std::to_string(line_of(text, full_key, 1)) + ": key given twice: " + full_key +
                       " (first " + file.find(full_key)->origin + "); remove one");
    const std::string value = option.value.empty() ? "" : trim(option.value.front());
    file.assignments.push_back({full_key.substr(0, dot), full_key.substr(dot + 1), value, at});
  }
  if (file.assignments.empty())
    throw InputError(path + ": empty study (no key at all); see studies/quickstart.cfg for an example");
  for (const auto& override_text : overrides) apply_override(file, override_text);
  return file;
}

StudyFile read_study_file(const std::string& path, const std::vector<std::string>& overrides, ReadSeries read_series) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw InputError("no such study file: '" + path + "' (must exist); check the path");
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError("not a study file: '" + path + "' (must be a regular text file); check the path");
  return parse_user_text(read_text_file(path, largest_study_file), path, overrides,
                         Attachments(std::filesystem::path(path).parent_path(), read_series));
}

StudyFile read_study_stream(std::istream& stream, const std::string& name, const std::vector<std::string>& overrides,
                            ReadSeries read_series) {
  std::string text(largest_study_file + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > largest_study_file)
    throw InputError("study too large: " + name + " (at most " + std::to_string(largest_study_file >> 20) +
                     " MiB); check what is sent");
  return parse_user_text(text, name, overrides, Attachments(".", read_series));
}

}  // namespace mixlab::study
