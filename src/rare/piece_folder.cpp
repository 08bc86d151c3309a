#include "mixlab/rare/piece_folder.h"

#include <cstdio>
#include <filesystem>

#include "mixlab/core/file.h"
#include "mixlab/core/text.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/output_place.h"
#include "mixlab/store/sealed_file.h"
#include "variables.h"

namespace mixlab::rare {
namespace {

namespace fs = std::filesystem;

constexpr const char* damaged_mark = ".damaged";

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

/// A piece, and before it the damaged one in whose place it was computed.
void remove_piece(const std::string& path) {
  std::error_code error;
  fs::remove(path + damaged_mark, error);
  fs::remove(path, error);
}

std::vector<std::string> piece_names_in(const std::string& folder) {
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [](const std::string& name) {
    return !name.ends_with(".h5") || !(name.starts_with("mixture-") || name.starts_with("twisted-") ||
                                       name.starts_with("selected-") || name.starts_with("splitting-"));
  });
  return names;
}

}  // namespace

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
  if (!is_there(path, Links::refused)) return {};
  try {
    return read_piece(path, identity_.question, fits, get);
  } catch (const store::DamagedFile&) {
    fs::rename(path, path + damaged_mark);
    notice_("damaged piece set aside: " + path + damaged_mark + "; it is computed again");
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
  store::Writer file = begin_file(identity_, piece_format);
  put_mixtures(file, {{cell, &mixture}});
  store::write_sealed(path_of(mixture_name(cell)), file.image());
}

void PieceFolder::keep(const study::Part& part, const std::vector<PathRow>& rows) {
  store::Writer file = begin_file(identity_, piece_format);
  file.dimension("path", part.first, part.size(), "path of the cell");
  file.dimension("target", 0, static_cast<std::int64_t>(rows.front().log_weight.size()), "set and level");
  put_rows(file, "path", rows);
  store::write_sealed(path_of(part_name(part)), file.image());
}

void PieceFolder::keep(const RepetitionName& name, const Repetition& repetition) {
  store::Writer file = begin_file(identity_, piece_format);
  file.attribute("n_paths", repetition.n_paths);
  file.dimension("level", 0, static_cast<std::int64_t>(repetition.log_estimates.size()), "levels of the question");
  file.put<double>("log_estimate", {"level"}, std::span<const double>(repetition.log_estimates),
                   "natural log of the estimate; -inf if all paths died");
  store::write_sealed(path_of(repetition_name(name)), file.image());
}

void PieceFolder::remove() {
  for (const auto& name : piece_names_in(folder_)) remove_piece(folder_ + "/" + name);
  std::error_code error;
  fs::remove(folder_, error);  // if it is empty
}

void remove_pieces(const std::string& folder, const Identity& identity) {
  for (const auto& name : piece_names_in(folder)) {
    try {
      const std::string path = folder + "/" + name;
      require_question(store::open_guarded(path, Links::refused), piece_format, identity.question, "pieces");
      remove_piece(path);
    } catch (const InputError&) {  // not ours
    }
  }
  store::remove_leftovers_in(folder, "", store::OtherMachines::keep);
  std::error_code error;
  fs::remove(folder, error);  // if it is empty
}

}  // namespace mixlab::rare
