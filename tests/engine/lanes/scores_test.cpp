#define MIXLAB_LANES scores_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/ridge.h"
#include "engine/lanes/scores.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::scores_test;

namespace {

/// What theta is: anything, or something that every sample moves along u, as the ridge estimate.
enum class Theta { anything, follows };

/// Blocks of many sizes: rounds four at a time, in pairs and by themselves. In one of them the arms are given.
template <int P>
void check_scores(random::Stream& stream, int K, Theta kind) {
  const int p = P > 2 ? P - 1 : P;
  const double lambda = 0.7;
  const auto arms = random_vectors<P>(stream, K, p);
  Scores<P> scores;
  scores.start(arms.data(), K, lambda);
  std::vector<arma::mat> V_of(width, lambda * arma::eye(p, p));
  Ridge<P> ridge;
  ridge.start(p, lambda, random_vectors<P>(stream, 1, p).data());
  const int sizes[] = {4, 1, 7, 2, 10, 7};
  std::vector<V> again, last, moved(P, V(0.0));
  for (int block = 0; block < 6; ++block) {
    const int n = sizes[block];
    const auto x = random_runs<P>(stream, n, p, again, last.empty() ? nullptr : last.data());
    last.assign(x.end() - P, x.end());
    auto theta = random_vectors<P>(stream, n, p);
    std::vector<V> u(x.size()), ended(n), gain(n), growth(n), beta(n), width2_of(n), way(n);
    std::uint8_t begun[lanes::largest_block];
    for (int r = 0; r < n; ++r) {
      beta[r] = random_lanes(stream, 0, 2);
      const auto step = ridge.absorb(x.data() + r * P, V(0.0), again[static_cast<std::size_t>(r)] > 0.0);
      begun[r] = static_cast<std::uint8_t>(lanes_of(step.begun));
      ended[r] = step.ended;
      gain[r] = ridge.runs().gain();
      growth[r] = step.growth;
      copy<P>(u.data() + r * P, ridge.runs().u());
      way[r] = random_lanes(stream, -1, 1);
      add<P>(moved.data(), way[r], ridge.runs().u());
      if (kind == Theta::follows) copy<P>(theta.data() + r * P, moved.data());
    }
    const ArmSource source = block == 2 && kind == Theta::anything ? ArmSource::given : ArmSource::policy;
    std::vector<Choice> given(n);
    for (Choice& one_round : given)
      for (std::int64_t& arm : one_round.arm) arm = integer_in(stream, 0, K - 1);
    std::vector<Choice> choice = given;
    scores.choose({n, theta.data(), beta.data(), begun, u.data(), ended.data(), gain.data(), growth.data(),
                   kind == Theta::follows ? way.data() : nullptr},
                  source, choice.data(), width2_of.data());
    for (int r = 0; r < n; ++r) {
      for (int l = 0; l < width; ++l) {
        const arma::vec xl = lane_of(x.data() + r * P, p, l);
        V_of[l] += xl * xl.t();
        const arma::mat inverse = arma::inv(V_of[l]);
        arma::vec score(K), width2(K);
        for (int k = 0; k < K; ++k) {
          const arma::vec arm = lane_of(arms.data() + k * P, p, l);
          width2(k) = arma::dot(arm, inverse * arm);
          score(k) = arma::dot(lane_of(theta.data() + r * P, p, l), arm) + beta[r][l] * std::sqrt(width2(k));
        }
        const auto expected =
            source == ArmSource::given ? given[r].arm[l] : static_cast<std::int64_t>(score.index_max());
        BOOST_TEST(choice[r].arm[l] == expected);
        BOOST_TEST(close(width2_of[r][l], width2(expected)));
      }
    }
    if (block == 3) {
      ridge.end_runs();
      scores.refresh(ridge.inverse(), moved.data());
    }
  }
}

template <int P>
void check_scores(random::Stream& stream) {
  for (const Theta kind : {Theta::anything, Theta::follows})
    for (const int K : {1, 2, 3, 4, 5, 7, 8, 19}) BOOST_TEST_CONTEXT("dimension " << P << ", " << K << " arms")
  check_scores<P>(stream, K, kind);
}

/// Most scores are compared in single precision, with means of five rounds at once, two at once, and of the last by itself.
template <int P>
void check_close_scores(random::Stream& stream) {
  constexpr int K = 19, n = 8;
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
    scores.start(arms.data(), K, lambda);
    const auto theta = random_vectors<P>(stream, n);
    const std::vector<V> zero(n, V(0.0)), one_each(n, V(1.0));
    const std::uint8_t begun[n] = {};
    V beta[n], width2[n];
    for (V& one_round : beta) one_round = random_lanes(stream, 0, 50);
    Choice choice[n];
    scores.choose({n, theta.data(), beta, begun, nullptr, nullptr, zero.data(), one_each.data(), nullptr},
                  ArmSource::policy, choice, width2);
    for (int i = 0; i < n * width; ++i) {
      const int r = i / width, l = i % width;
      arma::vec score(K);
      for (int k = 0; k < K; ++k) {
        const arma::vec arm = lane_of(arms.data() + k * P, P, l);
        score(k) =
            arma::dot(lane_of(theta.data() + r * P, P, l), arm) + beta[r][l] * std::sqrt(arma::dot(arm, arm) / lambda);
      }
      const arma::vec sorted = arma::sort(score, "descend");
      const double size = std::max(1.0, std::abs(sorted(0)));
      n_close += sorted(0) - sorted(1) < 1e-7 * size;
      // every arm within 1e-8 of the best has the same right; the lowest of them wins, but for rounding
      int lowest = 0;
      while (score(lowest) < sorted(0) - (1e-8 + 1e-13) * size) ++lowest;
      const double chosen = score(choice[r].arm[l]);
      BOOST_TEST(chosen >= sorted(0) - (1e-8 + 1e-13) * size);
      if (std::abs(score(lowest) - (sorted(0) - 1e-8 * size)) > 1e-13 * size) BOOST_TEST(choice[r].arm[l] == lowest);
    }
  }
  BOOST_TEST(n_close > 7000);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

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
  scores.start(arms.data(), 5, 1.0);
  const auto chosen = [&](double length) {
    const V theta[2] = {length, 0.0}, none = 0.0, growth = 1.0;
    const std::uint8_t begun = 0;
    Choice choice;
    V width2;
    scores.choose({1, theta, &none, &begun, nullptr, nullptr, &none, &growth, nullptr}, ArmSource::policy, &choice,
                  &width2);
    return choice.arm[0];
  };
  BOOST_TEST(chosen(1.0) == 2);
  BOOST_TEST(chosen(0.9) == 1);  // 0.99e-8 behind
  BOOST_TEST(chosen(2.6) == 2);  // 1.17e-8 behind 1.3
}

/// Numbers whose squares do not fit into single precision, in a run that shrinks one width by a third.
BOOST_AUTO_TEST_CASE(huge_widths) {
  constexpr double lambda = 1e-25;
  const V arms[4] = {1.0, 0.0, 0.0, 0.9}, u[2] = {1 / lambda, 0.0}, theta[2] = {0.0, 0.0}, one = 1.0, none = 0.0;
  const std::uint8_t begun = (1u << width) - 1;
  for (const double shrunk : {0.7, 0.9}) {
    Scores<2> scores;
    scores.start(arms, 2, lambda);
    const V gain = (1 - shrunk) * lambda, growth = 1 / shrunk;
    Choice choice;
    V width2;
    scores.choose({1, theta, &one, &begun, u, &none, &gain, &growth, nullptr}, ArmSource::policy, &choice, &width2);
    BOOST_TEST(choice.arm[0] == (shrunk < 0.81 ? 1 : 0));
  }
}

BOOST_AUTO_TEST_CASE(close_scores_are_compared_in_full_precision) {
  random::Stream stream = test_stream(7110);
  check_close_scores<3>(stream);
  check_close_scores<6>(stream);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
