#include "mixlab/engine/machine.h"

#include <boost/test/unit_test.hpp>
#include <cstdlib>

using namespace mixlab;
using namespace mixlab::engine;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(machine)

BOOST_AUTO_TEST_CASE(thread_choice) {
  for (const char* name : {"OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK", "SLURM_JOB_ID", "SLURM_CPUS_ON_NODE"})
    unsetenv(name);
  const int all = choose_threads(0);
  BOOST_TEST(all >= 1);
  setenv("SLURM_CPUS_ON_NODE", "7", 1);
  BOOST_TEST(choose_threads(0) == all);  // not in a job
  setenv("SLURM_JOB_ID", "1", 1);
  BOOST_TEST(choose_threads(0) == 7);
  setenv("SLURM_CPUS_PER_TASK", "5", 1);
  BOOST_TEST(choose_threads(0) == 5);
  setenv("OMP_NUM_THREADS", "3,2", 1);
  BOOST_TEST(choose_threads(0) == 3);
  BOOST_TEST(choose_threads(2) == 2);
  setenv("OMP_NUM_THREADS", "x", 1);
  BOOST_TEST(choose_threads(0) == 5);
  for (const char* name : {"OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK", "SLURM_JOB_ID", "SLURM_CPUS_ON_NODE"})
    unsetenv(name);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
