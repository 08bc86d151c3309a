// The kernels of the lanes engine against scalar twins: each formula once more, by Armadillo or plain loops, on random
// inputs. Compiled here for the portable path; that the other instruction sets give the same bits is lanes_test's
// business.
#include "engine/lanes/prelude.h"

#define MIXLAB_LANES portable_test
#define MIXLAB_LANES_WIDTH 2
#define MIXLAB_LANES_FMA 0
#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/least_squares.h"
#include "engine/lanes/monitors.h"
#include "engine/lanes/ridge.h"
#include "engine/lanes/scores.h"
#include "engine/lanes/symmetric.h"
#include "engine/lanes/vector.h"
#include "mixlab/bandit/least_squares.h"
#include "random_cell.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::portable_test;

namespace {

using V = Vec;
constexpr int width = V::width;

bool close(double a, double b, double tolerance = 1e-11) {
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

V random_lanes(random::Stream& stream, double low, double high) {
  V v;
  for (int l = 0; l < width; ++l) v.set(l, uniform_in(stream, low, high));
  return v;
}

/// n vectors of P components, those from p on zero.
template <int P>
std::vector<V> random_vectors(random::Stream& stream, int n, int p = P) {
  std::vector<V> v(static_cast<std::size_t>(n * P), V(0.0));
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < p; ++i) v[static_cast<std::size_t>(r * P + i)] = random_lanes(stream, -0.5, 0.5);
  return v;
}

/// Lane l of p components.
arma::vec lane_of(const V* v, int p, int l) {
  arma::vec out(static_cast<arma::uword>(p));
  for (int i = 0; i < p; ++i) out(static_cast<arma::uword>(i)) = v[i][l];
  return out;
}

template <int P>
arma::mat lane_of(const lanes::portable_test::Symmetric<P>& A, int p, int l) {
  arma::mat out(static_cast<arma::uword>(p), static_cast<arma::uword>(p));
  for (int i = 0; i < p; ++i)
    for (int j = 0; j < p; ++j) out(static_cast<arma::uword>(i), static_cast<arma::uword>(j)) = A.get(i, j)[l];
  return out;
}

/// A random positive definite matrix a lane.
template <int P>
Symmetric<P> random_matrix(random::Stream& stream, int p = P) {
  Symmetric<P> A;
  for (auto& entry : A.a) entry = 0.0;
  A.add_products(random_vectors<P>(stream, 2 * P, p).data(), 2 * P);
  for (int i = 0; i < p; ++i) A.set(i, i, A.get(i, i) + random_lanes(stream, 0.1, 1));
  return A;
}

void check_equal(const arma::mat& got, const arma::mat& truth, double tolerance = 1e-11) {
  BOOST_TEST(arma::abs(got - truth).max() <= tolerance * std::max(1.0, arma::abs(truth).max()));
}

/// The dimensions kernels are built for: packed and tiled.
#define FOR_DIMENSIONS(check, stream) \
  check<2>(stream);                   \
  check<3>(stream);                   \
  check<6>(stream);                   \
  check<10>(stream);                  \
  check<12>(stream);                  \
  check<16>(stream);                  \
  check<32>(stream)

template <int P>
void check_algebra(random::Stream& stream) {
  const auto x = random_vectors<P>(stream, 5), u = random_vectors<P>(stream, 1);
  const V s = random_lanes(stream, -1, 1);
  const Symmetric<P> A = random_matrix<P>(stream);
  V product[P], fused[P], sum[P];
  A.multiply(x.data(), product);
  Symmetric<P> subtracted = A, both = A, added = A;
  subtracted.subtract(u.data(), s);
  both.subtract_and_multiply(u.data(), s, x.data(), fused);
  added.add_products(x.data(), 5);
  copy<P>(sum, x.data());
  add<P>(sum, s, u.data());
  for (int l = 0; l < width; ++l) {
    const arma::mat a = lane_of<P>(A, P, l);
    const arma::vec xl = lane_of(x.data(), P, l), ul = lane_of(u.data(), P, l);
    BOOST_TEST(close(dot<P>(x.data(), u.data())[l], arma::dot(xl, ul)));
    check_equal(lane_of(sum, P, l), xl + s[l] * ul);
    check_equal(lane_of(product, P, l), a * xl);
    const arma::mat less = a - s[l] * ul * ul.t();
    check_equal(lane_of<P>(subtracted, P, l), less);
    check_equal(lane_of<P>(both, P, l), less);
    check_equal(lane_of(fused, P, l), less * xl);
    arma::mat more = a;
    for (int r = 0; r < 5; ++r) more += lane_of(x.data() + r * P, P, l) * lane_of(x.data() + r * P, P, l).t();
    check_equal(lane_of<P>(added, P, l), more);
  }
}

template <int P>
void check_factor(random::Stream& stream) {
  const int p = P > 2 ? P - 1 : P;  // the last component only fills up
  const auto x = random_vectors<P>(stream, 1, p);
  const V shift = random_lanes(stream, 0, 2);
  const Symmetric<P> A = random_matrix<P>(stream, p);
  Factor<P> factor;
  const double all_shift = 0.5;
  factor.factor(A, all_shift, p);
  V half[P], back[P];
  factor.forward(x.data(), half);
  factor.backward(x.data(), back);
  Symmetric<P> inverse = A;
  V pivots[P];
  BOOST_TEST(all(invert<P>(inverse, shift, V(0.0), p, pivots)));
  for (int l = 0; l < width; ++l) {
    const arma::mat a = lane_of<P>(A, p, l), I = arma::eye(arma::size(a));
    const arma::mat L = arma::chol(a + all_shift * I, "lower");
    const arma::vec xl = lane_of(x.data(), p, l);
    check_equal(lane_of(half, p, l), arma::solve(arma::trimatl(L), xl));
    check_equal(lane_of(back, p, l), arma::solve(arma::trimatu(L.t()), xl));
    check_equal(lane_of(factor.pivots(), p, l), arma::square(L.diag()));
    check_equal(lane_of<P>(inverse, p, l), arma::inv(a + shift[l] * I), 1e-9);
    check_equal(lane_of(pivots, p, l), arma::square(arma::chol(a + shift[l] * I, "lower").eval().diag()));
  }
  // a lane that is singular says so, the others do not mind
  Symmetric<P> singular = A;
  for (int j = 0; j < P; ++j) {
    V entry = singular.get(0, j);
    entry.set(1, 0.0);
    singular.set(0, j, entry);
  }
  const V good = select(invert<P>(singular, V(0.0), V(1e-9), p, pivots), V(1.0), V(0.0));
  for (int l = 0; l < width; ++l) BOOST_TEST(good[l] == (l == 1 ? 0 : 1));
}

template <int P>
void check_ridge(random::Stream& stream) {
  const int p = P > 2 ? P - 1 : P, n_blocks = 6, n = 4;
  const double lambda = 0.3;
  const auto theta_star = random_vectors<P>(stream, 1, p);
  Ridge<P> ridge;
  ridge.start(p, lambda, theta_star.data());
  Symmetric<P> Lambda;
  for (auto& entry : Lambda.a) entry = 0.0;
  std::vector<arma::mat> V_of(width, lambda * arma::eye(p, p));
  std::vector<arma::vec> b(width, arma::zeros(p)), noise(width, arma::zeros(p));
  const auto check = [&](double logdet_of_block, int l) {
    const arma::vec star = lane_of(theta_star.data(), p, l), centre = arma::solve(V_of[l], b[l]);
    check_equal(lane_of(ridge.theta(), p, l), centre);
    check_equal(lane_of(ridge.c(), p, l), noise[l] - lambda * star);
    BOOST_TEST(close(ridge.q()[l], arma::dot(centre - star, V_of[l] * (centre - star))));
    BOOST_TEST(close(ridge.logdet()[l] + logdet_of_block, arma::log_det_sympd(V_of[l] / lambda)));
    check_equal(lane_of<P>(ridge.inverse(), p, l), arma::inv(V_of[l]));
  };
  for (int block = 0; block < n_blocks; ++block) {
    const auto x = random_vectors<P>(stream, n, p);
    std::vector<V> vx(x.size());
    V growth = 1.0, gain, factor;
    ridge.open_block(x.data(), vx.data());
    for (int r = 0; r < n; ++r) {
      const V eps = random_lanes(stream, -1, 1);
      const V y = dot<P>(x.data() + r * P, theta_star.data()) + eps;
      for (int l = 0; l < width; ++l)
        check_equal(lane_of(vx.data() + r * P, p, l), arma::solve(V_of[l], lane_of(x.data() + r * P, p, l)));
      ridge.absorb(x.data(), vx.data(), eps, r, n, gain, factor);
      ridge.estimate(x.data() + r * P, vx.data() + r * P, y, gain);
      growth = growth * factor;
      for (int l = 0; l < width; ++l) {
        const arma::vec xl = lane_of(x.data() + r * P, p, l);
        const double expected = 1 + arma::dot(xl, arma::solve(V_of[l], xl));
        BOOST_TEST(close(factor[l], expected));
        BOOST_TEST(close(gain[l], 1 / expected));
        V_of[l] += xl * xl.t();
        b[l] += y[l] * xl;
        noise[l] += eps[l] * xl;
        check(std::log(growth[l]), l);
      }
    }
    ridge.close_block(growth);
    Lambda.add_products(x.data(), n);
    if (block == 3) ridge.refresh(Lambda, theta_star.data());  // changes nothing
    for (int l = 0; l < width; ++l) check(0, l);
  }
}

template <int P>
void check_scores(random::Stream& stream) {
  const int p = P > 2 ? P - 1 : P, K = 7;
  constexpr int n = 3;
  const double lambda = 0.7;
  const auto arms = random_vectors<P>(stream, K, p);
  Scores<P> scores;
  scores.start(arms, lambda);
  BOOST_TEST(scores.n_arms() == K);
  std::vector<arma::mat> V_of(width, lambda * arma::eye(p, p));
  Ridge<P> ridge;
  ridge.start(p, lambda, random_vectors<P>(stream, 1, p).data());
  for (int block = 0; block < 3; ++block) {
    const auto x = random_vectors<P>(stream, n, p), theta = random_vectors<P>(stream, n, p);
    std::vector<V> vx(x.size()), gain(n), beta(n);
    ridge.open_block(x.data(), vx.data());
    for (int r = 0; r < n; ++r) {
      V growth;
      beta[r] = random_lanes(stream, 0, 2);
      ridge.absorb(x.data(), vx.data(), V(0.0), r, n, gain[r], growth);
    }
    Choice choice[n];
    V width2_of[n];
    scores.choose({n, theta.data(), beta.data(), vx.data(), gain.data()}, Index::best, choice, width2_of);
    for (int r = 0; r < n; ++r) {
      for (int l = 0; l < width; ++l) {
        const arma::vec xl = lane_of(x.data() + r * P, p, l);
        V_of[l] += xl * xl.t();
        arma::vec score(K);
        for (int k = 0; k < K; ++k) {
          const arma::vec arm = lane_of(arms.data() + k * P, p, l);
          const double width2 = arma::dot(arm, arma::solve(V_of[l], arm));
          if (k == choice[r].arm[l]) BOOST_TEST(close(width2_of[r][l], width2));
          score(k) = arma::dot(lane_of(theta.data() + r * P, p, l), arm) + beta[r][l] * std::sqrt(width2);
        }
        BOOST_TEST(choice[r].arm[l] == static_cast<int>(score.index_max()));
      }
    }
    if (block == 1) scores.refresh(ridge.inverse());
  }
}

/// The KKT conditions after every sample, against the exact solver. `scale`: of the rewards, so that the ball is active
/// or not; `n_directions`: of the actions, fewer than p for a singular design.
template <int P>
void check_least_squares(random::Stream& stream, int p, double scale, int n_directions) {
  const double B = 0.8;
  LeastSquares<P> estimate;
  estimate.start(p, B, 1.0);
  std::vector<arma::mat> Lambda(width, arma::zeros(p, p));
  std::vector<arma::vec> b(width, arma::zeros(p));
  const auto theta_star = random_vectors<P>(stream, 1, p);
  const int n = 5;
  for (int block = 0; block < 40; ++block) {
    const auto x = random_vectors<P>(stream, n, n_directions);
    std::vector<V> y(n);
    for (int r = 0; r < n; ++r) {
      y[r] = scale * dot<P>(x.data() + r * P, theta_star.data()) + random_lanes(stream, -1, 1);
      estimate.absorb(x.data(), y.data(), r, block < 3);
      estimate.first_sweep();
      estimate.second_sweep();
      estimate.settle(x.data(), r);
      for (int l = 0; l < width; ++l) {
        const arma::vec xl = lane_of(x.data() + r * P, p, l), theta = lane_of(estimate.theta(), p, l);
        Lambda[l] += xl * xl.t();
        b[l] += y[r][l] * xl;
        const double mu = estimate.mu()[l], norm_b = std::max(1.0, arma::norm(b[l]));
        BOOST_TEST(arma::norm(Lambda[l] * theta + mu * theta - b[l]) <= 1e-10 * norm_b);
        BOOST_TEST(mu >= 0);
        BOOST_TEST(arma::norm(theta) <= B * (1 + 1e-10));
        BOOST_TEST(mu * (B - arma::norm(theta)) <= 1e-10 * norm_b);
        if (block >= 20) check_equal(theta, bandit::constrained_least_squares(Lambda[l], b[l], B).theta, 1e-8);
      }
    }
    estimate.close_block(x.data(), n);
    if (block % 4 == 3) estimate.recentre();
    for (int l = 0; l < width; ++l) check_equal(lane_of<P>(estimate.Lambda(), p, l), Lambda[l]);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(elementwise_operations) {
  random::Stream stream = test_stream(7101);
  for (int i = 0; i < 200; ++i) {
    const V a = random_lanes(stream, -2, 2), b = random_lanes(stream, -2, 2), c = random_lanes(stream, 0, 2);
    const V chosen = select(a <= b, a, c);
    for (int l = 0; l < width; ++l) {
      BOOST_TEST((a + b)[l] == a[l] + b[l]);
      BOOST_TEST((a - 0.5)[l] == a[l] - 0.5);
      BOOST_TEST((2.0 * a)[l] == 2 * a[l]);
      BOOST_TEST((a / c)[l] == a[l] / c[l]);
      BOOST_TEST((-a)[l] == -a[l]);
      BOOST_TEST(fma(a, b, c)[l] == std::fma(a[l], b[l], c[l]));
      BOOST_TEST(fnma(a, b, c)[l] == std::fma(-a[l], b[l], c[l]));
      BOOST_TEST(sqrt(c)[l] == std::sqrt(c[l]));
      BOOST_TEST(abs(a)[l] == std::abs(a[l]));
      BOOST_TEST(max(a, b)[l] == std::max(a[l], b[l]));
      BOOST_TEST(min(a, b)[l] == std::min(a[l], b[l]));
      BOOST_TEST(chosen[l] == (a[l] <= b[l] ? a[l] : c[l]));
    }
  }
  V one = 0.0;
  one.set(width - 1, 1.0);
  BOOST_TEST(any(one > 0.0));
  BOOST_TEST(!all(one > 0.0));
  BOOST_TEST(all((!(one > 0.0)) | (one >= 1.0)));
  BOOST_TEST(!any((one > 0.0) & (one < 1.0)));
}

BOOST_AUTO_TEST_CASE(logarithm) {
  random::Stream stream = test_stream(7102);
  BOOST_TEST(log_above_one(V(1.0))[0] == 0);
  for (int i = 0; i < 20000; ++i) {
    const V near_one = 1.0 + random_lanes(stream, 0, 1) * random_lanes(stream, 0, 1) * 1e-3;
    V x = random_lanes(stream, 0, 700);
    for (int l = 0; l < width; ++l) x.set(l, std::exp(x[l]));
    for (int l = 0; l < width; ++l) {
      BOOST_REQUIRE(std::abs(log_above_one(x)[l] - std::log(x[l])) <= 4e-16 * std::log(x[l]));
      BOOST_REQUIRE(std::abs(log_above_one(near_one)[l] - std::log(near_one[l])) <= 1e-15 * std::log(near_one[l]));
    }
  }
}

BOOST_AUTO_TEST_CASE(small_dense_algebra) {
  random::Stream stream = test_stream(7103);
  FOR_DIMENSIONS(check_algebra, stream);
  FOR_DIMENSIONS(check_factor, stream);
}

BOOST_AUTO_TEST_CASE(ridge_regression) {
  random::Stream stream = test_stream(7104);
  FOR_DIMENSIONS(check_ridge, stream);
}

BOOST_AUTO_TEST_CASE(scores_of_arms) {
  random::Stream stream = test_stream(7105);
  FOR_DIMENSIONS(check_scores, stream);
}

BOOST_AUTO_TEST_CASE(ties_go_to_the_lowest_index) {
  Scores<2> scores;
  std::vector<V> arms;
  for (const double component : {0.3, 0.5 - 1.1e-8, 0.5 - 0.45e-8, 0.5, 0.1}) {
    arms.push_back(component);
    arms.push_back(0.0);
  }
  scores.start(arms, 1.0);
  const auto chosen = [&](double length) {
    const V theta[2] = {length, 0.0}, zero[2] = {0.0, 0.0}, none = 0.0;
    Choice choice;
    V width2;
    scores.choose({1, theta, &none, zero, &none}, Index::best, &choice, &width2);
    return choice.arm[0];
  };
  BOOST_TEST(chosen(1.0) == 2);
  BOOST_TEST(chosen(0.9) == 1);  // 0.99e-8 behind
  BOOST_TEST(chosen(2.6) == 2);  // 1.17e-8 behind 1.3
}

// Most scores are compared with square roots of single precision, and with an index in their last bits.
BOOST_AUTO_TEST_CASE(close_scores_are_compared_in_full_precision) {
  random::Stream stream = test_stream(7110);
  constexpr int P = 3, K = 19;
  int n_close = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double spread = std::pow(10.0, uniform_in(stream, -9, -4)), lambda = uniform_in(stream, 0.01, 10);
    const auto one = random_vectors<P>(stream, 1);
    std::vector<V> arms;
    for (int k = 0; k < K; ++k) {
      const V factor = 1.0 + spread * random_lanes(stream, -1, 1);
      for (int i = 0; i < P; ++i) arms.push_back(one[static_cast<std::size_t>(i)] * factor);
    }
    Scores<P> scores;
    scores.start(arms, lambda);
    const auto theta = random_vectors<P>(stream, 1);
    const V zero[P] = {0.0, 0.0, 0.0}, none = 0.0, beta = random_lanes(stream, 0, 50);
    Choice choice;
    V width2;
    scores.choose({1, theta.data(), &beta, zero, &none}, Index::best, &choice, &width2);
    for (int l = 0; l < width; ++l) {
      arma::vec score(K);
      for (int k = 0; k < K; ++k) {
        const arma::vec arm = lane_of(arms.data() + k * P, P, l);
        score(k) = arma::dot(lane_of(theta.data(), P, l), arm) + beta[l] * std::sqrt(arma::dot(arm, arm) / lambda);
      }
      const arma::vec sorted = arma::sort(score, "descend");
      const double size = std::max(1.0, std::abs(sorted(0)));
      n_close += sorted(0) - sorted(1) < 1e-7 * size;
      // every arm within 1e-8 of the best has the same right; the lowest of them wins, but for rounding
      int lowest = 0;
      while (score(lowest) < sorted(0) - (1e-8 + 1e-13) * size) ++lowest;
      const double chosen = score(choice.arm[l]);
      BOOST_TEST(chosen >= sorted(0) - (1e-8 + 1e-13) * size);
      if (std::abs(score(lowest) - (sorted(0) - 1e-8 * size)) > 1e-13 * size) BOOST_TEST(choice.arm[l] == lowest);
    }
  }
  BOOST_TEST(n_close > 1000);
}

BOOST_AUTO_TEST_CASE(constrained_least_squares) {
  random::Stream stream = test_stream(7106);
  for (const double scale : {0.1, 3.0}) BOOST_TEST_CONTEXT("rewards of scale " << scale) {
      check_least_squares<2>(stream, 1, scale, 1);
      check_least_squares<2>(stream, 2, scale, 2);
      check_least_squares<5>(stream, 5, scale, 5);
      check_least_squares<5>(stream, 5, scale, 3);
      check_least_squares<10>(stream, 9, scale, 9);
      check_least_squares<16>(stream, 14, scale, 14);
      check_least_squares<16>(stream, 14, scale, 2);
    }
}

BOOST_AUTO_TEST_CASE(monitored_sets) {
  constexpr int P = 3;
  random::Stream stream = test_stream(7107);
  // n = 5 rounds a block; sets with radii known beforehand, by log det, with a bias, and at two lambdas
  const auto experiments = make_experiments(study::Study(
      study::parse_study_text("[study]\nhorizon=60\n[problem]\ndimension=3\narms=sphere:5\n[noise]\nprocess=iid\n"
                              "[policy]\ndelay=5\nlambda=0.4\n[confidence]\ndelay=4\nphi=0.05\nmonitor=" +
                                  all_sets + "\n",
                              "test.cfg")));
  const Experiment& e = experiments.front();
  const lanes::Tables tables(e);
  const int n = tables.block;
  BOOST_REQUIRE(n == 5);
  const auto theta_star = random_vectors<P>(stream, 1);
  auto monitors = std::make_unique<Monitors<P>>();
  monitors->start(tables, theta_star.data());
  std::vector<bandit::Regression> data(width, bandit::Regression(e.p, e.B, e.lambdas));
  const std::size_t n_sets = e.sets.size();
  struct Seen {
    double sup = 0, log_p = INFINITY, last = 0;
    std::int32_t first = 0;
  };
  std::vector<std::vector<Seen>> truth(width, std::vector<Seen>(n_sets));
  Symmetric<P> Lambda;
  for (auto& entry : Lambda.a) entry = 0.0;
  V c[P], logdet = 0.0;
  const double lambda = e.lambdas[e.policy_ridge];
  for (int i = 0; i < P; ++i) c[i] = -lambda * theta_star[i];
  auto block = std::make_unique<Absorbed<P>>();
  for (std::int64_t t = 1; t <= e.T; t += n) {
    block->first = t;
    block->n = n;
    block->logdet_before = logdet;
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
    monitors->see(*block, Lambda);
    Lambda.add_products(x.data(), n);
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
