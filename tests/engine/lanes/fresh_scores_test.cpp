#define MIXLAB_LANES fresh_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/fresh_scores.h"
#include "mixlab/bandit/policy.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/study/study_file.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::fresh_test;

namespace {

constexpr std::int64_t first_trajectory = 5;

Experiment fresh_experiment(int p, int K) {
  const std::string text = "[study]\nhorizon=10\n[problem]\ndimension=" + std::to_string(p) +
                           "\narms=fresh:" + std::to_string(K) +
                           "\n[noise]\nprocess=iid\n[policy]\nname=linucb\n[confidence]\ndelay=1\nmonitor=oful\n";
  return std::move(make_experiments(study::Study(study::parse_study_text(text, "test.cfg"))).front());
}

/// A round of `fresh` against Armadillo, which is given the arms that the reference engine draws.
template <int P>
class Round {
 public:
  /// `scale`: of the scores; at 1e-8 many are as good as the best.
  Round(random::Stream& stream, int p, double scale)
      : p_(p),
        theta_star_(random_vectors<P>(stream, 1, p)),
        theta_(random_vectors<P>(stream, 1, p)),
        beta_(scale * random_lanes(stream, 0, 2)),
        inverse_(random_matrix<P>(stream, p)) {
    for (auto& component : theta_) component = scale * component;
    for (int i = p; i < P; ++i) inverse_.set(i, i, 1.0);  // as where V is inverted
  }

  void check(FreshArms<P>& fresh, const std::vector<arma::mat>& arms) const {
    const int K = static_cast<int>(arms.front().n_cols);
    std::vector<V> drawn(static_cast<std::size_t>(FreshArms<P>::room_for(K) * P), V(0.0));
    std::vector<V> mean(static_cast<std::size_t>(FreshArms<P>::room_for(K) + 1), V(-9.0));
    V best;
    fresh.draw(theta_star_.data(), drawn.data(), mean.data(), best);
    FreshScores<P> scores;
    scores.start(K);
    Choice choice;
    V width2;
    scores.choose(drawn.data(), theta_.data(), beta_, inverse_, ArmSource::policy, choice, width2);
    for (int l = 0; l < width; ++l) {
      const arma::mat& X = arms[static_cast<std::size_t>(l)];
      const arma::vec truth = X.t() * lane_of(theta_star_.data(), p_, l), widths2 = widths2_of(X, l);
      for (int k = 0; k < K; ++k) check_equal(lane_of(drawn.data() + k * P, P, l), filled(X.col(as_index(k))), 0);
      check_equal(lane_of(mean.data(), K, l), truth);
      BOOST_TEST(mean.back()[l] == -9);
      BOOST_TEST(close(best[l], truth.max()));
      const arma::vec score = X.t() * lane_of(theta_.data(), p_, l) + beta_[l] * arma::sqrt(widths2);
      BOOST_TEST(as_index(choice.arm[l]) == bandit::lowest_near_best(score));
      BOOST_TEST(close(width2[l], widths2(as_index(choice.arm[l]))));
    }
    check_given(scores, drawn.data(), arms);
  }

 private:
  static arma::uword as_index(std::int64_t k) { return static_cast<arma::uword>(k); }

  arma::vec filled(const arma::vec& x) const {
    arma::vec whole(P, arma::fill::zeros);
    whole.head(x.n_elem) = x;
    return whole;
  }

  arma::vec widths2_of(const arma::mat& X, int l) const {
    return arma::sum(X % (lane_of<P>(inverse_, p_, l) * X), 0).t();
  }

  /// Every arm, in every lane another one.
  void check_given(FreshScores<P>& scores, const V* drawn, const std::vector<arma::mat>& arms) const {
    const auto K = static_cast<std::int64_t>(arms.front().n_cols);
    for (std::int64_t k = 0; k < K; ++k) {
      Choice choice;
      for (int l = 0; l < width; ++l) choice.arm[l] = (k + l) % K;
      V width2;
      scores.choose(drawn, theta_.data(), beta_, inverse_, ArmSource::given, choice, width2);
      for (int l = 0; l < width; ++l) {
        BOOST_TEST(choice.arm[l] == (k + l) % K);
        BOOST_TEST(close(width2[l], widths2_of(arms[static_cast<std::size_t>(l)], l)(as_index((k + l) % K))));
      }
    }
  }

  int p_;
  std::vector<V> theta_star_, theta_;
  V beta_;
  Symmetric<P> inverse_;
};

template <int P>
void check_fresh(random::Stream& stream) {
  for (const int p : {P == 2 ? 1 : P - 1, P})
    for (const int K : {1, 2, 4, 5, 11, 20}) BOOST_TEST_CONTEXT(K << " arms of " << p << " components in " << P) {
        const Experiment e = fresh_experiment(p, K);
        const lanes::Tables tables(e);
        FreshArms<P> fresh;
        fresh.start(tables, first_trajectory);
        std::vector<random::Stream> streams;
        for (int l = 0; l < width; ++l)
          streams.push_back(e.instance_stream(first_trajectory + l, random::Purpose::arms));
        for (const double scale : {1.0, 1e-8, 0.1}) {
          std::vector<arma::mat> arms;
          for (auto& own : streams) arms.push_back(e.arms->draw({}, own));
          Round<P>(stream, p, scale).check(fresh, arms);
        }
      }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(fresh_arms) {
  random::Stream stream = test_stream(7111);
  FOR_DIMENSIONS(check_fresh, stream);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
