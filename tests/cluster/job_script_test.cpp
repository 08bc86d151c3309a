#include "mixlab/cluster/job_script.h"

#include <boost/test/unit_test.hpp>

#include "mixlab/core/error.h"
#include "mixlab/core/subprocess.h"

using namespace mixlab::cluster;
using mixlab::call;

namespace {

bool contains(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

JobSettings settings() {
  JobSettings settings;
  settings.program = "/opt/mix lab/mixlab";
  settings.name = "x";
  settings.out = "/data/it's $HERE/@OUT@.h5";
  settings.folder = settings.out + ".jobs";
  settings.n_shards = 8;
  settings.cpus_per_task = 3;
  settings.partition = "short";
  settings.modules = "gcc/12  hdf5";
  settings.more = {"-C", "skylake", "--comment=a \"b\" \\c"};
  settings.warning_seconds = 77;
  settings.max_requeues = 5;
  return settings;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cluster)

BOOST_AUTO_TEST_CASE(scripts_are_shell) {
  for (const auto& script : {array_script(settings()), finish_script(settings())}) {
    const auto answer = call({"bash", "-n", "-c", script});
    BOOST_TEST(answer.code == 0, answer.err << script);
    BOOST_TEST(contains(script, "#SBATCH --partition=short\n"));
    BOOST_TEST(contains(script, "#SBATCH -C skylake \"--comment=a \\\"b\\\" \\\\c\"\n"));
    BOOST_TEST(contains(script, "#SBATCH --chdir=\"/data/it's $HERE/@OUT@.h5.jobs\"\n"));
    BOOST_TEST(contains(script, "module load gcc/12\nmodule load hdf5\n"));
    BOOST_TEST(contains(script, "out='/data/it'\\''s $HERE/@OUT@.h5'\n"));
    BOOST_TEST(!contains(script, "--account"));
    BOOST_TEST(!contains(script, "--allow-mixed"));
  }
  const std::string array = array_script(settings());
  BOOST_TEST(contains(array, "#SBATCH --signal=B:USR1@77\n"));
  BOOST_TEST(contains(array, "#SBATCH --cpus-per-task=3\n"));
  BOOST_TEST(contains(array, "$restarts -lt 5 "));
}

BOOST_AUTO_TEST_CASE(no_line_breaks_for_sbatch) {
  BOOST_CHECK_THROW(sbatch_word("a\nb"), mixlab::InputError);
}

BOOST_AUTO_TEST_CASE(warned_early_enough) {
  BOOST_TEST(warning_for(60) == 20);
  BOOST_TEST(warning_for(600) == 60);
  BOOST_TEST(warning_for(86400) == 120);
}

BOOST_AUTO_TEST_SUITE_END()
