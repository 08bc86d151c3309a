// OUT.h5.jobs: the job scripts of a study, their logs, and the list of jobs that were submitted. It stays when the
// parts are merged and gone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mixlab::cluster {

inline constexpr std::int64_t most_shards = 100'000;  ///< of a study

/// An array of shards that was submitted, or the job that finishes.
struct SubmittedJob {
  enum class Kind { array, finish };

  Kind kind = Kind::array;
  std::string id;
  std::int64_t n_shards = 1;          ///< into which the study was cut
  std::int64_t offset = 0;            ///< an array's task i is shard offset + i
  std::vector<std::int64_t> indices;  ///< of an array
};

class JobFolder {
 public:
  explicit JobFolder(const std::string& out);

  const std::string& path() const { return path_; }
  std::string array_script_path() const { return path_ + "/array.sh"; }
  std::string finish_script_path() const { return path_ + "/finish.sh"; }
  std::string finish_log_path() const { return path_ + "/finish.log"; }
  std::string log_path(std::int64_t shard) const;
  /// The name of the logs of an array that begins at `offset`, as sbatch fills it in. `largest_array` is a power of ten.
  static std::string log_pattern(std::int64_t offset, std::int64_t largest_array);

  /// In the order of submission; empty if there were none. Lines that mixlab would not write are passed over; throws
  /// InputError if there are absurdly many tasks.
  std::vector<SubmittedJob> jobs() const;
  /// Throws WriteError, InputError if another user made a link there.
  void create() const;
  void add(const SubmittedJob& job) const;

 private:
  std::string path_;
};

}  // namespace mixlab::cluster
