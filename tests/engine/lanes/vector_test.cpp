#define MIXLAB_LANES vector_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/vector.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::vector_test;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(elementwise_operations) {
  random::Stream stream = test_stream(7101);
  for (int i = 0; i < 200; ++i) {
    const V a = random_lanes(stream, -2, 2), b = random_lanes(stream, -2, 2), c = random_lanes(stream, 0, 2);
    const V chosen = select(a <= b, a, c);
    for (int l = 0; l < width; ++l) {
      BOOST_TEST((a + b)[l] == a[l] + b[l]);
      BOOST_TEST((a - 0.5)[l] == a[l] - 0.5);
      BOOST_TEST((2.0 * a)[l] == 2 * a[l]);
      BOOST_TEST((a / c)[l] == a[l] / c[l]);
      BOOST_TEST((-a)[l] == -a[l]);
      BOOST_TEST(fma(a, b, c)[l] == std::fma(a[l], b[l], c[l]));
      BOOST_TEST(fnma(a, b, c)[l] == std::fma(-a[l], b[l], c[l]));
      BOOST_TEST(sqrt(c)[l] == std::sqrt(c[l]));
      BOOST_TEST(abs(a)[l] == std::abs(a[l]));
      BOOST_TEST(max(a, b)[l] == std::max(a[l], b[l]));
      BOOST_TEST(min(a, b)[l] == std::min(a[l], b[l]));
      BOOST_TEST(chosen[l] == (a[l] <= b[l] ? a[l] : c[l]));
    }
  }
  V one = 0.0;
  one.set(width - 1, 1.0);
  BOOST_TEST(any(one > 0.0));
  BOOST_TEST(!all(one > 0.0));
  BOOST_TEST(all((!(one > 0.0)) | (one >= 1.0)));
  BOOST_TEST(!any((one > 0.0) & (one < 1.0)));
}

BOOST_AUTO_TEST_CASE(logarithm) {
  random::Stream stream = test_stream(7102);
  BOOST_TEST(log_above_one(V(1.0))[0] == 0);
  for (int i = 0; i < 20000; ++i) {
    const V near_one = 1.0 + random_lanes(stream, 0, 1) * random_lanes(stream, 0, 1) * 1e-3;
    V x = random_lanes(stream, 0, 700);
    for (int l = 0; l < width; ++l) x.set(l, std::exp(x[l]));
    for (int l = 0; l < width; ++l) {
      BOOST_REQUIRE(std::abs(log_above_one(x)[l] - std::log(x[l])) <= 4e-16 * std::log(x[l]));
      BOOST_REQUIRE(std::abs(log_above_one(near_one)[l] - std::log(near_one[l])) <= 1e-15 * std::log(near_one[l]));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
