#define MIXLAB_LANES singles_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/singles.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::singles_test;

namespace {

/// Scores of single precision stay within half of the doubt of the true ones.
template <int P>
void check_doubt(random::Stream& stream) {
  double largest = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const double size = std::pow(10.0, uniform_in(stream, -3, 3));
    auto theta = random_vectors<P>(stream, 1);
    for (V& component : theta) component = size * component;
    const auto x = random_vectors<P>(stream, 1);
    const V width2 = random_lanes(stream, 0, 2), beta = size * random_lanes(stream, 0, 50);
    // what is left of a width that was up to `growth` times as large
    const V growth = std::pow(10.0, uniform_in(stream, 0, trial % 2 ? 3 : 0.1)), gain = random_lanes(stream, 0.1, 9);
    const V before = width2 * (1.0 + (growth - 1.0) * random_lanes(stream, 0, 1)), along2 = (before - width2) / gain;
    Singles score = in_both_halves(to_single(x[0])) * pair(theta[0], theta[0]);
    for (std::size_t i = 1; i < P; ++i) score = fma(in_both_halves(to_single(x[i])), pair(theta[i], theta[i]), score);
    const Singles single_width2 = abs(fma(pair(-gain, -gain), pair(along2, along2), pair(before, before)));
    score = fma(pair(beta, beta), sqrt(single_width2), score);
    const V got = to_double<Half::lower>(score);
    for (int l = 0; l < width; ++l) {
      const arma::vec arm = lane_of(x.data(), P, l), estimate = lane_of(theta.data(), P, l);
      const double truth = arma::dot(arm, estimate) + beta[l] * std::sqrt(width2[l]);
      const V longest = arma::norm(arm);
      V second = got;
      second.set(l, truth - 2 * std::abs(got[l] - truth));  // both may be off
      BOOST_TEST(select(is_clear<P>(V(truth), second, longest, theta.data(), beta, growth), V(1.0), V(0.0))[l] == 0.0);
      const double terms = 1 + std::abs(truth) + longest[l] * (1 + arma::dot(estimate, estimate));
      largest = std::max(largest, std::abs(got[l] - truth) / (terms * growth[l]));
    }
  }
  BOOST_TEST(largest > 0x1p-27);  // so that the bound is not met by everything
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(halves_come_back) {
  random::Stream stream = test_stream(7119);
  const V a = random_lanes(stream, -2, 2), b = random_lanes(stream, -2, 2);
  const Singles both = pair(a, b), same = in_both_halves(to_single(a));
  Indices index{};
  for (int l = 0; l < 2 * width; ++l) index[l] = 10 + l;
  for (int l = 0; l < width; ++l) {
    BOOST_TEST(close(to_double<Half::lower>(both)[l], a[l], 0x1p-23));
    BOOST_TEST(close(to_double<Half::upper>(both)[l], b[l], 0x1p-23));
    BOOST_TEST(close(to_double<Half::lower>(same)[l], a[l], 0x1p-23));
    BOOST_TEST(close(to_double<Half::upper>(same)[l], a[l], 0x1p-23));
    BOOST_TEST(widen<Half::lower>(index)[l] == 10 + l);
    BOOST_TEST(widen<Half::upper>(index)[l] == 10 + width + l);
  }
}

BOOST_AUTO_TEST_CASE(best_two_of_many) {
  random::Stream stream = test_stream(7112);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = static_cast<int>(integer_in(stream, 1, 9));
    BestTwo best;
    std::vector<std::vector<float>> seen(2 * width);
    Indices index{};
    for (int k = 0; k < n; ++k, index += 1) {
      // few values, so that there are ties
      const Singles score = pair(V(0.0), V(0.0)) + static_cast<float>(integer_in(stream, -3, 3));
      Singles different = score;
      for (int l = 0; l < 2 * width; ++l) {
        different[l] += static_cast<float>(integer_in(stream, -2, 2));
        seen[static_cast<std::size_t>(l)].push_back(different[l]);
      }
      best.see(different, index);
    }
    for (int l = 0; l < 2 * width; ++l) {
      auto& scores = seen[static_cast<std::size_t>(l)];
      const auto first = std::max_element(scores.begin(), scores.end());
      BOOST_TEST(float{best.first[l]} == *first);
      BOOST_TEST(std::int32_t{best.index[l]} == first - scores.begin());
      std::sort(scores.rbegin(), scores.rend());
      if (n > 1) BOOST_TEST(float{best.second[l]} == scores[1]);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_in_doubt_is_not_clear) {
  random::Stream stream = test_stream(7113);
  FOR_DIMENSIONS(check_doubt, stream);
  const V theta[2] = {1e-9, 0.0}, longest = 1e-9;
  BOOST_TEST(!any(is_clear<2>(V(1e-8), V(0.0), longest, theta, V(0.0), V(1.0))));  // a tie, small as all of it is
  BOOST_TEST(all(is_clear<2>(V(1e-4), V(0.0), longest, theta, V(0.0), V(1.0))));
}

// With a lambda beyond reason squared widths lose their digits in single precision, and beta is as large.
BOOST_AUTO_TEST_CASE(tiny_widths_are_in_doubt) {
  random::Stream stream = test_stream(7115);
  const V theta[2] = {1.0, 0.0};
  int n_wrong = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const double lambda = std::pow(10.0, uniform_in(stream, 39, 44));
    const V beta = std::sqrt(lambda), a = random_lanes(stream, 0.5, 1) / lambda,
            b = random_lanes(stream, 0.5, 1) / lambda;
    const V ahead = random_lanes(stream, 0, 1e-3), mean = beta * (sqrt(a) - sqrt(b)) + ahead;  // that of b
    const Singles scores = fma(pair(beta, beta), sqrt(pair(a, b)), pair(V(0.0), mean));
    const V first = to_double<Half::lower>(scores), second = to_double<Half::upper>(scores);
    const V clear = select(is_clear<2>(first, second, V(1.0), theta, beta, V(1.0)), V(1.0), V(0.0));
    for (int l = 0; l < width; ++l) {
      const bool wrong = first[l] > second[l];
      n_wrong += wrong;
      if (wrong) BOOST_TEST(clear[l] == 0.0);
    }
  }
  BOOST_TEST(n_wrong > 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
