#define MIXLAB_LANES monitors_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/monitors.h"
#include "random_cell.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::monitors_test;

namespace {

/// n = 5 rounds per block; sets with radii known beforehand, by log det, with a bias, and at the policy's lambda, 0.4, or
/// another.
void check_monitors(random::Stream& stream, const std::string& lambda_of_sets) {
  constexpr int P = 3;
  const auto experiments = make_experiments(study::Study(
      study::parse_study_text("[study]\nhorizon=60\n[problem]\ndimension=3\narms=sphere:5\n[noise]\nprocess=iid\n"
                              "[policy]\ndelay=5\nlambda=0.4\n[confidence]\ndelay=4\nphi=0.05\nlambda=" +
                                  lambda_of_sets + "\nmonitor=" + all_sets + "\n",
                              "test.cfg")));
  const Experiment& e = experiments.front();
  const lanes::Tables tables(e);
  const int n = tables.block;
  BOOST_REQUIRE(n == 5);
  const auto theta_star = random_vectors<P>(stream, 1);
  const auto monitors = std::make_unique<Monitors<P>>(tables, theta_star.data());
  std::vector<bandit::Regression> data(width, bandit::Regression(e.p, e.B, e.lambdas));
  const std::size_t n_sets = e.sets.size();
  struct Seen {
    double sup = 0, log_p = INFINITY, last = 0;
    std::int32_t first = 0;
  };
  std::vector<std::vector<Seen>> truth(width, std::vector<Seen>(n_sets));
  Gram<P> gram;
  V c[P], logdet = 0.0;
  const double lambda = e.lambdas[e.policy_ridge];
  for (int i = 0; i < P; ++i) c[i] = -lambda * theta_star[i];
  auto block = std::make_unique<Absorbed<P>>();
  for (std::int64_t t = 1; t <= e.T; t += n) {
    block->first = t;
    block->n = n;
    block->logdet_then = logdet;
    copy<P>(block->c_before, c);
    const auto x = random_vectors<P>(stream, n);
    std::vector<V> eps(static_cast<std::size_t>(n));
    block->x = x.data();
    block->eps = eps.data();
    for (int r = 0; r < n; ++r) {
      eps[r] = random_lanes(stream, t > 30 ? 3 : -1, t > 30 ? 9 : 1);  // drifts away at last: some sets are left
      add<P>(c, block->eps[r], x.data() + r * P);
      for (int l = 0; l < width; ++l) {
        const arma::vec star = lane_of(theta_star.data(), P, l), xl = lane_of(x.data() + r * P, P, l);
        data[l].absorb(xl, arma::dot(xl, star) + block->eps[r][l]);
        const bandit::Ridge& ridge = data[l].ridge(e.policy_ridge);
        const arma::vec hat = data[l].theta_hat(), error = hat - star, at_ridge = ridge.theta - star;
        const double q_Lambda = bandit::norm2(error, data[l].Lambda(), 0);
        block->growth[r].set(l, std::exp(ridge.logdet - logdet[l]));
        block->q_Lambda[r].set(l, q_Lambda);
        block->q_loss[r].set(l, q_Lambda + 2 * arma::dot(error, data[l].b() - data[l].Lambda() * hat));
        block->error2[r].set(l, arma::dot(error, error));
        block->q_ridge[r].set(l, bandit::norm2(at_ridge, data[l].Lambda(), lambda));
        for (std::size_t s = 0; s < n_sets; ++s) {
          const auto& set = *e.sets[s].set;
          const bandit::Ridge& own = data[l].ridge(e.sets[s].ridge);
          const double q = set.distance2(star, data[l], own), radius2 = set.radius2(t + r, own.logdet);
          Seen& seen = truth[l][s];
          if (q > radius2 && seen.first == 0) seen.first = static_cast<std::int32_t>(t + r);
          seen.sup = std::max(seen.sup, q / radius2);
          seen.last = set.log_p(t + r, q, own.logdet);
          seen.log_p = std::min(seen.log_p, seen.last);
        }
      }
    }
    monitors->see(*block, gram);
    gram.add(x.data(), n);
    // Every second block, the last one too, goes on with the growth of the one before: `logdet_then` is below log det.
    if (t / n % 2 == 1)
      for (int l = 0; l < width; ++l) logdet.set(l, data[l].ridge(e.policy_ridge).logdet);
  }
  int n_left = 0;
  for (int l = 0; l < width; ++l) {
    Row row;
    monitors->write(l, row);
    for (std::size_t s = 0; s < n_sets; ++s) BOOST_TEST_CONTEXT(e.sets[s].name << ", lane " << l) {
        const Seen& seen = truth[l][s];
        BOOST_TEST(row.first_violation[s] == seen.first);
        BOOST_TEST(close(row.sup_ratio[s], seen.sup, 1e-10));
        BOOST_TEST(close(row.log10_p[s], seen.log_p * std::numbers::log10e, 1e-10));
        BOOST_TEST(close(row.horizon_log10_p[s], seen.last * std::numbers::log10e, 1e-10));
        n_left += seen.first > 0;
      }
  }
  BOOST_TEST(n_left > 0);
  BOOST_TEST(n_left < static_cast<int>(n_sets) * width);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(monitored_sets) {
  random::Stream stream = test_stream(7107);
  for (const std::string lambda : {"1", "0.4"}) BOOST_TEST_CONTEXT("lambda " << lambda) check_monitors(stream, lambda);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
