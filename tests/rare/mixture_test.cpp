#include "mixlab/rare/mixture.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "seed.h"

using namespace mixlab;
using namespace mixlab::rare;

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(mixtures)

BOOST_AUTO_TEST_CASE(frames_are_orthogonal_and_begin_along_theta) {
  auto stream = test_stream(801);
  for (const arma::uword p : {1u, 2u, 3u, 7u}) {
    arma::vec theta(p);
    for (double& value : theta) value = normal_in(stream);
    const arma::mat frame = frame_of(theta);
    BOOST_TEST(arma::norm(frame.t() * frame - arma::eye(p, p)) < 1e-12);
    BOOST_TEST(arma::norm(frame.col(0) - theta / arma::norm(theta)) < 1e-12);
    BOOST_TEST(arma::norm(frame_of(arma::vec(p, arma::fill::zeros)) - arma::eye(p, p)) == 0);
  }
}

BOOST_AUTO_TEST_CASE(tilts_turn_with_theta) {
  const Mixture mixture{{{{1, 0}, 0}, {{-1, 0}, 0.5}, {{0, 1}, 2}}, {20, 40, 40}};
  const arma::mat tilts = tilt_vectors(mixture, arma::vec{0, 3});
  BOOST_TEST(arma::norm(tilts - arma::mat{{0, 0, -2}, {0, -0.5, 0}}) < 1e-12);
}

BOOST_AUTO_TEST_CASE(paths_go_through_the_components_in_order) {
  const Mixture mixture{{{{1}, 0}, {{1}, 1}, {{1}, 2}}, {20, 40, 60}};
  BOOST_TEST(mixture.total() == 120);
  BOOST_TEST(mixture.component_of(0) == 0);
  BOOST_TEST(mixture.component_of(19) == 0);
  BOOST_TEST(mixture.component_of(20) == 1);
  BOOST_TEST(mixture.component_of(119) == 2);
  BOOST_TEST(std::exp(mixture.log_shares()[1]) == 1.0 / 3, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(sums_of_exponentials_neither_overflow_nor_vanish) {
  const double none = -std::numeric_limits<double>::infinity();
  BOOST_TEST(log_sum_exp({-2000, -2000}) == -2000 + std::log(2.0));
  BOOST_TEST(log_sum_exp({2000, none}) == 2000);
  BOOST_TEST(log_sum_exp({none, none}) == none);
  BOOST_TEST(log_sum_exp({}) == none);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
