#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "engine/experiments_of.h"
#include "mixlab/bandit/confidence_set.h"
#include "mixlab/engine/reference.h"
#include "noise/laws.h"

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

const std::vector<double> classes = {0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.875, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98};

/// rho_bar of (H1) by bisection in the probability of a flip.
double largest_rho_left(int n_pairs, int n_flips, double delta_1) {
  const double n = n_pairs, k = n_flips;
  const auto log_beta = [](double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); };
  const double log_mixture = log_beta(1 + k, 9 + n - k) - log_beta(1, 9);
  const auto ruled_out = [&](double f) {
    return log_mixture - k * std::log(f) - (n - k) * std::log(1 - f) >= std::log(1 / delta_1);
  };
  if (n_pairs == 0 || n_flips == 0) return 0.98;
  double low = 1e-9, high = k / n;
  if (!ruled_out(low)) return 0.98;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (ruled_out(middle) ? low : high) = middle;
  }
  return std::min(0.98, 1 - 2 * low);
}

/// D of the shortest one-sided path to d for proxies rho^l, by (F6) backwards.
double shortest_D(double rho, int d) {
  std::vector<double> rest(static_cast<std::size_t>(d) + 1, 0.0);
  for (int l = d - 1; l >= 0; --l) {
    double best = INFINITY;
    for (int m = l + 1; m <= d; ++m)
      best = std::min(best, std::pow(rho, l) * std::sqrt(m - l) + rest[static_cast<std::size_t>(m)]);
    rest[static_cast<std::size_t>(l)] = best;
  }
  return rest[0] * rest[0];
}

/// Sticky signs under an arm that changes now and then: what the set sees, and the pairs in it.
struct Trial {
  arma::mat X;
  arma::vec Y;
  std::vector<int> n_pairs = {0}, n_flips = {0};  ///< after each round

  Trial(int T, double rho, double sigma, random::Stream& stream) : X(2, static_cast<arma::uword>(T)), Y(X.n_cols) {
    double eps = 1;
    arma::vec x = {1, 0};
    for (arma::uword t = 0; t < X.n_cols; ++t) {
      const bool flips = uniform_in(stream, 0, 1) < (1 - rho) / 2;
      const bool changes = t == 0 || uniform_in(stream, 0, 1) < 0.3;
      if (flips) eps = -eps;
      if (changes) x = uniform_in(stream, 0.2, 1) * arma::vec{x(1), x(0) + 0.01};
      X.col(t) = x;
      Y(t) = 0.3 * x(0) - 0.5 * x(1) + sigma * eps;
      n_pairs.push_back(n_pairs.back() + (changes ? 0 : 1));
      n_flips.push_back(n_flips.back() + (!changes && flips ? 1 : 0));
    }
  }
};

