#include "mixlab/random/sampler.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <vector>

#include "seed.h"

using namespace mixlab;
using namespace mixlab::random;

namespace {

/// Largest distance between the empirical distribution of `sample` and `distribution`.
template <class Distribution>
double kolmogorov_distance(std::vector<double> sample, Distribution distribution) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double largest = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double expected = distribution(sample[i]);
    const auto below = static_cast<double>(i);
    largest = std::max({largest, std::abs(expected - below / n), std::abs((below + 1) / n - expected)});
  }
  return largest;
}

// Dvoretzky-Kiefer-Wolfowitz: exceeded with probability at most 1e-7.
double dkw_alarm(double n) {
  return std::sqrt(std::log(2e7) / (2 * n));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(randomness)
BOOST_AUTO_TEST_SUITE(sampler)

BOOST_AUTO_TEST_CASE(uniform_extremes_stay_inside) {
  BOOST_TEST(uniform(0) == 0x1p-53);
  BOOST_TEST(uniform(~std::uint64_t{0}) == 1 - 0x1p-53);
  BOOST_TEST(uniform(~std::uint64_t{0}) < 1.0);
  BOOST_TEST(uniform(std::uint64_t{1} << 63) > 0.5);
}

BOOST_AUTO_TEST_CASE(portable_log_agrees_with_libm) {
  Stream stream = test_stream(1);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = i % 2 ? std::exp(uniform_in(stream, -700, 700)) : uniform_in(stream, 0.5, 2);
    const long double exact = std::log(static_cast<long double>(x));
    worst = std::max(worst, std::abs(static_cast<double>((portable_log(x) - exact) / exact)));
  }
  BOOST_TEST(worst < 4.5e-16);
  BOOST_TEST(portable_log(1.0) == 0.0);
}

BOOST_AUTO_TEST_CASE(portable_log1p_agrees_with_libm) {
  Stream stream = test_stream(31);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double size = std::exp(uniform_in(stream, -40, 0));
    const double x = i % 2 ? -size : size;
    const long double exact = std::log1p(static_cast<long double>(x));
    worst = std::max(worst, std::abs(static_cast<double>((portable_log1p(x) - exact) / exact)));
  }
  BOOST_TEST(worst < 7e-16);
}

BOOST_AUTO_TEST_CASE(waiting_time_inverts_its_distribution) {  // n trials exactly where (1-p)^n < u <= (1-p)^{n-1}
  Stream stream = test_stream(32);
  for (int i = 0; i < 100000; ++i) {
    const double p = std::min(std::exp(uniform_in(stream, -25, 0)), 0.999);
    Stream same = stream;
    std::int64_t waits[1];
    WaitingTime(p).draw(stream, waits);
    const auto n = static_cast<long double>(waits[0]);
    const long double by_u =
        std::log(static_cast<long double>(uniform(same.next()))) / std::log1p(-static_cast<long double>(p));
    BOOST_REQUIRE(n >= 1);
    BOOST_REQUIRE(n - 1 <= by_u * (1 + 2e-15L));
    BOOST_REQUIRE(n >= by_u * (1 - 2e-15L));
  }
}

BOOST_AUTO_TEST_CASE(normal_quantile_agrees_with_boost) {
  const boost::math::normal_distribution<long double> normal_law;
  Stream stream = test_stream(2);
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const double u = std::pow(random::uniform(stream.next()), i % 3 ? 1 : 12);
    if (u < 1e-300) continue;
    const long double exact = boost::math::quantile(normal_law, static_cast<long double>(u));
    worst = std::max(worst, std::abs(static_cast<double>((normal_quantile(u) - exact) / exact)));
  }
  BOOST_TEST(worst < 2e-15);
  BOOST_TEST(normal_quantile(0.5) == 0.0);
}

BOOST_AUTO_TEST_CASE(normals_have_the_bits_of_one_at_a_time) {
  constexpr std::size_t n = 2500000;
  Stream stream = test_stream(6);
  std::vector<std::uint64_t> words(n);
  std::vector<double> several(n);
  for (std::size_t i = 0; i < n; ++i) words[i] = stream.next() >> (i % 9 == 0 ? i % 50 : 0) ^ (i % 2 ? 0 : ~0ull);
  for (std::size_t first = 0, size = 1; first < n; first += size, size = size % 300 + 1)  // all lengths
    normals(std::span(words).subspan(first, std::min(size, n - first)),
            std::span(several).subspan(first, std::min(size, n - first)));
  std::int64_t n_different = 0, n_far = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double one = normal(words[i]);
    n_different += std::memcmp(&one, &several[i], sizeof one) != 0;
    n_far += std::abs(one) > 5;
  }
  BOOST_TEST(n_different == 0);
  BOOST_TEST(n_far > 1000);
}

BOOST_AUTO_TEST_CASE(samples_follow_their_laws) {  // false alarm below 1e-6 in all
  constexpr int n = 1000000;
  std::vector<double> uniforms(n), normals(n), scaled(n);
  Stream stream = test_stream(3);
  double signs = 0;
  bool all_are_signs = true;
  for (int i = 0; i < n; ++i) {
    uniforms[static_cast<std::size_t>(i)] = uniform(stream.next());
    normals[static_cast<std::size_t>(i)] = normal(stream.next());
    scaled[static_cast<std::size_t>(i)] = 1.01 * normals[static_cast<std::size_t>(i)];
    const double drawn = sign(stream.next());
    signs += drawn;
    all_are_signs = all_are_signs && (drawn == 1 || drawn == -1);
  }
  const auto identity = [](double x) { return x; };
  const auto phi = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  BOOST_TEST(kolmogorov_distance(uniforms, identity) < dkw_alarm(n));
  BOOST_TEST(kolmogorov_distance(normals, phi) < dkw_alarm(n));
  BOOST_TEST(all_are_signs);
  BOOST_TEST(std::abs(signs) < z_alarm * std::sqrt(n));
  // power: a standard deviation wrong by 3% is found
  for (double& x : scaled) x *= 1.02;
  BOOST_TEST(kolmogorov_distance(scaled, phi) > dkw_alarm(n));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
