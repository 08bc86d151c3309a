#include "noise/fourier.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "mixlab/random/sampler.h"
#include "mixlab/random/stream.h"
#include "seed.h"

using mixlab::noise::ComplexVector;
using mixlab::noise::Fourier;

namespace {

ComplexVector random_numbers(std::size_t n) {
  mixlab::random::Stream stream({mixlab::test_seed(), 170, n, mixlab::random::Purpose::noise});
  ComplexVector x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x.re[i] = 2 * mixlab::random::uniform(stream.next()) - 1;
    x.im[i] = 2 * mixlab::random::uniform(stream.next()) - 1;
  }
  return x;
}

/// Term by term, in higher precision.
ComplexVector by_definition(const ComplexVector& x, int sign) {
  const std::size_t n = x.re.size();
  ComplexVector sums(n);
  for (std::size_t k = 0; k < n; ++k) {
    long double re = 0, im = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const long double angle = sign * 2 * std::numbers::pi_v<long double> * static_cast<long double>(j * k % n) /
                                static_cast<long double>(n);
      const long double c = std::cos(angle), s = std::sin(angle);
      re += x.re[j] * c - x.im[j] * s;
      im += x.re[j] * s + x.im[j] * c;
    }
    sums.re[k] = static_cast<double>(re);
    sums.im[k] = static_cast<double>(im);
  }
  return sums;
}

double distance(const ComplexVector& x, const ComplexVector& y) {
  double largest = 0;
  for (std::size_t i = 0; i < x.re.size(); ++i)
    largest = std::max(largest, std::hypot(x.re[i] - y.re[i], x.im[i] - y.im[i]));
  return largest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(fourier)

BOOST_AUTO_TEST_CASE(transforms_are_the_sums_that_define_them) {
  for (std::size_t n = 2; n <= 2048; n *= 2) {
    const Fourier fourier(n);
    const ComplexVector x = random_numbers(n);
    ComplexVector forth = x, back = x, room(n);
    fourier.transform(forth, room);
    fourier.transform_back(back, room);
    const double tolerance = 2e-15 * std::sqrt(static_cast<double>(n)) * std::log2(2.0 * static_cast<double>(n));
    BOOST_TEST(distance(forth, by_definition(x, -1)) < tolerance);
    BOOST_TEST(distance(back, by_definition(x, 1)) < tolerance);
    if (n > 2) BOOST_TEST(distance(forth, by_definition(x, 1)) > 0.1);  // power: the wrong direction
  }
}

BOOST_AUTO_TEST_CASE(large_ones_come_back) {
  const std::size_t n = 1 << 16;
  const Fourier fourier(n);
  const ComplexVector x = random_numbers(n);
  ComplexVector y = x, room(n);
  fourier.transform(y, room);
  BOOST_TEST(distance(x, y) > 1);
  fourier.transform_back(y, room);
  for (std::size_t i = 0; i < n; ++i) {
    y.re[i] /= static_cast<double>(n);
    y.im[i] /= static_cast<double>(n);
  }
  BOOST_TEST(distance(x, y) < 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
