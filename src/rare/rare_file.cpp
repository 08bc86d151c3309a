#include "mixlab/rare/rare_file.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "mixlab/core/hash.h"
#include "mixlab/core/text.h"
#include "mixlab/engine/machine.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/output_place.h"
#include "mixlab/store/row_block.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::rare {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t version = 1;  ///< of RARE.h5 and its pieces
constexpr const char* piece_format = "mixlab rare piece";
constexpr const char* rare_format = "mixlab rare";

store::Writer begin(const Identity& identity, const char* format) {
  store::Writer file = store::Writer::in_memory();
  file.attribute("format", format);
  file.attribute("format_version", version);
  file.attribute("question", identity.question);
  file.attribute("study_hash", identity.study_hash);
  file.attribute("study", identity.study_text);
  file.attribute("numerics", identity.numerics);
  return file;
}

std::vector<std::string> dimensions_of(engine::Axis axis, const std::string& leading) {
  return axis == engine::Axis::none ? std::vector{leading} : std::vector<std::string>{leading, "target"};
}

template <class Row>
void put_rows(store::Writer& file, const std::string& leading, const std::vector<Row>& rows) {
  store::side_by_side(rows).for_each([&]<class T>(const auto& column, const std::vector<T>& array) {
    file.variable(column.name, store::type_of<T>(), dimensions_of(column.axis, leading),
                  {.attributes = {{"long_name", column.meaning}, {"units", column.unit}}});
    file.write(column.name, store::type_of<T>(), array.data());
  });
}

template <class Row>
std::vector<Row> get_rows(const store::Reader& file, const std::string& leading) {
  std::vector<Row> rows(file.extent(leading).at(0));
  engine::for_each_column<Row>([&]<class Column>(const Column& column) {
    file.require(column.name, store::type_of<typename Column::Element>(), dimensions_of(column.axis, leading));
    const auto array = file.read<typename Column::Element>(column.name);
    const std::size_t each = rows.empty() ? 0 : array.size() / rows.size();
    for (std::size_t i = 0; i < array.size(); ++i) column.append(rows[i / each], array[i]);
  });
  return rows;
}

/// Throws InputError unless the file answers this question, in a version that we know.
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

/// A mixture, or those of several cells, as variables over `tilt`.
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

Repetition get_repetition(const store::Reader& file) {
  file.require("log_estimate", store::type_of<double>(), {"level"});
  return {file.read<double>("log_estimate"), file.integer_attribute("n_paths")};
}

std::string cell_text(int cell) {
  char text[16];
  std::snprintf(text, sizeof text, "c%04d", cell);
  return text;
}
std::string mixture_name(int cell) {
  return "mixture-" + cell_text(cell);
}
std::string repetition_name(const RepetitionName& name) {
  return name.method + "-" + cell_text(name.cell) + "-" + name.set + (name.delta > 0 ? "-" + to_text(name.delta) : "") +
         "-" + std::to_string(name.number);
}
std::string part_name(const study::Part& part) {
  return "twisted-" + study::file_name(part).substr(0, study::file_name(part).size() - 3);
}

/// What `get` makes of a piece of this question. Throws DamagedFile if it is not whole or does not fit.
template <class Piece>
Piece read_piece(const std::string& path, const std::string& question, const Fits<Piece>& fits,
                 const std::function<Piece(const store::Reader& file)>& get) {
  const store::Reader file = store::open_guarded(path, Links::refused);
  require_question(file, piece_format, question, "pieces");
  try {
    Piece piece = get(file);
    if (fits(piece)) return piece;
  } catch (const InputError&) {  // of another shape
  }
  throw store::DamagedFile("damaged file: '" + path + "' (its numbers are not those of the question); delete it");
}

std::vector<std::string> piece_names_in(const std::string& folder) {
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [](const std::string& name) {
    return !name.ends_with(".h5") || !(name.starts_with("mixture-") || name.starts_with("twisted-") ||
                                       name.starts_with("selected-") || name.starts_with("splitting-"));
  });
  return names;
}

using TargetName = std::pair<std::string, double>;  // set, delta

/// A row with a place for every target of the file; those of other cells were not run.
PathRow widened(const PathRow& row, const std::vector<std::size_t>& places, std::size_t n_targets) {
  PathRow wide{.component = row.component,
               .log_weight = std::vector<double>(n_targets, std::numeric_limits<double>::quiet_NaN()),
               .first_crossing = std::vector<std::int32_t>(n_targets, -1)};
  for (std::size_t i = 0; i < places.size(); ++i) {
    wide.log_weight[places[i]] = row.log_weight[i];
    wide.first_crossing[places[i]] = row.first_crossing[i];
  }
  return wide;
}

