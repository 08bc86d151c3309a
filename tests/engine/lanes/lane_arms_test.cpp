#define MIXLAB_LANES lane_arms_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/lane_arms.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::lane_arms_test;

namespace {

/// The same bits as in all lanes at once, and the other lanes are left alone.
template <int P>
void check_projections(random::Stream& stream) {
  for (const int K : {1, 2, 3, 7, 8, 9, 16, 19}) {
    const auto arms = random_vectors<P>(stream, K), u = random_vectors<P>(stream, 1);
    LaneArms lane_arms;
    lane_arms.start<P>(arms.data(), K);
    std::vector<V> along(static_cast<std::size_t>(K), V(-7.0));
    const int lane = static_cast<int>(integer_in(stream, 0, width - 1));
    lane_arms.project<P>(lane, u.data(), along.data());
    bool same = true;
    for (int k = 0; k < K; ++k) {
      V sum = arms[k * P] * u[0];
      for (int i = 1; i < P; ++i) sum = fma(arms[k * P + i], u[i], sum);
      for (int l = 0; l < width; ++l) same = same && along[k][l] == (l == lane ? sum[l] : -7.0);
    }
    BOOST_TEST(same, K << " arms in " << P << " dimensions");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(arms_of_one_lane) {
  random::Stream stream = test_stream(7140);
  FOR_DIMENSIONS(check_projections, stream);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
