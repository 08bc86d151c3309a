#include "mixlab/random/directions.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "seed.h"

using namespace mixlab;
using namespace mixlab::random;

namespace {

std::vector<double> draw(int p, int n, Stream stream) {
  std::vector<double> x(static_cast<std::size_t>(p * n));
  draw_directions(stream, p, n, x.data());
  return x;
}

/// Many directions of R^p.
struct Sample {
  int p;
  int n = 200000;
  std::vector<double> x = draw(p, n, test_stream(77));

  /// How far the mean of f is from `expected`, in standard errors.
  template <typename F>
  double z_score(double expected, F f) const {
    double sum = 0, sum2 = 0;
    for (int k = 0; k < n; ++k) {
      const double value = f(x.data() + k * p);
      sum += value;
      sum2 += value * value;
    }
    const double mean = sum / n;
    return (mean - expected) / std::sqrt((sum2 / n - mean * mean) / n);
  }
};

/// Exceeded with probability 6e-10: below 1e-6 in all for a thousand comparisons.
constexpr double z_many = 6.2;

}  // namespace

BOOST_AUTO_TEST_SUITE(randomness)
BOOST_AUTO_TEST_SUITE(directions)

BOOST_AUTO_TEST_CASE(published_known_answers) {
  using Block = std::array<std::uint32_t, 4>;
  constexpr std::uint32_t ones = ~std::uint32_t{0};
  BOOST_TEST((philox32({0, 0, 0, 0}, {0, 0}) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  BOOST_TEST(
      (philox32({ones, ones, ones, ones}, {ones, ones}) == Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  BOOST_TEST((philox32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
              Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

BOOST_AUTO_TEST_CASE(polynomials_are_sine_and_cosine) {
  const auto value = [](const double(&coefficients)[8], long double s) {
    long double sum = 0;
    for (int i = 7; i >= 0; --i) sum = sum * s + coefficients[i];
    return sum;
  };
  const long double quarter = std::acos(-1.0L) / 2;
  for (int i = -1000; i <= 1000; ++i) {
    const long double z = i / 1000.0L;
    BOOST_TEST(std::abs(z * value(Direction::sine, z * z) - std::sin(quarter * z)) < 2e-15L);
    BOOST_TEST(std::abs(value(Direction::cosine, z * z) - std::cos(quarter * z)) < 2e-15L);
  }
  BOOST_TEST(value(Direction::cosine, 1) != 0);  // in dimension 1 it is divided by
}

BOOST_AUTO_TEST_CASE(have_length_one) {
  for (const int p : {1, 2, 3, 4, 5, 7, 10, 31, 32, 50}) {
    const auto x = draw(p, 1000, test_stream(static_cast<std::uint64_t>(7200 + p)));
    for (int k = 0; k < 1000; ++k) {
      double length2 = 0;
      for (int i = 0; i < p; ++i)
        length2 += x[static_cast<std::size_t>(k * p + i)] * x[static_cast<std::size_t>(k * p + i)];
      BOOST_TEST(std::abs(length2 - 1) < 1e-14);
    }
  }
}

// Moments up to the fourth of every coordinate and pair of coordinates, 465 in all.
BOOST_AUTO_TEST_CASE(are_uniform_on_the_sphere) {
  for (const int p : {1, 2, 3, 4, 5, 6, 9, 10}) BOOST_TEST_CONTEXT("p = " << p) {
      const Sample sample{p};
      const auto check = [&](double expected, auto f) { BOOST_TEST(std::abs(sample.z_score(expected, f)) < z_many); };
      const double second = 1.0 / p, fourth = 3.0 / (p * (p + 2)), mixed = 1.0 / (p * (p + 2));
      for (int i = 0; i < p; ++i) {
        check(0, [&](const double* x) { return x[i]; });
        if (p == 1) continue;
        check(second, [&](const double* x) { return x[i] * x[i]; });
        check(fourth, [&](const double* x) { return std::pow(x[i], 4); });
        for (int j = 0; j < i; ++j) {
          check(0, [&](const double* x) { return x[i] * x[j]; });
          check(0, [&](const double* x) { return x[i] * x[i] * x[i] * x[j]; });
          if (p > 2) check(mixed, [&](const double* x) { return x[i] * x[i] * x[j] * x[j]; });
        }
      }
    }
  // Power: 7% in the fourth moment at p = 10 is 13 standard errors, 2% in the second at p = 2 is 12.
  const Sample ten{10}, two{2};
  BOOST_TEST(std::abs(ten.z_score(1.07 * 3.0 / 120, [](const double* x) { return std::pow(x[0], 4); })) > z_many);
  BOOST_TEST(std::abs(two.z_score(1.02 / 2, [](const double* x) { return x[0] * x[0]; })) > z_many);
}

BOOST_AUTO_TEST_CASE(a_projection_has_the_right_distribution) {
  // in R^3 every coordinate is uniform on (-1, 1): Archimedes. Kolmogorov's statistic; false alarm 1e-7 each
  const int n = 100000;
  const auto x = draw(3, n, test_stream(78));
  for (int i = 0; i < 3; ++i) {
    std::vector<double> u;
    for (int k = 0; k < n; ++k) u.push_back((x[static_cast<std::size_t>(3 * k + i)] + 1) / 2);
    std::sort(u.begin(), u.end());
    double largest = 0;
    for (int k = 0; k < n; ++k) largest = std::max(largest, std::abs(u[static_cast<std::size_t>(k)] - (k + 0.5) / n));
    BOOST_TEST(largest < std::sqrt(std::log(2 / 1e-7) / (2.0 * n)) + 0.5 / n);
  }
}

BOOST_AUTO_TEST_CASE(directions_are_independent_of_one_another) {  // neighbours of all kinds; false alarm 7e-8 each
  const int p = 4, n = 40000;
  const auto x = draw(p, n, test_stream(79));
  for (const int step : {1, 2, 3, 4, 5, 8}) {
    double sum = 0;
    for (int k = 0; k + step < n; ++k)
      for (int i = 0; i < p; ++i)
        sum += x[static_cast<std::size_t>(k * p + i)] * x[static_cast<std::size_t>((k + step) * p + i)];
    BOOST_TEST(std::abs(sum) / std::sqrt((n - step) / 4.0) < z_alarm);  // variance of <x, y>: 1/p
  }
  Stream stream = test_stream(80);
  std::vector<double> first(40), second(40);
  draw_directions(stream, 4, 10, first.data());
  draw_directions(stream, 4, 10, second.data());
  BOOST_TEST(first != second);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