/// The twisted paths of all cells, one after the other.
void put_paths(store::Writer& file, const std::vector<CellAnswer>& answers, const std::vector<TargetName>& targets) {
  std::vector<PathRow> rows;
  std::vector<std::int64_t> cells, numbers;
  for (const CellAnswer& answer : answers) {
    std::vector<std::size_t> places;
    for (const Target& target : answer.targets) {
      const auto at = std::find(targets.begin(), targets.end(), TargetName(answer.sets[target.set], target.delta));
      places.push_back(static_cast<std::size_t>(at - targets.begin()));
    }
    for (std::size_t i = 0; i < answer.rows.size(); ++i) {
      rows.push_back(widened(answer.rows[i], places, targets.size()));
      cells.push_back(answer.cell);
      numbers.push_back(static_cast<std::int64_t>(i));
    }
  }
  std::vector<std::string> sets;
  std::vector<double> deltas;
  for (const auto& [set, delta] : targets) {
    sets.push_back(set);
    deltas.push_back(delta);
  }
  file.dimension("path", 0, static_cast<std::int64_t>(rows.size()), "twisted paths of all cells");
  file.dimension("target", 0, static_cast<std::int64_t>(targets.size()), "pairs of a set and a level");
  file.put<std::int64_t>("path_cell", {"path"}, std::span<const std::int64_t>(cells), "cell");
  file.put<std::int64_t>("path_number", {"path"}, std::span<const std::int64_t>(numbers),
                         "path of the cell; theta*, arms and policy are those of the trajectory of that number");
  file.put("target_set", {"target"}, sets, "confidence set");
  file.put<double>("target_delta", {"target"}, std::span<const double>(deltas), "level that it is made for");
  put_rows(file, "path", rows);
}

}  // namespace

Identity identify(const study::Study& study, const std::vector<engine::Experiment>& experiments,
                  const Question& question) {
  Identity identity{"", study.hash(), study.effective_text(),
                    engine::numerics(engine::Engine::reference, study.entries())};
  std::string text = "rare 2\n" + identity.study_hash + "\n" + identity.numerics + "\n" +
                     std::to_string(question.n_paths) + (question.twisted ? " twisted" : "") +
                     (question.splitting ? " splitting" : "") + "\n";
  for (const double delta : question.deltas) text += to_text(delta) + " ";
  for (const auto& experiment : experiments) {
    text += "\n" + std::to_string(experiment.cell.index);
    for (const auto& monitored : experiment.sets) text += " " + monitored.name;
  }
  Hasher hasher;
  hasher.add(text.data(), text.size());
  identity.question = hasher.hex();
  return identity;
}

PieceFolder::PieceFolder(std::string folder, Identity identity, Notice notice)
    : folder_(std::move(folder)), identity_(std::move(identity)), notice_(std::move(notice)) {
  store::refuse_links_of_others(folder_);
  std::error_code error;
  fs::create_directory(folder_, error);
  if (error) throw WriteError("cannot create folder: '" + folder_ + "' (" + error.message() + "); choose another -o");
  store::remove_leftovers_in(folder_, "", store::OtherMachines::keep);
}

template <class Piece>
std::optional<Piece> PieceFolder::find(const std::string& name, const Fits<Piece>& fits,
                                       const std::function<Piece(const store::Reader& file)>& get) {
  const std::string path = path_of(name);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return {};
  try {
    return read_piece(path, identity_.question, fits, get);
  } catch (const store::DamagedFile&) {
    fs::rename(path, path + ".damaged");
    notice_("damaged piece set aside: " + path + ".damaged; it is computed again");
    return {};
  }
}

std::optional<Mixture> PieceFolder::mixture(int cell, const Fits<Mixture>& fits) {
  return find<Mixture>(mixture_name(cell), fits, get_mixture);
}

std::optional<std::vector<PathRow>> PieceFolder::rows(const study::Part& part, const Fits<std::vector<PathRow>>& fits) {
  return find<std::vector<PathRow>>(part_name(part), fits,
                                    [](const store::Reader& file) { return get_rows<PathRow>(file, "path"); });
}

std::optional<Repetition> PieceFolder::repetition(const RepetitionName& name, const Fits<Repetition>& fits) {
  return find<Repetition>(repetition_name(name), fits, get_repetition);
}

