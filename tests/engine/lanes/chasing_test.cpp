// Sign-chasing noise of a group of trajectories against the process itself, which takes a pseudo-inverse per round.
#define MIXLAB_LANES chasing_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/chasing.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/study/study_file.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::chasing_test;

namespace {

Experiment experiment_of(int p, const std::string& noise, int T) {
  return std::move(make_experiments(study::Study(study::parse_study_text(
                                        "[study]\nhorizon=" + std::to_string(T) + "\n[problem]\ndimension=" +
                                            std::to_string(p) + "\narms=sphere:100\n[noise]\nprocess=sign-chasing\n" +
                                            noise + "\n[confidence]\ndelay=1\n",
                                        "test.cfg")))
                       .front());
}

/// What is played: x of round t, in every lane; `error`: what the noise chases.
using Play = std::function<void(int t, const V* error, V* x)>;

struct Seen {
  std::int64_t n_rounds = 0, n_trusted = 0;
  double largest_error = 0;  ///< of <Lambda^+ sum, x>, relative to both lengths, where trusted
};

/// Both go through the same rounds and must make the same noise, to the last bit.
template <int P>
void compare(const Experiment& e, const Play& play, Seen& seen) {
  constexpr std::int64_t first = 3;
  const engine::lanes::Tables tables(e);
  Chasing<P> chasing(tables, first);
  std::vector<std::unique_ptr<noise::ReactivePath>> truth;
  for (int l = 0; l < width; ++l) truth.push_back(tables.start_reactive_noise(first + l));
  const auto p = static_cast<arma::uword>(e.p), lag = static_cast<arma::uword>(tables.chase->lag);
  std::vector<arma::mat> X(width, arma::mat(p, static_cast<arma::uword>(e.T)));
  arma::mat noises(static_cast<arma::uword>(e.T), width);
  for (arma::uword t = 0; t < static_cast<arma::uword>(e.T); ++t) {
    V x[P];
    for (V& component : x) component = 0.0;
    play(static_cast<int>(t), chasing.error(), x);
    const V eps = chasing.next(x);
    for (int l = 0; l < width; ++l) {
      const auto lane = static_cast<arma::uword>(l);
      const arma::vec own = lane_of(x, e.p, l);
      const double expected = truth[lane]->next({own.memptr(), p});
      BOOST_REQUIRE_EQUAL(eps[l], expected);
      X[lane].col(t) = own;
      noises(t, lane) = expected;
      ++seen.n_rounds;
      if (t < lag || select(chasing.trusted(), V(1.0), V(0.0))[l] == 0 || t % 7 != 0) continue;
      ++seen.n_trusted;
      const arma::mat past = X[lane].cols(0, t - lag);
      const arma::vec error = arma::pinv(past.t(), 1e-5 * arma::norm(past)) * noises.col(lane).head(t - lag + 1);
      const double scale = arma::norm(error) * arma::norm(own);
      if (scale > 0)
        seen.largest_error =
            std::max(seen.largest_error, std::abs(arma::dot(lane_of(chasing.error(), e.p, l) - error, own)) / scale);
    }
  }
}

template <int P>
void check(random::Stream& stream) {
  const int p = P - (P > 2 ? 1 : 0);
  const auto arms = random_vectors<P>(stream, 6, p);
  const auto play_arm = [&](int k, V* x) { copy<P>(x, arms.data() + k * P); };
  Seen free, few, flat;
  for (const std::string noise :
       {"frozen=0.3", "frozen=0.8\nlaw=rademacher\nlag=12", "frozen=0.5\nlaw=uniform\nlag=3"}) {
    const Experiment e = experiment_of(p, noise, P > 12 ? 150 : 700);
    compare<P>(
        e, [&](int, const V*, V* x) { copy<P>(x, random_vectors<P>(stream, 1, p).data()); }, free);
    // the same arms again and again: of rank 6 at most
    compare<P>(
        e, [&](int t, const V*, V* x) { play_arm(t < 10 ? t % 6 : t / 9 % 6, x); }, few);
    // one arm from the start, another one late; and in one lane arms that do not move
    compare<P>(
        e,
        [&](int t, const V*, V* x) {
          play_arm(t > 90, x);
          for (int i = 0; i < P; ++i) x[i].set(1, t < 20 ? 0.0 : i == 0 ? 1.0 : 0.0);
        },
        flat);
  }
  for (const Seen& seen : {free, few, flat}) {
    BOOST_TEST(seen.n_trusted > seen.n_rounds / 14);
    BOOST_TEST(seen.largest_error < Chasing<P>::doubt / 100);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_chasing)

BOOST_AUTO_TEST_CASE(makes_the_noise_of_the_process) {
  random::Stream stream = test_stream(7801);
  check<2>(stream);
  check<3>(stream);
  check<10>(stream);
  check<16>(stream);
}

/// Arms nearly parallel: the pseudo-inverse cuts off what is below 1e-9 of the trace, so do the lanes.
BOOST_AUTO_TEST_CASE(follows_the_rank_decision) {
  for (const double angle : {1e-3, 1e-4, 3e-5, 1e-5, 9e-6, 4e-6, 1e-6, 1e-9}) {
    const Experiment e = experiment_of(3, "frozen=0.4", 400);
    Seen seen;
    compare<3>(
        e,
        [&](int t, const V*, V* x) {
          x[0] = 0.8;
          x[1] = t % 5 == 0 ? 0.8 * angle : 0.0;
          x[2] = t % 11 == 3 ? 0.5 : 0.0;
        },
        seen);
    BOOST_TEST(seen.largest_error < Chasing<3>::doubt / 10);
  }
}

/// Actions all but orthogonal to the error, which nearly parallel ones before have left with few digits.
BOOST_AUTO_TEST_CASE(knows_what_it_cannot_tell) {
  random::Stream stream = test_stream(7802);
  for (const double angle : {1e-2, 1e-3, 3e-4}) {
    Seen seen;
    compare<3>(
        experiment_of(3, "frozen=0.4", 600),
        [&](int t, const V* error, V* x) {
          const V across = angle * random_lanes(stream, -1, 1), above = random_lanes(stream, -1, 1);
          const V part[3] = {V(0.8), across, t % 11 == 3 ? above : V(0.0)};
          copy<3>(x, part);
          const V length2 = dot<3>(error, error);
          if (t < 40 || t % 2 == 0 || !all(length2 > 0.0)) return;
          const V along = dot<3>(error, x) / length2, tiny = 1e-10 * random_lanes(stream, -1, 1) / sqrt(length2);
          add<3>(x, tiny - along, error);
        },
        seen);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
