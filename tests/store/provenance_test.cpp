#include "mixlab/store/provenance.h"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <map>

#include "message.h"
#include "mixlab/core/process_id.h"
#include "mixlab/core/program.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(provenance)

BOOST_AUTO_TEST_CASE(a_line_per_run) {
  for (const char* name : {"SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID", "SLURM_ARRAY_TASK_ID", "PBS_JOBID", "LSB_JOBID"})
    unsetenv(name);
  const std::string line = run_line("started", 8);
  BOOST_TEST(line.substr(10, 1) == "T");
  BOOST_TEST(line.substr(19, 10) == "Z started ");
  BOOST_TEST(contains(line, " host=" + host_name() + " "));
  BOOST_TEST(line.ends_with(" threads=8 job=none\n"));
  setenv("SLURM_JOB_ID", "18", 1);
  setenv("SLURM_ARRAY_JOB_ID", "17", 1);
  setenv("SLURM_ARRAY_TASK_ID", "3", 1);
  BOOST_TEST(run_line("ended", 8).ends_with(" job=17_3\n"));
  for (const char* name : {"SLURM_ARRAY_JOB_ID", "SLURM_JOB_ID", "SLURM_ARRAY_TASK_ID"}) unsetenv(name);
}

BOOST_AUTO_TEST_CASE(many_lines_in_short) {
  const auto summary = summarise_runs(
      "2026-01-02T00:00:00Z started host=b pid=1 threads=8 job=17\n"
      "2026-01-01T00:00:00Z started host=a pid=2 threads=8 job=none\n\n"
      "2026-01-03T00:00:00Z ended host=b pid=1 threads=8 job=17\n");
  const std::map<std::string, std::string> got(summary.begin(), summary.end());
  const std::map<std::string, std::string> expected = {{"start", "2026-01-01T00:00:00Z"},
                                                       {"end", "2026-01-03T00:00:00Z"},
                                                       {"machine", "a b"},
                                                       {"threads", "8"},
                                                       {"job_id", "17 none"}};
  BOOST_TEST((got == expected));
}

BOOST_AUTO_TEST_CASE(the_program_says_what_it_is) {
  const auto all = program_provenance();
  std::map<std::string, std::string> facts(all.begin(), all.end());
  for (const auto& [name, text] : facts) BOOST_TEST(!text.empty(), name);
  BOOST_TEST(facts.at("program") == "mixlab-unit-tests");
  BOOST_TEST(facts.at("program_hash") == program_hash());
  BOOST_TEST((facts.at("git_dirty") == "yes" || facts.at("git_dirty") == "no"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
