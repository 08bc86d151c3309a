// The catalogue of everything a study can name. A noise process, arm family, policy, confidence set or delay rule
// is declared where it is defined; the study file, `mixlab list` and `mixlab describe` read it from here.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"

namespace mixlab {

enum class Kind { noise, arms, policies, sets, delays };
inline constexpr Kind all_kinds[] = {Kind::noise, Kind::arms, Kind::policies, Kind::sets, Kind::delays};

/// "noise", "arms", ...: as in `mixlab list noise`.
std::string name_of(Kind kind);

struct Entry {
  std::string name;
  std::string summary;  ///< one line
  std::string formula;  ///< plain notation
  std::string source;   ///< equation of studies/MATHEMATICS.md, theorem or article
  std::vector<Parameter> parameters = {};
  /// Of an arm family: what follows its name is the path of a file.
  bool takes_file = false;
  /// Of entries that mixlab does not ship: raise it when the thing computes other numbers than before, so that rows of
  /// both are not mixed unseen. Without it the whole program's contents stand for it.
  std::string revision = {};
  /// Checks parameters against each other and fills in those that follow from others; throws KeyError.
  std::function<void(Values&)> complete = {};
  bool is_builtin = false;  ///< set by the catalogue
};

class Catalogue {
 public:
  /// Throws std::logic_error if the kind already has that name.
  void declare(Kind kind, Entry entry);
  /// nullptr if there is none.
  const Entry* find(Kind kind, const std::string& name) const;
  std::vector<std::string> names(Kind kind) const;

  /// While it lives, what is declared ships with mixlab.
  class BuiltinScope {
   public:
    explicit BuiltinScope(Catalogue& catalogue) : catalogue_(catalogue) { catalogue_.declares_builtins_ = true; }
    ~BuiltinScope() { catalogue_.declares_builtins_ = false; }
    BuiltinScope(const BuiltinScope&) = delete;
    BuiltinScope& operator=(const BuiltinScope&) = delete;

   private:
    Catalogue& catalogue_;
  };

 private:
  bool declares_builtins_ = false;
  std::map<Kind, std::map<std::string, Entry>> entries_;
};

/// The one catalogue of this process; complete after register_builtins() and whatever the program adds.
Catalogue& catalogue();

/// "unknown set: papr (known: oful, otc, paper); did you mean paper?"
std::string unknown_name(Kind kind, const std::string& name);

/// Names with a way to make each: the typed side of the catalogue.
template <class Make>
class Registry {
 public:
  explicit Registry(Kind kind) : kind_(kind) {}

  void add(Entry entry, Make make) {
    makers_[entry.name] = std::move(make);
    catalogue().declare(kind_, std::move(entry));
  }
  /// nullptr if there is none.
  const Make* find(const std::string& name) const {
    const auto found = makers_.find(name);
    return found == makers_.end() ? nullptr : &found->second;
  }

 private:
  Kind kind_;
  std::map<std::string, Make> makers_;
};

}  // namespace mixlab
