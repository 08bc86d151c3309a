// The text of a study: sections, keys and values with the place each came from, not yet understood.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "mixlab/core/attachments.h"

namespace mixlab::study {

struct Assignment {
  std::string section;
  std::string key;
  std::string value;
  std::string origin;  ///< "quickstart.cfg:12" or "--set"

  std::string full_key() const { return section + "." + key; }
};

/// Who wrote the text: a user, whose slips are refused, or mixlab, beside results that must stay readable.
enum class Source { user, stored };

struct StudyFile {
  std::string path;
  std::string text;                     ///< the file, verbatim
  std::vector<std::string> overrides;   ///< each "section.key=value" or "~section.key", as given on the command line
  std::vector<Assignment> assignments;  ///< overrides applied
  std::vector<Assignment> replaced;     ///< what the file says and an override changes or drops
  Source source = Source::user;
  std::shared_ptr<Attachments> files = std::make_shared<Attachments>();  ///< that the study names, read when needed

  const Assignment* find(const std::string& full_key) const;
};

/// Reads and parses; throws InputError naming file and line.
StudyFile read_study_file(const std::string& path, const std::vector<std::string>& overrides = {},
                          ReadSeries read_series = nullptr);
/// The same for text that comes from a stream; files it names are sought in the current folder.
StudyFile read_study_stream(std::istream& stream, const std::string& name,
                            const std::vector<std::string>& overrides = {}, ReadSeries read_series = nullptr);
StudyFile parse_study_text(const std::string& text, const std::string& path,
                           const std::vector<std::string>& overrides = {}, const Attachments& files = {},
                           Source source = Source::user);

}  // namespace mixlab::study
