#define MIXLAB_LANES ridge_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/ridge.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::ridge_test;

namespace {

struct Growth {
  int kept = 0, folded = 0;  ///< blocks after which it went on, and began anew
};

template <int P>
void check_blocks(random::Stream& stream, const std::vector<int>& sizes, Growth& seen) {
  const int p = P > 2 ? P - 1 : P;
  const double lambda = 0.3;
  const auto theta_star = random_vectors<P>(stream, 1, p);
  Ridge<P> ridge;
  ridge.start(p, lambda, theta_star.data());
  Symmetric<P> Lambda;
  for (auto& entry : Lambda.a) entry = 0.0;
  std::vector<arma::mat> V_of(width, lambda * arma::eye(p, p));
  std::vector<arma::vec> b(width, arma::zeros(p)), noise(width, arma::zeros(p));
  const auto check = [&](V growth, int l) {
    const arma::vec star = lane_of(theta_star.data(), p, l), centre = arma::solve(V_of[l], b[l]);
    check_equal(lane_of(ridge.theta(), p, l), centre);
    check_equal(lane_of(ridge.c(), p, l), noise[l] - lambda * star);
    BOOST_TEST(close(ridge.q()[l], arma::dot(centre - star, V_of[l] * (centre - star))));
    BOOST_TEST(close(ridge.logdet_then()[l] + std::log(growth[l]), arma::log_det_sympd(V_of[l] / lambda)));
  };
  int n_grown = 0;
  std::vector<V> again, last;
  for (std::size_t block = 0; block < sizes.size(); ++block) {
    const int n = sizes[block];
    const auto x = random_runs<P>(stream, n, p, again, last.empty() ? nullptr : last.data());
    last.assign(x.end() - P, x.end());
    V growth = ridge.growth();
    for (int r = 0; r < n; ++r) {
      const V eps = random_lanes(stream, -1, 1);
      const V y = dot<P>(x.data() + r * P, theta_star.data()) + eps;
      const auto step = ridge.absorb(x.data() + r * P, eps, again[static_cast<std::size_t>(r)] > 0.0);
      ridge.estimate(x.data() + r * P, y, step);
      const V factor = step.growth * step.inverse_before;
      growth = growth * factor;
      for (int l = 0; l < width; ++l) {
        const arma::vec xl = lane_of(x.data() + r * P, p, l);
        const double expected = 1 + arma::dot(xl, arma::solve(V_of[l], xl));
        BOOST_TEST(close(factor[l], expected));
        V_of[l] += xl * xl.t();
        b[l] += y[l] * xl;
        noise[l] += eps[l] * xl;
        check(growth, l);
      }
    }
    ridge.close_block(growth, n);
    const bool kept = ridge.growth()[0] > 1;
    ++(kept ? seen.kept : seen.folded);
    n_grown = kept ? n_grown + n : 0;
    BOOST_TEST(n_grown <= lanes::largest_block);
    Lambda.add_products(x.data(), n);
    if (block == 3) {
      ridge.refresh(Lambda, theta_star.data());  // changes nothing
      n_grown = 0;
    }
    for (int l = 0; l < width; ++l) check(ridge.growth(), l);
    if (block % 3 != 2) continue;
    ridge.end_runs();
    for (int l = 0; l < width; ++l) check_equal(lane_of<P>(ridge.inverse(), p, l), arma::inv(V_of[l]));
  }
}

template <int P>
void check_ridge(random::Stream& stream) {
  const std::vector<int> sizes[] = {std::vector<int>(25, 1), std::vector<int>(12, 3), std::vector<int>(8, 4),
                                    std::vector<int>(6, 7),  std::vector<int>(6, 10), {1, 10, 2, 3, 7, 1, 4, 4, 10, 5}};
  Growth seen;
  for (const auto& blocks : sizes) BOOST_TEST_CONTEXT(blocks.size() << " blocks, the first of " << blocks[0])
  check_blocks<P>(stream, blocks, seen);
  BOOST_TEST(seen.kept > 20);
  BOOST_TEST(seen.folded > 10);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(ridge_regression) {
  random::Stream stream = test_stream(7104);
  FOR_DIMENSIONS(check_ridge, stream);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
