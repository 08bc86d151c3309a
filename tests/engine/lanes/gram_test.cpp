#define MIXLAB_LANES gram_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/gram.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::gram_test;

namespace {

template <int P>
void check_sum(random::Stream& stream) {
  const int p = P > 2 ? P - 1 : P, n = 5;
  Gram<P> gram;
  std::vector<arma::mat> truth(width, arma::zeros(p, p));
  for (int block = 0; block < 6; ++block) {
    const auto x = random_vectors<P>(stream, n, p);
    const Symmetric<P> before = gram.matrix(), with_three = gram.with(x.data(), 3);
    for (int l = 0; l < width; ++l) {
      check_equal(lane_of<P>(before, p, l), truth[l]);
      for (int r = 0; r < n; ++r) {
        const arma::vec xl = lane_of(x.data() + r * P, p, l);
        truth[l] += xl * xl.t();
        if (r == 2) check_equal(lane_of<P>(with_three, p, l), truth[l]);
      }
    }
    gram.add(x.data(), n);
    std::vector<V> weight(n, V(0.0));
    for (int r = 0; r < n; r += 2)
      for (int l = 0; l < width; ++l) weight[r].set(l, static_cast<double>(integer_in(stream, 0, 3)));
    gram.add(x.data(), weight.data(), n);
    for (int l = 0; l < width; ++l)
      for (int r = 0; r < n; ++r) {
        const arma::vec xl = lane_of(x.data() + r * P, p, l);
        truth[l] += weight[r][l] * xl * xl.t();
      }
    if (block % 2) gram.sum_up();
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(gram_matrix) {
  random::Stream stream = test_stream(7114);
  FOR_DIMENSIONS(check_sum, stream);
}

BOOST_AUTO_TEST_CASE(a_million_equal_arms_are_not_rounded_the_same_way) {
  constexpr int n = 1000000;
  const V x[2] = {0.6, -0.3};
  Gram<2> one_step, two_steps;
  for (int t = 1; t <= n; ++t) {
    one_step.add(x, 1);
    two_steps.add(x, 1);
    if (t % 512 == 0) two_steps.sum_up();
  }
  const auto error = [&](const Gram<2>& gram) { return std::abs(gram.matrix().get(0, 0)[0] / (n * 0.6 * 0.6) - 1); };
  BOOST_TEST(error(two_steps) < 1e-13);
  BOOST_TEST(error(one_step) > 1e-12);  // what it is for
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
