// The place where a study's files live: OUT.h5, and OUT.h5.parts/ while it is being computed. Any number of processes
// may work here at once: a part is written whole or not at all, and one process at a time opens, merges or cleans.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mixlab/engine/facts.h"
#include "mixlab/store/presence.h"
#include "mixlab/store/results_writer.h"
#include "mixlab/study/goal.h"
#include "mixlab/study/plan.h"
#include "mixlab/study/study.h"

namespace mixlab::store {

enum class Missing { refuse, allow };
/// Whether rows made by different programs or processors may stand in one file.
enum class Mixed { refuse, allow };
/// Leftovers of processes on other hosts, whose liveness cannot be checked.
enum class OtherMachines { keep, clean };

struct MergeReport {
  study::RowRanges rows;
  std::int64_t n_wanted = 0;   ///< rows of the study, fewer where cells have stopped
  std::int64_t n_missing = 0;  ///< of them
  std::int64_t n_parts = 0;
  bool written = false;  ///< false: OUT.h5 already held everything, or rows are missing
};

/// A file that `clean` met.
struct Cleaned {
  std::string path;
  bool removed = false;
  std::string why;
};

class Workspace {
 public:
  using Notice = std::function<void(const std::string& words)>;
  /// The goal of a study whose cells may stop, by the rows of OUT.h5 (nullptr: none yet) and of parts.
  using GoalOf = std::function<study::Goal(const study::Study& study, const ResultsFile* results,
                                           const std::vector<RowSource>& parts)>;
  /// A symbolic link is resolved here, once. `notice` hears what a user may want to know.
  explicit Workspace(
      const std::string& out, Notice notice = [](const std::string&) {}, GoalOf goal_of = {});

  const std::string& out() const { return out_; }
  std::string parts_folder() const { return out_ + ".parts"; }

  /// Throws InputError, with the difference, if another study lives here or the place is impossible. Writes nothing.
  void require_same_study(const study::Study& study) const;
  /// Throws InputError if rows are here whose last bits this program would not reproduce: the merged ones and those of one
  /// part are looked at; merge looks at all.
  void require_same_numerics(const std::string& numerics) const;
  /// Creates the folder of parts, removes what dead processes of this machine left behind and makes this process
  /// present there, as long as it keeps what is returned. Shards that find it prepared take no lock and do not clean:
  /// thousands may begin at once. Throws WriteError.
  Presence open_for(const study::Study& study, study::Shard shard = {}) const;

  /// The study that lives here, the largest if OUT.h5 and `folders` know it in several sizes. Throws InputError if there
  /// is none.
  study::Study stored_study(const std::vector<std::string>& folders = {}) const;

  /// Trajectories per cell that the study asked for when it was first run here; 0 if there are rows of a program that
  /// did not keep the number.
  std::int64_t n_declared(const study::Study& study) const;

  /// Parts present in `folder`, by name alone.
  static std::vector<RowSource> parts_in(const std::string& folder);
  /// Parts that processes are writing, as far as can be seen from here; a part has a file once its first rows are there.
  std::vector<study::Part> parts_at_work() const;
  /// Rows in OUT.h5 and in the folder of parts.
  study::RowRanges done() const;
  /// What is to be computed, by the same rows.
  study::Goal goal(const study::Study& study) const;
  /// Whether OUT.h5 holds all rows of the study.
  bool complete(const study::Study& study) const;

  /// Renames damaged parts of the shard to NAME.damaged, with a notice, so that they are computed again. Throws InputError
  /// for a part of another study. A shard reads no more than its own share: they may be thousands.
  void set_aside_damaged(const study::Study& study, const std::vector<std::int64_t>& part_sizes,
                         study::Shard shard = {}) const;

  /// Adds a line to the log of runs. Each shard has its own: network file systems lose lines that two machines append
  /// to one file.
  void log(const std::string& line, study::Shard shard = {}) const;

  /// Assembles OUT.h5 from itself and the parts in `folders`; verifies the new file, then deletes those parts that lie
  /// in our own folder. With `Missing::refuse` and rows missing, writes nothing: the report says which rows there are.
  MergeReport merge(const study::Study& study, const std::vector<engine::CellFacts>& cells,
                    const std::vector<std::string>& folders, Missing missing, Mixed mixed) const;

  /// Removes what nobody needs: temporaries of dead processes, parts whose rows OUT.h5 holds, damaged parts that were
  /// set aside. Says of each file what it did, and of temporaries and parts that stay, why. Throws InputError if no
  /// study lives here.
  std::vector<Cleaned> clean(OtherMachines others) const;

 private:
  study::Goal goal(const study::Study& study, const ResultsFile* results, const std::vector<RowSource>& parts) const;
  MergeReport merge_once(const study::Study& study, const std::vector<engine::CellFacts>& cells,
                         const std::vector<std::string>& folders, Missing missing, Mixed mixed) const;
  /// Renames a damaged part, with a notice; looks once more, so that one that was read badly keeps its name.
  void set_aside(const RowSource& source, const study::Study& study) const;
  /// Whether a part that was set aside is whole; if so it has its name again, unless another has it by now. Throws what
  /// PartFile throws where that cannot be seen, and SystemError where it cannot be renamed.
  bool restored(const std::string& aside, const study::Part& part, const study::Study& study) const;
  /// Removes one that is damaged for certain.
  Cleaned clean_aside(const std::string& aside, const study::Study& study) const;
  /// Temporaries and presences of processes that are no more.
  std::vector<Cleaned> remove_leftovers(OtherMachines others) const;
  /// Those of exports beside OUT.h5 and of its report.
  void remove_leftovers_of_readers(OtherMachines others, std::vector<Cleaned>& all) const;
  /// Of the parts in our own folder those that are in OUT.h5; after the last one, all else that we put there, unless
  /// somebody needs it to add more.
  void remove_merged(const study::Study& study, const std::vector<RowSource>& sources) const;
  void remove_the_rest(const study::Study& study) const;
  std::function<void(const std::string&)> wait_notice() const;

  std::string out_;
  Notice notice_;
  GoalOf goal_of_;
};

/// Throws InputError unless the folder exists that is to hold `path`, WriteError if one may not enter it.
void require_folder_of(const std::string& path);

/// Where the report on OUT.h5 goes if nobody says otherwise: OUT-report.
std::string report_folder(const std::string& out);

/// Throws WriteError if the file system of `path` has less than `bytes` free.
void check_free_space(const std::string& path, double bytes);

}  // namespace mixlab::store
