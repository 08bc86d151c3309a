#include "mixlab/bandit/quadric.h"

#include <boost/test/unit_test.hpp>

#include "noise/laws.h"
#include "sets/samples.h"

using namespace mixlab;
using namespace mixlab::bandit;

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(quadric)

/// A set on one trajectory, with the data that it saw.
struct Seen {
  Seen(const std::string& name, const Samples& samples)
      : prior(confidence_sets().find(name)->make({.p = 2, .B = 1, .phi = 0.01, .d = 5, .lambda = 0.7, .T = 1000})),
        path(prior->start(test_stream(1), 1000)),
        data(2, 1, {0.7}) {
    for (arma::uword s = 0; s < samples.Y.n_elem; ++s) {
      data.absorb(samples.X.col(s), samples.Y(s));
      if (path) path->absorb(samples.X.col(s), samples.Y(s));
    }
  }
  const ConfidenceSet& set() const { return path ? *path : *prior; }
  double distance2(double x, double y) const { return set().distance2(arma::vec{x, y}, data, data.ridge(0)); }

  std::unique_ptr<const ConfidenceSet> prior;
  std::unique_ptr<ConfidenceSet> path;
  Regression data;
};

BOOST_AUTO_TEST_CASE(agrees_with_the_distance_everywhere) {
  random::Stream stream = test_stream(311);
  for (const std::string name : {"paper", "oful", "theorem1", "excess-loss", "coin"}) {
    const Seen seen(name, Samples(2, 40, stream));
    const Quadric found = quadric_of(seen.set(), seen.data, seen.data.ridge(0), arma::vec{0.3, -0.4});
    for (int k = 0; k < 50; ++k) {
      const double x = uniform_in(stream, -3, 3), y = uniform_in(stream, -3, 3);
      BOOST_TEST(value(found, x, y) == seen.distance2(x, y), boost::test_tools::tolerance(1e-9));
    }
  }
}

BOOST_AUTO_TEST_CASE(no_quadric_is_said_to_be_none) {
  random::Stream stream = test_stream(312);
  const Seen seen("joint", Samples(2, 40, stream));
  const Quadric found = quadric_of(seen.set(), seen.data, seen.data.ridge(0), arma::vec{0.3, -0.4});
  for (const double term : found) BOOST_TEST(std::isnan(term));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
