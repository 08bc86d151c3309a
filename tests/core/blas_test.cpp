#include "mixlab/core/blas.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <string>

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(blas)

BOOST_AUTO_TEST_CASE(blas_is_safe_under_threads) {
  prepare_blas();
  const std::string blas = blas_description();
  BOOST_TEST_MESSAGE(blas);
  if (blas.find("OpenBLAS") != std::string::npos) {
    BOOST_TEST(blas.find("serial") == std::string::npos);
    BOOST_TEST(blas.find("; 1 thread") != std::string::npos);
  }
  // the same small products on every thread, compared bit by bit with one thread
  const arma::uword n = 32;
  arma::mat a(n, n), b(n, n);
  for (arma::uword i = 0; i < n * n; ++i) {
    a(i) = std::sin(static_cast<double>(i));
    b(i) = std::cos(3.0 * static_cast<double>(i));
  }
  const arma::mat expected = a * b;
  int n_wrong = 0;
#pragma omp parallel for num_threads(2) reduction(+ : n_wrong)
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const arma::mat product = a * b;
    n_wrong += std::memcmp(product.memptr(), expected.memptr(), n * n * sizeof(double)) != 0;
  }
  BOOST_TEST(n_wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
