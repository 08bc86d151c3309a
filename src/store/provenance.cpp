#include "mixlab/store/provenance.h"
#include "mixlab/core/blas.h"

#include <armadillo>
#include <boost/version.hpp>
#include <cstdlib>
#include <ctime>
#include <set>
#include <sstream>

#include "mixlab/core/parameter.h"
#include "mixlab/core/process_id.h"
#include "mixlab/core/program.h"
#include "mixlab/core/text.h"
#include "mixlab/core/version.h"
#include "mixlab/store/hdf5.h"

namespace mixlab::store {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string run_line(const std::string& event, int n_threads) {
  const ProcessId self = ProcessId::self();
  std::string job;
  for (const char* name : {"SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"})
    if (const char* id = std::getenv(name); id && job.empty()) job = id;
  if (const char* task = std::getenv("SLURM_ARRAY_TASK_ID"); task && !job.empty()) job += std::string("_") + task;
  return visible(utc_now() + " " + event + " host=" + self.host + " pid=" + std::to_string(self.pid) +
                 " threads=" + std::to_string(n_threads) + " job=" + (job.empty() ? "none" : job) + "\n");
}

std::vector<std::pair<std::string, std::string>> summarise_runs(const std::string& lines) {
  std::istringstream stream(lines);
  std::string line;
  std::string start;
  std::string end;
  std::set<std::string> hosts, threads, jobs;
  while (std::getline(stream, line)) {
    const auto words = split_blanks(line);
    if (words.empty()) continue;
    if (start.empty() || words[0] < start) start = words[0];
    if (words[0] > end) end = words[0];
    for (const auto& word : words) {
      if (word.starts_with("host=")) hosts.insert(word.substr(5));
      if (word.starts_with("threads=")) threads.insert(word.substr(8));
      if (word.starts_with("job=")) jobs.insert(word.substr(4));
    }
  }
  const auto all = [](const std::set<std::string>& words) { return join({words.begin(), words.end()}, " "); };
  return {{"start", start}, {"end", end}, {"machine", all(hosts)}, {"threads", all(threads)}, {"job_id", all(jobs)}};
}

std::vector<std::pair<std::string, std::string>> program_provenance() {
  const auto arma = arma::arma_version();
  return {{"mixlab_version", version()},
          {"program", program_name()},
          {"program_hash", program_hash()},
          {"git_commit", git_commit()},
          {"git_dirty", git_dirty() ? "yes" : "no"},
          {"compiler", compiler()},
          {"hdf5_version", hdf5_version()},
          {"boost_version", BOOST_LIB_VERSION},
          {"armadillo_version",
           std::to_string(arma.major) + "." + std::to_string(arma.minor) + "." + std::to_string(arma.patch)},
          {"blas", blas_description()}};
}

}  // namespace mixlab::store
