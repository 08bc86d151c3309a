// The folder of pieces while RARE.h5 is being computed: each piece a sealed file whose name means done, so that the work
// goes on after a stop, a crash or a kill, and can be shared by processes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mixlab/rare/identity.h"
#include "mixlab/rare/survey.h"

namespace mixlab::store {
class Reader;
}

namespace mixlab::rare {

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

  /// Removes the pieces, the damaged ones in whose place they were computed, and the folder, unless somebody put other
  /// things there.
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

}  // namespace mixlab::rare
