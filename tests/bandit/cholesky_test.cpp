#include "mixlab/bandit/cholesky.h"

#include <boost/test/unit_test.hpp>

#include "seed.h"

using namespace mixlab;
using namespace mixlab::bandit;

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(cholesky)

BOOST_AUTO_TEST_CASE(agrees_with_lapack) {
  random::Stream stream = test_stream(33);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const auto p = static_cast<arma::uword>(integer_in(stream, 1, 20));
    arma::mat root(p, p + 3);
    arma::vec b(p);
    for (double& x : root) x = normal_in(stream);
    for (double& x : b) x = normal_in(stream);
    const double shift = uniform_in(stream, 0, 2);
    const arma::mat A = root * root.t();
    const arma::mat shifted = A + shift * arma::eye(p, p);
    Cholesky factor;
    BOOST_REQUIRE(factor.factor(A, shift));
    const arma::vec expected = arma::solve(shifted, b);
    BOOST_TEST(arma::norm(factor.solve(b) - expected) <= 1e-9 * arma::norm(expected));
    BOOST_TEST(std::abs(factor.inverse_norm2(b.memptr()) - arma::dot(b, expected)) <= 1e-9 * arma::dot(b, expected));
    const double inverse_trace = arma::trace(arma::inv(shifted));
    BOOST_TEST(std::abs(factor.inverse_trace() - inverse_trace) <= 1e-9 * inverse_trace);
    BOOST_TEST(std::abs(factor.log_determinant() - arma::log_det_sympd(shifted)) <=
               1e-10 * std::max(1.0, std::abs(factor.log_determinant())));
  }
}

BOOST_AUTO_TEST_CASE(refuses_singular_matrices) {
  Cholesky factor;
  BOOST_TEST(!factor.factor(arma::mat(3, 3, arma::fill::zeros)));
  const arma::vec x = {1, 2, 3};
  BOOST_TEST(!factor.factor(x * x.t(), 0, 1e-9 * 14));
  BOOST_TEST(factor.factor(x * x.t(), 0.1));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
