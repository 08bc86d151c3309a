// RARE.h5, and the folder of pieces while it is being computed: each piece a sealed file whose name means done, so that
// the work goes on after a stop, a crash or a kill, and can be shared by processes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mixlab/rare/survey.h"

namespace mixlab::store {
class Reader;
}

namespace mixlab::rare {

/// Which question pieces and files answer: everything that the numbers depend on.
struct Identity {
  std::string question;  ///< a hash
  std::string study_hash;
  std::string study_text;  ///< effective
  std::string numerics;    ///< what last bits depend on
};
Identity identify(const study::Study& study, const std::vector<engine::Experiment>& experiments,
                  const Question& question);

/// Pieces as files in a folder.
class PieceFolder final : public Pieces {
 public:
  using Notice = std::function<void(const std::string& words)>;
  /// Creates the folder. `notice` hears of damaged pieces and of those that do not fit, which are set aside and computed
  /// again.
  PieceFolder(std::string folder, Identity identity, Notice notice);

  std::optional<Mixture> mixture(int cell, const Fits<Mixture>& fits) override;
  std::optional<std::vector<PathRow>> rows(const study::Part& part, const Fits<std::vector<PathRow>>& fits) override;
  std::optional<Repetition> repetition(const RepetitionName& name, const Fits<Repetition>& fits) override;
  void keep(int cell, const Mixture& mixture) override;
  void keep(const study::Part& part, const std::vector<PathRow>& rows) override;
  void keep(const RepetitionName& name, const Repetition& repetition) override;

  /// Removes the pieces and the folder, unless somebody put other things there.
  void remove();

 private:
  std::string path_of(const std::string& name) const { return folder_ + "/" + name + ".h5"; }
  template <class Piece>
  std::optional<Piece> find(const std::string& name, const Fits<Piece>& fits,
                            const std::function<Piece(const store::Reader& file)>& get);

  std::string folder_;
  Identity identity_;
  Notice notice_;
};

/// Removes the pieces of this question in a folder, and the folder if nothing else is there.
void remove_pieces(const std::string& folder, const Identity& identity);

/// Throws WriteError.
void write_rare(const std::string& path, const Identity& identity, const std::vector<CellAnswer>& answers);

/// The estimates of a RARE.h5. Throws InputError if it answers another question, DamagedFile if it is not whole or holds something else.
std::vector<Estimate> read_estimates(const std::string& path, const Identity& identity);

}  // namespace mixlab::rare