SetConstants constants_for(double sigma, double delta) {
  return {.p = 2, .B = 1.3, .sigma = sigma, .d = 20, .delta = delta, .lambda = 7, .T = 3000};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(adaptive_sticky)

/// (H1) and (F4) from scratch; t is beyond d, so that all blocks are active.
BOOST_AUTO_TEST_CASE(the_class_and_its_radius_agree_with_a_computation_from_scratch) {
  random::Stream stream = test_stream(401);
  std::vector<double> D;
  for (const double rho : classes) D.push_back(shortest_D(rho, 20));
  std::set<std::size_t> seen;
  for (const double rho : {0.0, 0.4, 0.8, 0.93}) {
    const double sigma = uniform_in(stream, 0.3, 2), delta = std::exp(uniform_in(stream, -6, -0.7));
    const SetConstants c = constants_for(sigma, delta);
    const auto set = confidence_sets().find("adaptive-sticky")->make(c)->start(test_stream(1), 3000);
    const Trial trial(3000, rho, sigma, stream);
    double rho_bar = 0.98;
    for (arma::uword t = 1; t <= 3000; ++t) {
      set->absorb(trial.X.col(t - 1), trial.Y(t - 1));
      rho_bar = std::min(rho_bar, largest_rho_left(trial.n_pairs[t], trial.n_flips[t], delta / 2));
      if (t <= 20 || t % 97 != 0) continue;
      std::size_t g = 0;
      while (classes[g] < rho_bar) ++g;
      seen.insert(g);
      const double logdet = uniform_in(stream, 0, 12), n = static_cast<double>(t) - 20;
      const double beta = sigma * std::pow(classes[g], 20) * std::sqrt(n) +
                          std::sqrt(7 * 1.3 * 1.3 + sigma * sigma * D[g] * (logdet + 2 * std::log(2 / delta) + 2));
      BOOST_TEST(std::abs(set->radius2(static_cast<std::int64_t>(t), logdet) - beta * beta) <= 1e-10 * beta * beta);
    }
  }
  BOOST_TEST(seen.size() >= 6u);
}

/// The p-value is the smallest delta whose set misses, though the class depends on delta.
BOOST_AUTO_TEST_CASE(p_values_decide_at_every_delta) {
  random::Stream stream = test_stream(402);
  const Trial trial(1500, 0.7, 1, stream);
  std::vector<double> deltas;
  std::vector<std::unique_ptr<ConfidenceSet>> sets;
  for (double log_delta = -9; log_delta < -0.1; log_delta += 0.37) {
    deltas.push_back(std::exp(log_delta));
    sets.push_back(
        confidence_sets().find("adaptive-sticky")->make(constants_for(1, deltas.back()))->start(test_stream(1), 1500));
  }
  int n_inside = 0, n_outside = 0;
  for (std::int64_t t = 1; t <= 1500; ++t) {
    for (const auto& set : sets)
      set->absorb(trial.X.col(static_cast<arma::uword>(t - 1)), trial.Y(static_cast<arma::uword>(t - 1)));
    const double logdet = uniform_in(stream, 0, 12);
    const double q = uniform_in(stream, 0.3, 1.2) * sets.front()->radius2(t, logdet);
    const double log_p = sets.front()->log_p(t, q, logdet);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const bool misses = q > sets[i]->radius2(t, logdet);
      BOOST_TEST(misses == (log_p < std::log(deltas[i])));
      ++(misses ? n_outside : n_inside);
    }
  }
  BOOST_TEST(n_inside > 5000);
  BOOST_TEST(n_outside > 5000);
}

BOOST_AUTO_TEST_CASE(it_says_what_it_does_not_cover) {
  const auto set = confidence_sets().find("adaptive-sticky")->make(constants_for(1, 0.1));
  const auto why_not = [&](double rho, std::int64_t lag) {
    Values values;
    values.set("rho", rho);
    return set->why_not_guaranteed({*make_process("sticky", values), 1, lag});
  };
  BOOST_TEST(why_not(0.9, 20) == "");
  BOOST_TEST(why_not(-0.5, 20) == "");
  BOOST_TEST(why_not(0.9, 19) == "delay 20 of the set exceeds lag 19 of the policy");
  BOOST_TEST(why_not(0.99, 20) == "correlation 0.99 of the noise is not from -0.5 to 0.98");
  BOOST_TEST(why_not(-0.6, 20) == "correlation -0.6 of the noise is not from -0.5 to 0.98");
  Values values;
  values.set("law", std::string("gaussian"));
  BOOST_TEST(set->why_not_guaranteed({*make_process("iid", values), 1, 20}) ==
             "needs signs that are kept with a constant probability");
}

/// One arm, theta* at the edge. Of 100 trajectories, each missed with probability at most 0.05, more than 21 are missed with
/// probability below 1e-7; where the largest class is far below the noise, most are.
BOOST_AUTO_TEST_CASE(it_holds_where_a_class_that_is_too_small_breaks) {
  const std::string head = "[study]\nhorizon=1500\n[problem]\ndimension=1\narms=basis\ntheta=-1\n";
  const std::string tail = "[confidence]\ndelay=75\nmonitor=adaptive-sticky\n";
  const auto misses = [&](const std::string& noise, const std::string& more) {
    int n = 0;
    for (const auto& experiment : engine::experiments_of(head + noise + tail + more))
      for (int i = 0; i < 100; ++i) n += engine::run_reference(experiment, i).value().first_violation[0] > 0;
    return n;
  };
  BOOST_TEST(misses("[noise]\nrho=0.9\n", "") <= 21);
  BOOST_TEST(misses("[noise]\nrho=0.99\n", "rho_max=0.501\nlambda=5\n") >= 50);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
