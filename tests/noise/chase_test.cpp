#include "mixlab/noise/chase.h"

#include <boost/test/unit_test.hpp>

#include "checks.h"

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(chase)

BOOST_AUTO_TEST_CASE(push) {
  const double Lambda[] = {2, 0, 0, 0}, sum[] = {3, 0}, x[] = {0.5, 7};
  BOOST_TEST(std::abs(mixlab::noise::push_along(Lambda, sum, x, 2) - 0.75) <= 1e-15);
  const double regular[] = {2, 1, 1, 3}, both[] = {1, 4};  // solution (-0.2, 1.4)
  BOOST_TEST(std::abs(mixlab::noise::push_along(regular, both, x, 2) - 9.7) <= 1e-13);
  const double nearly[] = {2, 0, 0, 1e-9}, off[] = {2, 1};  // of 1e-9 of the trace, at most: counts as 0
  BOOST_TEST(std::abs(mixlab::noise::push_along(nearly, off, x, 2) - 0.5) <= 1e-13);
}

BOOST_AUTO_TEST_CASE(the_process_says_how_it_chases) {
  Values parameters;
  parameters.set("frozen", 0.6);
  parameters.set("lag", std::int64_t{4});
  parameters.set("law", std::string("rademacher"));
  const auto process = make_process("sign-chasing", parameters);
  const auto* chasing = dynamic_cast<const mixlab::noise::ChasingProcess*>(process.get());
  BOOST_REQUIRE(chasing);
  const mixlab::noise::Chase chase = chasing->chase();
  BOOST_TEST(chase.frozen == 0.6);
  BOOST_TEST(chase.lag == 4);
  const std::uint64_t words[] = {~std::uint64_t{0}, 0};
  double xi[2];
  chase.draw_all(std::span<const std::uint64_t>(words), std::span<double>(xi));
  BOOST_TEST(xi[0] == 1);
  BOOST_TEST(xi[1] == -1);
  BOOST_TEST(std::abs(chase.weight() - 0.8) <= 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
