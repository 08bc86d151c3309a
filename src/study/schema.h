// The keys that a study may have: those of every study, and those of the noises, policies and sets it names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "mixlab/core/catalogue.h"
#include "mixlab/core/parameter.h"

namespace mixlab::study {

/// Of every study, by section.
const std::map<std::string, std::vector<Parameter>>& schema();

/// Whether a key may have several values.
bool sweeps(const std::string& section, const std::string& key);

/// A key that a cell may have; it points into the schema or the catalogue.
struct Slot {
  const std::string& section;
  const Parameter& parameter;
  std::string full_key() const { return section + "." + parameter.key(); }
};

/// The keys that apply to a cell of which `known` is already decided, in sweep order.
std::vector<Slot> slots_of(const Values& known);

/// Every "section.key" that some study could have.
std::vector<std::string> all_known_keys();

/// Throws KeyError for `full_key` if nothing of that kind has the name.
const Entry& entry_for(Kind kind, const std::string& full_key, const std::string& name);

inline constexpr const char* default_alias = "own";  ///< the same as default_word

/// Whether a fixed key may say `default`.
bool takes_default(const std::string& section, const std::string& key);

/// Blanks inside a value made one: "paper   oful" and "paper oful" are the same study.
std::string normalised(const Parameter& parameter, const std::string& section, const std::string& written);

}  // namespace mixlab::study
