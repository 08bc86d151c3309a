#include "noise/convolution.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/random/sampler.h"
#include "mixlab/random/stream.h"
#include "seed.h"

using mixlab::noise::Convolution;
using mixlab::noise::ConvolutionWeights;

namespace {

std::vector<double> random_numbers(std::size_t n, std::uint64_t number) {
  mixlab::random::Stream stream({mixlab::test_seed(), 171, number, mixlab::random::Purpose::noise});
  std::vector<double> x(n);
  for (double& value : x) value = 2 * mixlab::random::uniform(stream.next()) - 1;
  return x;
}

/// The largest distance between the sums of some rounds and what their definition says, for given weights.
double error(const std::vector<double>& sums, const std::vector<double>& u, const std::vector<double>& a) {
  double largest = 0;
  for (std::size_t t = 0; t < sums.size(); ++t) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * u[a.size() - 1 + t - j];
    largest = std::max(largest, std::abs(sums[t] - sum));
  }
  return largest;
}

/// Those of rounds 1.. from the innovations u, of which the first a.size() - 1 come before round 1.
std::vector<double> sums(const std::vector<double>& a, const std::vector<double>& u, std::size_t block) {
  const ConvolutionWeights weights(a, block);
  std::size_t n_before = 0;
  Convolution convolution(weights, [&](std::span<double> before) {
    for (double& value : before) value = u[n_before++];
  });
  BOOST_TEST(n_before == weights.memory());
  std::vector<double> all(u.begin() + static_cast<std::ptrdiff_t>(weights.memory()), u.end());
  for (std::size_t t = 0; t < all.size(); t += convolution.n_rounds())
    convolution.next(std::span(all).subspan(t, convolution.n_rounds()));
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(convolutions)

BOOST_AUTO_TEST_CASE(sums_are_those_of_the_definition) {
  for (const std::size_t block : {1u, 2u, 8u, 16u})
    for (std::size_t J = 0; J <= 50; ++J) {
      const auto a = random_numbers(J + 1, J), u = random_numbers(J + 6 * block, 1000 + J);
      const auto found = sums(a, u, block);
      BOOST_TEST(error(found, u, a) < 1e-13, "block " << block << ", J " << J);
      auto wrong = a;  // power: the last weight
      wrong.back() += 1e-9;
      BOOST_TEST(error(found, u, wrong) > 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(blocks_of_its_own_choice) {
  for (const std::size_t J : {0u, 255u, 256u, 3000u, 4096u, 20000u}) {
    const std::size_t n = 2 * ConvolutionWeights(std::vector<double>(J + 1)).block();
    const auto a = random_numbers(J + 1, J), u = random_numbers(J + 2 * n, 2000 + J);
    const auto found = sums(a, u, 0);
    const std::vector<double> last(found.end() - 50, found.end()), before(u.end() - 50 - static_cast<int>(J), u.end());
    BOOST_TEST(error(last, before, a) < 1e-11);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
