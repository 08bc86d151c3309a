// The place where a study's files live: OUT.h5, and OUT.h5.parts/ while it is being computed.
#pragma once

#include <string>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/store/results_file.h"
#include "mixlab/study/plan.h"
#include "mixlab/study/study.h"

namespace mixlab::store {

enum class Missing { refuse, allow };
/// Whether rows made by different programs or processors may stand in one file.
enum class Mixed { refuse, allow };

struct MergeReport {
  study::Rows rows;
  std::int64_t n_parts = 0;
  bool written = false;  ///< false: OUT.h5 already held everything, or rows are missing
};

class Workspace {
 public:
  /// A symbolic link is followed once and for all.
  explicit Workspace(const std::string& out);

  const std::string& out() const { return out_; }
  std::string parts_folder() const { return out_ + ".parts"; }

  /// Throws InputError, with the difference, if another study lives here or the place is impossible. Writes nothing.
  void require_same_study(const study::Study& study) const;
  /// Throws InputError if rows are here whose last bits this program would not reproduce.
  void require_same_numerics(const std::string& numerics) const;
  /// Creates the folder of parts and removes what dead processes of this machine left behind. Throws WriteError.
  void open_for(const study::Study& study) const;

  /// The study that lives here, the largest if OUT.h5 and `folders` know it in several sizes. Throws InputError if there
  /// is none.
  study::Study stored_study(const std::vector<std::string>& folders = {}) const;

  /// Parts present in `folder`, by name alone.
  static std::vector<RowSource> parts_in(const std::string& folder);
  /// Rows in OUT.h5 and in the folder of parts.
  study::Rows done() const;
  /// Whether OUT.h5 holds all rows of the study.
  bool complete(const study::Study& study) const;

  /// Renames damaged parts of the shard to NAME.damaged, so that they are computed again; returns a word about each.
  /// Throws InputError for a part of another study. A shard reads no more than its own share: they may be thousands.
  std::vector<std::string> set_aside_damaged(const study::Study& study, const std::vector<std::int64_t>& part_sizes,
                                             study::Shard shard = {}) const;

  /// Adds a line to the log of runs. Each shard has its own: network file systems lose lines that two machines append
  /// to one file.
  void log(const std::string& line, study::Shard shard = {}) const;

  /// Assembles OUT.h5 from itself and the parts in `folders`; verifies the new file, then deletes the parts in our own
  /// folder. With `Missing::refuse` and rows missing, writes nothing: the report says which rows there are.
  MergeReport merge(const study::Study& study, const std::vector<engine::Experiment>& experiments,
                    const std::vector<std::string>& folders, Missing missing, Mixed mixed) const;

 private:
  MergeReport merge_once(const study::Study& study, const std::vector<engine::Experiment>& experiments,
                         const std::vector<std::string>& folders, Missing missing, Mixed mixed) const;
  void remove_leftovers() const;
  void remove_parts() const;

  std::string out_;
};

/// Throws WriteError if the file system of `path` has less than `bytes` free.
void check_free_space(const std::string& path, double bytes);

}  // namespace mixlab::store
