#include "mixlab/rare/target.h"

#include <boost/test/unit_test.hpp>
#include <set>

#include "one_arm.h"

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(targets)

BOOST_AUTO_TEST_CASE(every_use_and_path_has_noise_of_its_own) {
  const auto experiment = OneArm{}.experiment("tight");
  std::set<std::uint64_t> words = {random::Stream(experiment.stream(0, random::Purpose::noise)).next()};
  for (const char* use : {"twisted", "pilot", "selected", "splitting"})
    for (std::uint64_t path = 0; path < 10; ++path)
      words.insert(mixlab::rare::noise_stream(experiment, use, path).next());
  BOOST_TEST(words.size() == 41);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