void PieceFolder::keep(int cell, const Mixture& mixture) {
  store::Writer file = begin(identity_, piece_format);
  put_mixtures(file, {{cell, &mixture}});
  store::write_sealed(path_of(mixture_name(cell)), file.image());
}

void PieceFolder::keep(const study::Part& part, const std::vector<PathRow>& rows) {
  store::Writer file = begin(identity_, piece_format);
  file.dimension("path", part.first, part.size(), "path of the cell");
  file.dimension("target", 0, static_cast<std::int64_t>(rows.front().log_weight.size()), "set and level");
  put_rows(file, "path", rows);
  store::write_sealed(path_of(part_name(part)), file.image());
}

void PieceFolder::keep(const RepetitionName& name, const Repetition& repetition) {
  store::Writer file = begin(identity_, piece_format);
  file.attribute("n_paths", repetition.n_paths);
  file.dimension("level", 0, static_cast<std::int64_t>(repetition.log_estimates.size()), "levels of the question");
  file.put<double>("log_estimate", {"level"}, std::span<const double>(repetition.log_estimates),
                   "natural log of the estimate; -inf if all paths died");
  store::write_sealed(path_of(repetition_name(name)), file.image());
}

void PieceFolder::remove() {
  std::error_code error;
  for (const auto& name : piece_names_in(folder_)) fs::remove(folder_ + "/" + name, error);
  fs::remove(folder_, error);  // if it is empty
}

void remove_pieces(const std::string& folder, const Identity& identity) {
  std::error_code error;
  for (const auto& name : piece_names_in(folder)) {
    try {
      const std::string path = folder + "/" + name;
      require_question(store::open_guarded(path, Links::refused), piece_format, identity.question, "pieces");
      fs::remove(path, error);
    } catch (const InputError&) {  // not ours
    }
  }
  store::remove_leftovers_in(folder, "", store::OtherMachines::keep);
  fs::remove(folder, error);  // if it is empty
}

void write_rare(const std::string& path, const Identity& identity, const std::vector<CellAnswer>& answers) {
  store::Writer file = begin(identity, rare_format);
  std::vector<Estimate> estimates;
  std::vector<std::pair<int, const Mixture*>> mixtures;
  std::vector<TargetName> targets;  // of all cells
  for (const CellAnswer& answer : answers) {
    estimates.insert(estimates.end(), answer.estimates.begin(), answer.estimates.end());
    if (!answer.rows.empty()) mixtures.emplace_back(answer.cell, &answer.mixture);
    for (const Target& target : answer.targets)
      if (const TargetName each(answer.sets[target.set], target.delta);
          std::find(targets.begin(), targets.end(), each) == targets.end())
        targets.push_back(each);
  }
  file.dimension("estimate", 0, static_cast<std::int64_t>(estimates.size()), "estimates");
  std::vector<std::string> sets, methods, reasons, labels;
  for (const Estimate& estimate : estimates) {
    sets.push_back(estimate.set);
    methods.push_back(estimate.method);
    reasons.push_back(estimate.why);
    labels.push_back(estimate.label);
  }
  file.put("set", {"estimate"}, sets, "confidence set");
  file.put("method", {"estimate"}, methods, "twisted, selected or splitting");
  file.put("why", {"estimate"}, reasons, "why it is not reliable; empty if it is");
  file.put("label", {"estimate"}, labels, "the cell in words");
  put_rows(file, "estimate", estimates);
  if (!mixtures.empty()) {
    put_mixtures(file, mixtures);
    put_paths(file, answers, targets);
  }
  const fs::path place(path);
  store::remove_leftovers_in(place.has_parent_path() ? place.parent_path().string() : ".",
                             place.filename().string() + store::temporary_mark, store::OtherMachines::keep);
  store::write_sealed(path, file.image());
}

std::vector<Estimate> read_estimates(const std::string& path, const Identity& identity) {
  const store::Reader file = store::open_guarded(path);
  require_question(file, rare_format, identity.question, "file");
  auto estimates = get_rows<Estimate>(file, "estimate");
  const auto take = [&](const char* name, std::string Estimate::*member) {
    file.require_extent(name, {"estimate"});
    const auto words = file.read_text(name);
    for (std::size_t i = 0; i < estimates.size(); ++i) estimates[i].*member = words[i];
  };
  take("set", &Estimate::set);
  take("method", &Estimate::method);
  take("why", &Estimate::why);
  take("label", &Estimate::label);
  return estimates;
}

}  // namespace mixlab::rare
