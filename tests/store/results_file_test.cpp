#include "mixlab/store/results_file.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "folder.h"
#include "mixlab/core/error.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/sealed_file.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(results_file)

// tests/compat/study.cfg, written by both versions of the format: what it says must not depend on which.
BOOST_AUTO_TEST_CASE(old_files_say_the_same) {
  using Words = std::vector<std::string>;
  const ResultsFile one(MIXLAB_SOURCE_DIR "/tests/compat/results-1.h5");
  const ResultsFile two(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  BOOST_TEST(one.version() == 1);
  BOOST_TEST(two.version() == 2);
  for (const ResultsFile* results : {&one, &two}) {
    BOOST_TEST(results->n_cells() == 4);
    BOOST_TEST(results->n_trajectories() == 60);
    BOOST_TEST(results->completed().count() == 240);
    BOOST_TEST(results->sets() == (Words{"paper", "oful", "otc"}), boost::test_tools::per_element());
    BOOST_TEST(results->swept() == (Words{"study.horizon", "policy.name"}), boost::test_tools::per_element());
    BOOST_TEST(
        results->sweep() == (Words{"40", "mixing-linucb", "40", "linucb", "90", "mixing-linucb", "90", "linucb"}),
        boost::test_tools::per_element());
    BOOST_TEST(results->caveats().size() == 4u);
    BOOST_TEST(results->parameters().at("noise.rho").at(2) == "0.9");
    BOOST_TEST(results->why_not_guaranteed().at(0) == "");  // paper on the data of mixing-linucb
    BOOST_TEST(results->why_not_guaranteed().at(1) != "");  // oful
    BOOST_TEST(std::isnan(results->exponent_in_horizon().at(1)));
  }
  BOOST_TEST(one.n_declared().at(3) == 0);  // version 1 did not store it
  BOOST_TEST(two.n_declared().at(3) == 60);
  BOOST_TEST(one.why_not_guaranteed() == two.why_not_guaranteed(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ranges_are_whole_chunks_and_cover_all) {
  const ResultsFile results(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  std::int64_t next = 0;
  results.for_each_range([&](std::int64_t first, std::int64_t end) {
    BOOST_TEST(first == next);
    BOOST_TEST(end > first);
    next = end;
  });
  BOOST_TEST(next == 60);
}

BOOST_AUTO_TEST_CASE(ranges_are_read_ahead) {
  const ResultsFile results(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  const auto numbers = [&](std::int64_t first, std::int64_t end) {
    return results.file().read<std::int64_t>("trajectory", {static_cast<hsize_t>(first)},
                                             {static_cast<hsize_t>(end - first)});
  };
  std::int64_t next = 0;
  results.for_each_range(numbers, [&](std::int64_t first, const std::vector<std::int64_t>& range) {
    BOOST_TEST(first == next);
    for (const std::int64_t number : range) BOOST_TEST(number == next++);
  });
  BOOST_TEST(next == 60);
  const auto fail = [&](std::int64_t, std::int64_t) { return results.file().read<double>("nothing"); };
  BOOST_CHECK_THROW(results.for_each_range(fail, [](std::int64_t, const auto&) {}), InputError);
}

BOOST_AUTO_TEST_CASE(other_files_are_refused) {
  const Folder folder;
  const auto write = [&](const char* format, std::int64_t version) {
    Writer file = Writer::in_memory();
    file.attribute("format", format);
    file.attribute("format_version", version);
    write_sealed(folder / "x.h5", file.image());
  };
  write("mixlab trace", 2);
  BOOST_CHECK_THROW(ResultsFile(folder / "x.h5"), InputError);
  write("mixlab results", format_version + 1);
  BOOST_CHECK_THROW(ResultsFile(folder / "x.h5"), InputError);
  write("mixlab results", format_version);  // and nothing in it
  BOOST_CHECK_THROW(ResultsFile(folder / "x.h5"), InputError);
}

BOOST_AUTO_TEST_CASE(columns_of_keys) {
  BOOST_TEST(column_name("noise.rho") == "noise_rho");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
