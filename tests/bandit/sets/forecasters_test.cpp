#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/bandit/confidence_set.h"
#include "mixlab/bandit/forecaster.h"
#include "noise/laws.h"
#include "samples.h"

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

std::unique_ptr<ConfidenceSet> started(const std::string& name, const SetConstants& constants) {
  return confidence_sets().find(name)->make(constants)->start(test_stream(1), 1000);
}

/// Share of paths on which theta* = 0 leaves the set: one arm of length 1, signs of mean phi S, S frozen.
double share_missed(const std::string& name, const SetConstants& c, int n_paths, int n_rounds) {
  random::Stream stream = test_stream(301);
  const arma::vec theta(1, arma::fill::zeros), x(1, arma::fill::ones);
  int missed = 0;
  for (int i = 0; i < n_paths; ++i) {
    const auto set = started(name, c);
    Regression data(1, c.B, {1.0});
    const double S = uniform_in(stream, 0, 1) < 0.5 ? -1 : 1;
    for (int t = 0; t < n_rounds; ++t) {
      const double y = uniform_in(stream, 0, 1) < (1 + c.phi * S) / 2 ? 1 : -1;
      set->absorb(x, y);
      data.absorb(x, y);
      if (set->contains(theta, data, data.ridge(0))) continue;
      ++missed;
      break;
    }
  }
  return missed / static_cast<double>(n_paths);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(forecasters)

/// Blocks gathered first and played each by itself, in units of the rewards.
BOOST_AUTO_TEST_CASE(sets_add_up_what_the_blocks_lose) {
  random::Stream stream = test_stream(302);
  for (const int p : {1, 2}) {
    const SetConstants c{.p = p, .B = 1.2, .sigma = 0.7, .phi = 0.05, .d = 4, .delta = 0.1, .lambda = 2};
    const int t = 30;
    const Samples samples(p, t, stream);
    Regression data(p, c.B, {c.lambda});
    const auto proved = started("forecasters", c), printed = started("lemma1", c), always = started("proposition2", c);
    for (arma::uword s = 0; s < samples.Y.n_elem; ++s) {
      for (const auto* set : {&proved, &printed, &always}) (*set)->absorb(samples.X.col(s), samples.Y(s));
      data.absorb(samples.X.col(s), samples.Y(s));
    }
    double excess = 0.5 * arma::accu(arma::square(samples.Y - samples.X.t() * samples.theta)) / (c.sigma * c.sigma);
    for (arma::uword j = 0; j < 4; ++j) {
      Forecaster block(p, c.B / c.sigma + 1);
      for (arma::uword s = j; s < samples.Y.n_elem; s += 4) block.absorb(samples.X.col(s), samples.Y(s) / c.sigma);
      excess -= block.cumulative_loss();
    }
    const auto& ridge = data.ridge(0);
    for (const auto* set : {&proved, &printed})
      BOOST_TEST((*set)->distance2(samples.theta, data, ridge) == 2 * excess, boost::test_tools::tolerance(1e-9));
    const double log_d = std::log(4 / 0.1);
    BOOST_TEST(proved->radius2(t, 0) == 2 * (26 * (2 * 1.2 + 0.7) * 0.05 / 0.49 + 4 * log_d),
               boost::test_tools::tolerance(1e-12));
    BOOST_TEST(printed->radius2(t, 0) == 2 * (30 * 1.2 * 0.05 / 0.49 + 4 * log_d), boost::test_tools::tolerance(1e-12));
    BOOST_TEST(always->contains(samples.theta, data, ridge));
    for (const auto* set : {&proved, &printed}) {  // the p-value is the delta at which the point leaves the set
      SetConstants at_p = c;
      at_p.delta = std::exp((*set)->log_p(t, 2 * excess, 0));
      BOOST_TEST(started(set == &proved ? "forecasters" : "lemma1", at_p)->radius2(t, 0) == 2 * excess,
                 boost::test_tools::tolerance(1e-9));
    }
  }
}

// MATHEMATICS.md A.5: 48% at delta = 0.05. Rates of 250 paths are within 0.17 of theirs but for 1e-7.
BOOST_AUTO_TEST_CASE(lemma_1_fails_as_printed_and_holds_as_proved) {
  const SetConstants c{.p = 1, .B = 0.25, .sigma = 1, .phi = 0.45, .d = 1, .delta = 0.05};
  const double printed = share_missed("lemma1", c, 250, 1500), proved = share_missed("forecasters", c, 250, 1500);
  BOOST_TEST_MESSAGE("Lemma 1 as printed fails on " << printed << " of the paths, as proved on " << proved);
  BOOST_TEST(std::abs(printed - 0.48) < 0.17);
  BOOST_TEST(proved < 0.05 + 0.08);
  BOOST_TEST(share_missed("proposition2", c, 20, 300) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
