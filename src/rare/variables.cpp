#include "variables.h"

#include <algorithm>

namespace mixlab::rare {
namespace {

constexpr std::int64_t version = 1;  ///< of RARE.h5 and its pieces

}  // namespace

store::Writer begin_file(const Identity& identity, const char* format) {
  store::Writer file = store::Writer::in_memory();
  file.attribute("format", format);
  file.attribute("format_version", version);
  file.attribute("question", identity.question);
  file.attribute("study_hash", identity.study_hash);
  file.attribute("study", identity.study_text);
  file.attribute("numerics", identity.numerics);
  return file;
}

void require_question(const store::Reader& file, const char* format, const std::string& question, const char* what) {
  if (!file.has_attribute("format") || file.text_attribute("format") != format || !file.has_attribute("question") ||
      file.text_attribute("question") != question)
    throw InputError(
        std::string(what) + " of another question: '" + file.path() +
        "' (study, cells, sets, levels, paths, method or program differ); move it away or give another -o");
  if (!file.has_attribute("format_version") || file.integer_attribute("format_version") != version)
    throw InputError(std::string(what) + " of another mixlab: '" + file.path() +
                     "' (this program knows format version " + std::to_string(version) + "); update mixlab");
}

void put_mixtures(store::Writer& file, const std::vector<std::pair<int, const Mixture*>>& mixtures) {
  std::vector<std::int64_t> cells, numbers, n_paths;
  std::vector<double> eta, direction;
  std::size_t p = 1;
  for (const auto& [cell, mixture] : mixtures)
    for (const Component& component : mixture->components) p = std::max(p, component.direction.size());
  for (const auto& [cell, mixture] : mixtures) {
    for (std::size_t c = 0; c < mixture->components.size(); ++c) {
      const Component& component = mixture->components[c];
      cells.push_back(cell);
      numbers.push_back(static_cast<std::int64_t>(c));
      n_paths.push_back(mixture->n_paths[c]);
      eta.push_back(component.eta);
      direction.insert(direction.end(), component.direction.begin(), component.direction.end());
      direction.resize(eta.size() * p);
    }
  }
  file.dimension("tilt", 0, static_cast<std::int64_t>(eta.size()), "tilts of all cells");
  file.dimension("coordinate", 0, static_cast<std::int64_t>(p), "of a direction; the first is along theta*");
  using Integers = std::span<const std::int64_t>;
  file.put<std::int64_t>("tilt_cell", {"tilt"}, Integers(cells), "cell");
  file.put<std::int64_t>("tilt_component", {"tilt"}, Integers(numbers), "component of the mixture of that cell");
  file.put<std::int64_t>("tilt_paths", {"tilt"}, Integers(n_paths), "paths drawn from it");
  file.put<double>("eta", {"tilt"}, std::span<const double>(eta), "size of the tilt; 0 is the process itself");
  file.put<double>("direction", {"tilt", "coordinate"}, std::span<const double>(direction),
                   "unit vector v: round s is tilted by eta <v, X_s>");
}

Mixture get_mixture(const store::Reader& file) {
  file.require("eta", store::type_of<double>(), {"tilt"});
  file.require("tilt_paths", store::type_of<std::int64_t>(), {"tilt"});
  file.require("direction", store::type_of<double>(), {"tilt", "coordinate"});
  Mixture mixture;
  const auto eta = file.read<double>("eta"), direction = file.read<double>("direction");
  mixture.n_paths = file.read<std::int64_t>("tilt_paths");
  const std::size_t p = file.extent("coordinate").at(0);
  for (std::size_t c = 0; c < eta.size(); ++c) {
    const auto first = direction.begin() + static_cast<std::ptrdiff_t>(c * p);
    mixture.components.push_back({{first, first + static_cast<std::ptrdiff_t>(p)}, eta[c]});
  }
  return mixture;
}

}  // namespace mixlab::rare
