// RARE.h5, and the folder of pieces while it is being computed: each piece a sealed file whose name means done, so that
// the work goes on after a stop, a crash or a kill, and can be shared by processes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mixlab/rare/survey.h"

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
  /// Creates the folder. `notice` hears of damaged pieces, which are set aside and computed again.
  PieceFolder(std::string folder, Identity identity, Notice notice);

  std::optional<Mixture> mixture(int cell) override;
  std::optional<std::vector<PathRow>> rows(const study::Part& part) override;
  std::optional<Splitting> splitting(int cell, const std::string& set, int repetition) override;
  void keep(int cell, const Mixture& mixture) override;
  void keep(const study::Part& part, const std::vector<PathRow>& rows) override;
  void keep(int cell, const std::string& set, int repetition, const Splitting& splitting) override;

  /// Removes the pieces and the folder, unless somebody put other things there.
  void remove();

 private:
  std::string path_of(const std::string& name) const { return folder_ + "/" + name + ".h5"; }

  std::string folder_;
  Identity identity_;
  Notice notice_;
};

/// Throws WriteError.
void write_rare(const std::string& path, const Identity& identity, const std::vector<CellAnswer>& answers);

/// The estimates of a RARE.h5. Throws InputError if it answers another question, DamagedFile if it is not whole.
std::vector<Estimate> read_estimates(const std::string& path, const Identity& identity);

}  // namespace mixlab::rare
