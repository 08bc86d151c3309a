#include "mixlab/store/version_one.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/store/results_file.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(version_one_files)

BOOST_AUTO_TEST_CASE(from_the_text_of_a_study) {
  const std::string text =
      "[study]\ntitle = One, two\ntrajectories = 77\nhorizon = 10, 20\n[noise]\nrho = 0.5, 0.9\nsigma = 1\n"
      "[expect]\npaper = holds; any if noise.rho=0.5, 0.9\n";
  BOOST_TEST(version_one::swept(text, "x.h5") == (std::vector<std::string>{"study.horizon", "noise.rho"}),
             boost::test_tools::per_element());
}

// What version 2 stores was computed by the engine; what is read back from version 1 must agree.
BOOST_AUTO_TEST_CASE(as_version_two_has_it) {
  const ResultsFile one(MIXLAB_SOURCE_DIR "/tests/compat/results-1.h5");
  const ResultsFile two(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  BOOST_TEST(version_one::sweep(one) == two.sweep(), boost::test_tools::per_element());
  BOOST_TEST(version_one::why_not_guaranteed(one) == two.why_not_guaranteed(), boost::test_tools::per_element());
  const auto exponents = version_one::exponent_in_horizon(one), memory = version_one::exponent_in_memory(one);
  for (std::size_t cell = 0; cell < exponents.size(); ++cell) {
    const double theirs = two.exponent_in_horizon()[cell];
    BOOST_TEST((exponents[cell] == theirs || (std::isnan(exponents[cell]) && std::isnan(theirs))), "cell " << cell);
    BOOST_TEST(std::isnan(memory[cell]) == std::isnan(two.exponent_in_memory()[cell]), "cell " << cell);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
