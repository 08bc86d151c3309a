#define MIXLAB_LANES directions_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/directions.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine::lanes::directions_test;

namespace {

constexpr double untouched = 7.25;

/// How many components among the first p of the n vectors do not have the bits of the stream's directions, or among the
/// others of all vectors did not stay what they were.
template <int P>
int count_wrong(const std::vector<V>& x, int lane, int p, int n, random::Stream& stream) {
  std::vector<double> truth(static_cast<std::size_t>(n * p));
  random::draw_directions(stream, p, n, truth.data());
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  int n_wrong = 0;
  for (int k = 0; k < static_cast<int>(x.size()) / P; ++k)
    for (int i = 0; i < P; ++i) {
      const double got = x[static_cast<std::size_t>(k * P + i)][lane];
      if (i >= p)
        n_wrong += got != untouched;
      else if (k < n)
        n_wrong += bits(got) != bits(truth[static_cast<std::size_t>(k * p + i)]);
    }
  return n_wrong;
}

template <int P>
void check_directions(int p) {
  std::vector<random::Stream> streams, again;
  for (int l = 0; l < width; ++l) streams.push_back(test_stream(static_cast<std::uint64_t>(7400 + width * p + l)));
  again = streams;
  Directions<P> directions;
  for (const int n : {1, 2, 3, 4, 5, 8, 11, 30}) BOOST_TEST_CONTEXT(n << " directions of " << p << " components") {
      std::vector<V> x(static_cast<std::size_t>((n + 3) / 4 * 4 * P), V(untouched));
      directions.draw(streams.data(), p, n, x.data());
      for (int l = 0; l < width; ++l) BOOST_TEST(count_wrong<P>(x, l, p, n, again[static_cast<std::size_t>(l)]) == 0);
    }
  for (std::size_t l = 0; l < streams.size(); ++l) BOOST_TEST(streams[l].next() == again[l].next());
}

/// Every dimension in the smallest kernel that takes it.
template <int... P>
void check_all_dimensions() {
  int p = 1;
  const auto up_to = [&p](int last, void (*check)(int)) {
    for (; p <= last; ++p) check(p);
  };
  (up_to(P, check_directions<P>), ...);
  BOOST_TEST(p == 129);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(directions_have_the_bits_of_the_reference) {
  check_all_dimensions<2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 128>();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
