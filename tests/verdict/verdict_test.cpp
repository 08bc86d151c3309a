#include "mixlab/verdict/verdict.h"

#include <boost/test/unit_test.hpp>

#include "folder.h"
#include "message.h"
#include "mixlab/core/error.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/engine/facts.h"
#include "mixlab/store/results_writer.h"

using namespace mixlab;
using namespace mixlab::verdict;

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(whole)

BOOST_AUTO_TEST_CASE(a_file_without_rows_is_refused) {
  const study::Study study(study::parse_study_text("[noise]\nrho = 0.5\n", "study.cfg"));
  const auto cells = engine::facts_of(engine::make_experiments(study));
  const auto path = std::filesystem::temp_directory_path() / ("mixlab-no-rows-" + std::to_string(getpid()) + ".h5");
  store::write_results(path, {study, cells, nullptr, {}, "", "", 1000});
  BOOST_CHECK_EXCEPTION(check(store::ResultsFile(path), 0.05, {}), InputError, [](const InputError& error) {
    return std::string(error.what()).starts_with("nothing to judge: ");
  });
  std::filesystem::remove(path);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
