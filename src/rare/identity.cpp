#include "mixlab/rare/identity.h"

#include "mixlab/core/hash.h"
#include "mixlab/core/text.h"
#include "mixlab/engine/machine.h"

namespace mixlab::rare {

Identity identify(const study::Study& study, const std::vector<engine::Experiment>& experiments,
                  const Question& question) {
  Identity identity{"", study.hash(), study.effective_text(),
                    engine::numerics(engine::Engine::reference, study.entries())};
  std::string text = "rare 3\n" + identity.study_hash + "\n" + identity.numerics + "\n" +
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

}  // namespace mixlab::rare
