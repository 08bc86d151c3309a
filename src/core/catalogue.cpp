#include "mixlab/core/catalogue.h"

#include <stdexcept>

#include "mixlab/core/text.h"

namespace mixlab {

std::string name_of(Kind kind) {
  switch (kind) {
    case Kind::noise:
      return "noise";
    case Kind::arms:
      return "arms";
    case Kind::policies:
      return "policies";
    case Kind::sets:
      return "sets";
    case Kind::delays:
      return "delays";
  }
  return {};
}

void Catalogue::declare(Kind kind, Entry entry) {
  const std::string name = entry.name;
  entry.is_builtin = declares_builtins_;
  if (!entries_[kind].emplace(name, std::move(entry)).second)
    throw std::logic_error("declared twice in the catalogue: " + name);
}

const Entry* Catalogue::find(Kind kind, const std::string& name) const {
  const auto entries = entries_.find(kind);
  if (entries == entries_.end()) return nullptr;
  const auto found = entries->second.find(name);
  return found == entries->second.end() ? nullptr : &found->second;
}

std::vector<std::string> Catalogue::names(Kind kind) const {
  std::vector<std::string> names;
  if (const auto entries = entries_.find(kind); entries != entries_.end())
    for (const auto& [name, entry] : entries->second) names.push_back(name);
  return names;
}

Catalogue& catalogue() {
  static Catalogue the_catalogue;
  return the_catalogue;
}

std::string unknown_name(Kind kind, const std::string& name) {
  const auto names = catalogue().names(kind);
  return "'" + name + "' (known " + name_of(kind) + ": " + join(names) + "); " +
         suggestion(name, names, "see `mixlab list " + name_of(kind) + "`");
}

}  // namespace mixlab
