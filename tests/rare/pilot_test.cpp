#include "mixlab/rare/pilot.h"

#include <boost/test/unit_test.hpp>

#include "mixlab/core/attachments.h"
#include "mixlab/core/error.h"
#include "one_arm.h"

using namespace mixlab;
using namespace mixlab::rare;

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(pilots)

BOOST_AUTO_TEST_CASE(paths_are_allotted_in_whole_batches) {
  const std::vector<Component> components = {{{1}, 0}, {{1}, 1}, {{-1}, 1}, {{1}, 2}};
  const Mixture mixture = allot(components, {0, 3, 1, 0}, 2000);
  BOOST_TEST(mixture.components == components);
  BOOST_TEST(mixture.n_paths == (std::vector<std::int64_t>{100, 1400, 480, 20}), boost::test_tools::per_element());
  BOOST_TEST(allot(components, {1, 0, 0, 0}, 2000).n_paths.front() ==
             1940);  // nothing but the process itself is needed
  for (const std::int64_t n : allot(components, {0, 0, 0, 0}, 30).n_paths) BOOST_TEST(n == 20);
}

BOOST_AUTO_TEST_CASE(the_mixture_does_not_depend_on_threads) {
  const OneArm arm{.rho = 0.5, .d = 3, .T = 60};
  const auto experiment = arm.experiment("tight");
  const Mixture one = choose_mixture(experiment, {{0, 0.05}}, 400, 1),
                two = choose_mixture(experiment, {{0, 0.05}}, 400, 2);
  BOOST_TEST((one.components == two.components));
  BOOST_TEST(one.n_paths == two.n_paths, boost::test_tools::per_element());
  BOOST_TEST(one.components.front().eta == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
