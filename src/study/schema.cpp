#include "schema.h"

#include <algorithm>

#include "mixlab/core/text.h"
#include "mixlab/study/study.h"

namespace mixlab::study {
namespace {

constexpr double largest_count = 1e9;

}  // namespace

const std::map<std::string, std::vector<Parameter>>& schema() {
  static const std::map<std::string, std::vector<Parameter>> sections = {
      {"study",
       {Parameter::text("name", "", "short name; default: the name of the file"),
        Parameter::text("title", "", "one line for tables and figures; default: the name"),
        Parameter::integer("trajectories", "1000", "independent trajectories per cell")
            .at_least(1)
            .at_most(largest_count),
        Parameter::integer("horizon", "1000", "rounds T of a trajectory; may be swept")
            .at_least(1)
            .at_most(largest_count),
        Parameter::text("seed", "1", "0 to 2^64-1"),
        Parameter::integer("checkpoints", "64", "log-spaced rounds at which regret is kept").at_least(1).at_most(10000),
        Parameter::text("part", "auto", "trajectories per part file, or auto; never changes a result"),
        Parameter::text("stop", "never",
                        "never, or verdict: a cell stops once all that is "
                        "expected of it is decided")
            .one_of({"never", "verdict"})}},
      {"problem",
       {Parameter::integer("dimension", "2", "p").at_least(1).at_most(1000),
        Parameter::text("arms", "circle:8", "the decision set; see `mixlab list arms`"),
        Parameter::real("norm_bound", "1", "B, the known bound on the norm of theta*").above(0).at_most(1e9),
        Parameter::text("theta", "random", "theta*: random (direction), or p numbers"),
        Parameter::real("theta_norm", "", "norm of a random theta*; default: norm_bound").at_least(0),
        Parameter::text("draw", "trajectory", "random theta* and arms: one per trajectory, or one for the cell")
            .one_of({"trajectory", "cell"}),
        Parameter::text("adversary", "",
                        "who chooses the arms on offer: none, sign:K or best:K, from samples up to t - K; default: "
                        "none")}},
      {"noise",
       {Parameter::text("process", "sticky", "the noise; see `mixlab list noise`"),
        Parameter::real("sigma", "1", "scale: the noise is sigma times the process").above(0).at_most(1e9)}},
      {"policy",
       {Parameter::text("name", "mixing-linucb", "who plays; see `mixlab list policies`"),
        Parameter::text("set", default_word, "the set the policy plays with, or default: the policy's choice"),
        Parameter::text("delay", default_word,
                        "lag of the policy's data: rounds, auto (that of the sets), schedule:geometric, "
                        "schedule:algebraic or schedule:FACTOR (grows with t), or default: the policy's choice"),
        Parameter::text("lambda", default_word,
                        "regularisation of the policy's set, or default: sigma^2/B^2 (selfnorm: d times that)")}},
      {"confidence",
       {Parameter::real("delta", "0.05", "allowed probability of ever missing theta*").at_least(1e-100).below(1),
        Parameter::text("delay", "paper", "d of the monitored sets: a rule (`mixlab list delays`) or a number"),
        Parameter::text("monitor", "paper", "the sets to watch, blank-separated; see `mixlab list sets`"),
        Parameter::text("phi", "certified", "bias phi_d: certified, a number, or xFACTOR to misspecify it"),
        Parameter::text("lambda", default_word,
                        "regularisation of the monitored sets, or default: sigma^2/B^2 (selfnorm: d times that)")}},
  };
  return sections;
}

bool sweeps(const std::string& section, const std::string& key) {
  return section != "study" || key == "horizon";
}

const Entry& entry_for(Kind kind, const std::string& full_key, const std::string& name) {
  const Entry* entry = catalogue().find(kind, name);
  if (!entry) throw KeyError(full_key, "bad value for " + full_key + ": " + unknown_name(kind, name));
  return *entry;
}

std::vector<Slot> slots_of(const Values& known) {
  std::vector<Slot> slots;
  const auto add = [&](const std::string& section, const std::vector<Parameter>& parameters) {
    for (const auto& parameter : parameters) slots.push_back({schema().find(section)->first, parameter});
  };
  const bool theta_is_given = known.has("problem.theta") && known.text("problem.theta") != "random";
  for (const char* section : {"study", "problem"})
    for (const auto& parameter : schema().at(section))
      if (sweeps(section, parameter.key()) && !(theta_is_given && parameter.key() == "theta_norm"))
        slots.push_back({schema().find(section)->first, parameter});
  add("noise", schema().at("noise"));
  if (known.has("noise.process"))
    add("noise", entry_for(Kind::noise, "noise.process", known.text("noise.process")).parameters);
  add("policy", schema().at("policy"));
  if (known.has("policy.name"))
    add("policy", entry_for(Kind::policies, "policy.name", known.text("policy.name")).parameters);
  add("confidence", schema().at("confidence"));
  std::vector<std::string> sets;
  if (known.has("confidence.monitor")) sets = split_blanks(known.text("confidence.monitor"));
  for (const auto& set : sets) add("confidence", entry_for(Kind::sets, "confidence.monitor", set).parameters);
  if (known.has("policy.set"))
    if (const Entry* entry = catalogue().find(Kind::sets, known.text("policy.set")))
      add("confidence", entry->parameters);
  return slots;
}

std::vector<std::string> all_known_keys() {
  std::vector<std::string> keys;
  for (const auto& [section, parameters] : schema())
    for (const auto& parameter : parameters) keys.push_back(section + "." + parameter.key());
  const auto add = [&](Kind kind, const std::string& section) {
    for (const auto& name : catalogue().names(kind))
      for (const auto& parameter : catalogue().find(kind, name)->parameters) {
        const std::string key = section + "." + parameter.key();
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
      }
  };
  add(Kind::noise, "noise");
  add(Kind::policies, "policy");
  add(Kind::sets, "confidence");
  return keys;
}

bool takes_default(const std::string& section, const std::string& key) {
  const auto found = schema().find(section);
  if (found == schema().end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const Parameter& parameter) {
    return parameter.key() == key && parameter.fallback() == default_word;
  });
}

std::string normalised(const Parameter& parameter, const std::string& section, const std::string& written) {
  if (parameter.type() != Parameter::Type::text) return to_text(parameter.parse(section, written));
  return join(split_blanks(written), " ");
}

const std::vector<Parameter>& fixed_parameters(const std::string& section) {
  return schema().at(section);
}

}  // namespace mixlab::study
