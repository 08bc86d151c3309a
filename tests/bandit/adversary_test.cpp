#include "mixlab/bandit/adversary.h"

#include <boost/test/unit_test.hpp>

#include "message.h"
#include "mixlab/bandit/arms.h"
#include "mixlab/core/error.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

std::vector<arma::uword> offered_by(const Adversary& adversary, const arma::mat& arms) {
  return arma::conv_to<std::vector<arma::uword>>::from(adversary.offer(arms));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(adversary)

BOOST_AUTO_TEST_CASE(rules_are_read) {
  BOOST_TEST(!parse_adversary("none").has_value());
  BOOST_TEST(parse_adversary("sign:1").value().lag() == 1);
  BOOST_TEST(parse_adversary("best:75").value().lag() == 75);
  for (const std::string text : {"", "sign", "sign:", "sign:0", "best:-3", "worst:1", "sign:1.5"})
    BOOST_TEST(message_of<KeyError>([&] { parse_adversary(text); }) ==
               "bad value for problem.adversary: '" + text +
                   "' (must be none, sign:K or best:K with K at least 1); for instance sign:1");
}

BOOST_AUTO_TEST_CASE(sign_offers_arms_against_the_noise) {
  const arma::mat arms = {{1, 0, -1, 0}, {0, 1, 0, -1}};
  const auto adversary = parse_adversary("sign:1")->start({0.5, 0.2}, 1);
  BOOST_TEST((offered_by(*adversary, arms) == std::vector<arma::uword>{0, 1, 2, 3}));  // it has seen nothing
  adversary->see(arms.col(0), 3, 0.7);
  BOOST_TEST((offered_by(*adversary, arms) == std::vector<arma::uword>{2, 3}));
  adversary->see(arms.col(0), 3, -0.1);
  BOOST_TEST((offered_by(*adversary, arms) == std::vector<arma::uword>{0, 1}));
  BOOST_TEST((offered_by(*adversary, arms.cols(2, 3)) == std::vector<arma::uword>{0, 1}));  // else none would be left
}

BOOST_AUTO_TEST_CASE(best_takes_away_what_looks_best) {
  random::Stream stream = test_stream(421);
  const double lambda = 0.7;
  const auto adversary = parse_adversary("best:1")->start(arma::vec(3, arma::fill::zeros), lambda);
  arma::mat arms(3, 6), V = lambda * arma::eye(3, 3);
  arma::vec b(3, arma::fill::zeros);
  for (arma::uword k = 0; k < arms.n_cols; ++k) arms.col(k) = draw_direction(3, stream);
  BOOST_TEST(adversary->offer(arms).n_elem == 6u);
  for (int t = 0; t < 50; ++t) {
    const arma::vec x = draw_direction(3, stream);
    const double y = normal_in(stream);
    adversary->see(x, y, normal_in(stream));
    V += x * x.t();
    b += y * x;
    const arma::uword best = arma::vec(arms.t() * arma::solve(V, b)).index_max();
    const arma::uvec offered = adversary->offer(arms);
    BOOST_TEST(offered.n_elem == 5u);
    BOOST_TEST(!arma::any(offered == best));
  }
  BOOST_TEST(adversary->offer(arms.cols(0, 0)).n_elem == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
