#include "mixlab/engine/lanes.h"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>

#include "lanes/direct.h"
#include "lanes/following.h"
#include "lanes/random_cell.h"
#include "mixlab/core/error.h"
#include "mixlab/core/hash.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/engine/reference.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::engine;

namespace {

constexpr double kkt_tolerance = 1e-10;
constexpr double agreement = 1e-8;
constexpr double near_tie = 1e-7;
constexpr double same_vector = 1e-6;  // in the ball
constexpr int n_compared = 8;         ///< trajectories of a cell

/// The long forms: tests/soak.
bool long_form() {
  return std::getenv("MIXLAB_SOAK") != nullptr;
}

Experiment experiment_of(const std::string& text) {
  return std::move(make_experiments(study::Study(study::parse_study_text(text, "test.cfg"))).front());
}

std::vector<Isa> instruction_sets() {
  std::vector<Isa> found;
  for (const Isa isa : {Isa::portable, Isa::fused, Isa::avx2, Isa::avx512})
    if (supported(isa)) found.push_back(isa);
  return found;
}

bool has_least_squares(const Experiment& e) {
  bool has = e.policy_set->centre() == bandit::Centre::least_squares;
  for (const auto& monitored : e.sets) has = has || monitored.set->centre() == bandit::Centre::least_squares;
  return has;
}

// ---- agreement with the reference engine

struct Comparison {
  std::int64_t n_cells = 0, n_trajectories = 0, n_rounds = 0, n_parted = 0, n_fallbacks = 0, n_active = 0;
  double largest_kkt = 0, largest_error = 0;
  Following::Seen ball;
};

/// How far the scores of two arms are apart in round t, if the policy goes by scores; else infinity.
double score_difference(const Experiment& e, const Trace& trace, std::int64_t t, const arma::vec& x) {
  bandit::Regression data(e.p, e.B, e.lambdas);
  for (arma::uword s = 0; s < static_cast<arma::uword>(t - e.schedule->at(t)); ++s)
    data.absorb(trace.action.col(s), trace.reward(s));
  const arma::mat two = arma::join_rows(x, trace.action.col(static_cast<arma::uword>(t - 1)));
  const bandit::View view{t, two, data, data.ridge(e.policy_ridge), *e.policy_set, trace.theta_star};
  return mixlab::engine::score_difference(*e.policy->rule(), view);
}

double row_error(const Row& row, const Row& truth) {
  double error = 0;
  for_each_column<Row>([&]<class Column>(const Column& column) {
    const auto left = column.values(row), right = column.values(truth);
    if (left.size() != right.size()) error = INFINITY;
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
      if constexpr (std::is_integral_v<typename Column::Element>)
        error = std::max(error, left[i] == right[i] ? 0.0 : INFINITY);
      else
        error = std::max(error, relative_error(left[i], right[i]));
    }
  });
  return error;
}

/// False if the paths part at a near-tie.
bool same_path(const Experiment& e, const Trace& trace, const std::vector<RoundState>& states) {
  for (const RoundState& state : states) {
    const arma::vec x(state.x);
    if (arma::approx_equal(x, trace.action.col(static_cast<arma::uword>(state.t - 1)), "absdiff", 0)) continue;
    const double difference = state.t > e.schedule->at(state.t) ? score_difference(e, trace, state.t, x) : INFINITY;
    BOOST_TEST(difference < near_tie, "another arm in round " << state.t << ", scores " << difference << " apart");
    return false;
  }
  return true;
}

void check_optimality(const Experiment& e, const std::vector<RoundState>& states, Comparison& seen) {
  Direct direct(e, states.front().trajectory);
  double worst = 0;
  for (const RoundState& state : states) {
    direct.absorb(state);
    worst = std::max(worst, direct.kkt_residual(state));
    seen.n_active += state.mu > 0;
  }
  BOOST_TEST(worst <= kkt_tolerance);
  seen.largest_kkt = std::max(seen.largest_kkt, worst);
}

/// The row of the reference engine; in the ball, along the path of the lane.
Row run_reference_beside(Experiment& e, const std::vector<RoundState>& states, Trace& trace, Comparison& seen) {
  const std::int64_t trajectory = states.front().trajectory;
  if (e.arms->kind() != bandit::Arms::Kind::ball) return run_reference(e, trajectory, &trace).value();
  std::unique_ptr<const bandit::Policy> policy = std::move(e.policy);
  e.policy = std::make_unique<Following>(*policy, states, same_vector, near_tie, seen.ball);
  const Row row = run_reference(e, trajectory, &trace).value();
  e.policy = std::move(policy);
  BOOST_TEST(seen.ball.largest_distance <= same_vector);
  return row;
}

void compare_trajectory(Experiment& e, const Row& row, const std::vector<RoundState>& states, Comparison& seen) {
  BOOST_REQUIRE(static_cast<std::int64_t>(states.size()) == e.T);
  Trace trace;
  const Row truth = run_reference_beside(e, states, trace, seen);
  ++seen.n_trajectories;
  seen.n_rounds += e.T;
  if (has_least_squares(e)) check_optimality(e, states, seen);
  if (!same_path(e, trace, states)) {
    ++seen.n_parted;
    return;
  }
  const double error = row_error(row, truth);
  BOOST_TEST(error <= agreement);
  seen.largest_error = std::max(seen.largest_error, error);
}

void compare_cell(Experiment e, Isa isa, std::int64_t first, Comparison& seen) {
  if (!why_not_lanes(e).empty()) {
    ++seen.n_fallbacks;
    return;
  }
  ++seen.n_cells;
  std::map<std::int64_t, std::vector<RoundState>> states;
  const RoundObserver observer = [&](const RoundState& state) { states[state.trajectory].push_back(state); };
  const std::vector<Row> rows = Lanes(e, isa).run(first, n_compared, &observer).value();
  BOOST_REQUIRE(rows.size() == states.size());
  for (const auto& [trajectory, of_trajectory] : states)
    compare_trajectory(e, rows[static_cast<std::size_t>(trajectory - first)], of_trajectory, seen);
}

// ---- bits

using Hashes = std::map<std::int64_t, std::string>;

void add(Hasher& hasher, const RoundState& state) {
  const auto add_all = [&](std::initializer_list<double> values) {
    hasher.add(std::data(values), values.size() * sizeof(double));
  };
  for (const auto* vector : {&state.x, &state.theta_hat, &state.theta_ridge})
    hasher.add(vector->data(), vector->size() * sizeof(double));
  add_all({static_cast<double>(state.t), state.y, state.eps, state.mu, state.q_Lambda, state.q_loss, state.error2,
           state.q_ridge, state.logdet});
}

void add(Hasher& hasher, const Row& row) {
  for_each_column<Row>([&](const auto& column) {
    const auto values = column.values(row);
    hasher.add(values.data(), values.size_bytes());
  });
}

using Change = std::function<void(RoundState&)>;

/// One hash of every round and of the row per trajectory.
Hashes hashes_of(const Experiment& e, Isa isa, std::int64_t first, int n, const Change& change = {}) {
  std::map<std::int64_t, Hasher> hashers;
  const RoundObserver observer = [&](const RoundState& state) {
    RoundState changed = state;
    if (change) change(changed);
    add(hashers[state.trajectory], changed);
  };
  const std::vector<Row> rows = Lanes(e, isa).run(first, n, &observer).value();
  Hashes hashes;
  for (auto& [trajectory, hasher] : hashers) {
    add(hasher, rows[static_cast<std::size_t>(trajectory - first)]);
    hashes[trajectory] = hasher.hex();
  }
  return hashes;
}

std::string bits_study(int p, const std::string& arms, int T, const std::string& more,
                       const std::string& noise = "iid") {
  return "[study]\nhorizon=" + std::to_string(T) + "\n[problem]\ndimension=" + std::to_string(p) + "\narms=" + arms +
         "\n[noise]\nprocess=" + noise + "\n[confidence]\ndelay=7\nphi=0.01\nmonitor=" + all_sets + " coin\n" + more;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes)

BOOST_AUTO_TEST_CASE(agrees_with_the_reference) {
  const int n_cells = long_form() ? 1400 : 48;
  const std::int64_t longest = long_form() ? 700 : 150;
  const std::vector<Isa> isas = instruction_sets();
  random::Stream stream = test_stream(7001);
  Comparison seen;
  for (int i = 0; i < n_cells; ++i) {
    const RandomCell cell(stream, longest);
    const Isa isa = isas[static_cast<std::size_t>(i) % isas.size()];
    BOOST_TEST_CONTEXT("cell " << i << " in " << name_of(isa) << "\n" << cell.text())
    compare_cell(cell.experiment(), isa, integer_in(stream, 0, 50), seen);
  }
  std::cout << "lanes against reference: " << seen.n_cells << " cells (" << seen.n_fallbacks << " more fall back), "
            << seen.n_trajectories << " trajectories, " << seen.n_rounds << " rounds, ball active in " << seen.n_active
            << "; largest KKT residual " << seen.largest_kkt << ", largest error of a statistic " << seen.largest_error
            << "; parted at a near-tie: " << seen.n_parted << "; in the ball " << seen.ball.n_rounds
            << " choices, largest distance " << seen.ball.largest_distance << ", tied " << seen.ball.n_ties << "\n";
  BOOST_TEST(seen.n_parted <= seen.n_trajectories / 10000 + (long_form() ? 0 : 1));
  BOOST_TEST(seen.n_cells > 2 * n_cells / 3);
  BOOST_TEST(seen.n_active > seen.n_rounds / 10);
  BOOST_TEST(seen.n_active < seen.n_rounds * 9 / 10);
}

/// Where no key depends on the horizon, a longer run begins like a shorter one, bit for bit.
BOOST_AUTO_TEST_CASE(a_schedule_does_not_know_the_horizon) {
  for (const std::string noise : {"sticky\nrho=0.9", "ar1\nrho=0.8", "algebraic\nr=0.7"})
    for (const std::string policy : {"mixing-linucb", "thompson", "mixing-linucb\nucb=ellipsoid_ball"})
      for (const std::string arms : {"sphere:7", "fresh:5", "ball"}) {
        const std::string schedule = noise.starts_with("algebraic") ? "schedule:algebraic" : "schedule:geometric";
        const auto states_of = [&](int T) {
          const Experiment e =
              experiment_of("[study]\nhorizon=" + std::to_string(T) + "\n[problem]\ndimension=3\narms=" + arms +
                            "\n[noise]\nprocess=" + noise + "\n[policy]\nname=" + policy +
                            "\nset=anytime-telescope\ndelay=" + schedule +
                            "\n[confidence]\ndelay=3\nmonitor=anytime-telescope chains\n");
          BOOST_TEST(why_not_lanes(e) == "");
          std::map<std::int64_t, std::vector<RoundState>> states;
          const RoundObserver observer = [&](const RoundState& state) { states[state.trajectory].push_back(state); };
          BOOST_REQUIRE(Lanes(e).run(3, 5, &observer).has_value());
          return states;
        };
        constexpr int T = 170;
        const auto shorter = states_of(T), longer = states_of(2 * T);
        for (const auto& [trajectory, states] : shorter)
          for (std::size_t t = 0; t < states.size(); ++t) {
            Hasher short_hash, long_hash;
            add(short_hash, states[t]);
            add(long_hash, longer.at(trajectory)[t]);
            BOOST_REQUIRE(short_hash.hex() == long_hash.hex());
          }
      }
}

BOOST_AUTO_TEST_CASE(agrees_where_a_sample_turns_the_estimate_round) {
  // one arm all the time, so that Lambda is singular, and a sum of rewards that changes its sign
  Comparison seen;
  compare_cell(experiment_of("[study]\nseed=578949844\nhorizon=300\n[problem]\ndimension=27\narms=sphere:24\n"
                             "norm_bound=2\ntheta_norm=0.02\n[noise]\nprocess=gaussian-ar1\nrho=0.7\nsigma=0.5\n"
                             "[policy]\nname=greedy\nset=excess-loss\n[confidence]\ndelay=1\nphi=0.05\n"
                             "delta=0.001\nlambda=1\nmonitor=oful\n"),
               Isa::portable, 48, seen);
  BOOST_TEST(seen.n_parted == 0);
}

BOOST_AUTO_TEST_CASE(agrees_where_a_p_value_feels_the_residual) {
  // without a delay the cost of log(1/delta) is lowest: 2 sigma^2
  Comparison seen;
  const std::string text =
      "[study]\nseed=837052453\nhorizon=186\n[problem]\ndimension=3\narms=sphere:3\nnorm_bound=10\ntheta_norm=9\n"
      "[noise]\nprocess=sticky\nrho=0.9\nsigma=3\n[policy]\nname=random\nset=tight\n[confidence]\ndelay=1\nphi=0\n"
      "delta=0.2\nmonitor=" +
      std::string(all_sets) + "\n";
  for (std::int64_t first = 0; first < 64; first += n_compared)
    compare_cell(experiment_of(text), choose_isa(), first, seen);
}

BOOST_AUTO_TEST_CASE(agrees_in_many_dimensions) {
  Comparison seen;
  for (const int p : {33, 48, 61, 90, 128})
    for (const std::string delay : {"1", "20"}) BOOST_TEST_CONTEXT("p = " << p << ", delay " << delay)
  compare_cell(experiment_of("[study]\nhorizon=" + std::to_string(long_form() ? 600 : 3000 / p) +
                             "\n[problem]\ndimension=" + std::to_string(p) +
                             "\narms=sphere:30\n[noise]\nprocess=sticky\nrho=0.5\n[policy]\ndelay=" + delay +
                             "\n[confidence]\ndelay=20\nphi=0.01\nmonitor=" + all_sets + "\n"),
               choose_isa(), 0, seen);
  BOOST_TEST(seen.n_cells == 10);
  BOOST_TEST(seen.n_parted == 0);
  std::cout << "many dimensions: largest KKT residual " << seen.largest_kkt << ", largest error of a statistic "
            << seen.largest_error << "\n";
}

BOOST_AUTO_TEST_CASE(a_determinant_that_has_exactly_doubled_is_not_stale) {
  // along the axes det V is a product of whole numbers
  Comparison seen;
  compare_cell(
      experiment_of("[study]\nseed=167028500\nhorizon=516\n[problem]\ndimension=3\narms=basis\ntheta_norm=0.01\n"
                    "[noise]\nprocess=iid\n[policy]\ndelay=20\n[confidence]\ndelay=3\nlambda=1\nmonitor=oful\n"),
      Isa::portable, 0, seen);
  BOOST_TEST(seen.n_parted == 0);
}

BOOST_AUTO_TEST_CASE(greedy_in_the_ball_stays_on_the_axis_it_started_on) {  // whatever is made anew on the way
  const Experiment e = experiment_of(
      "[study]\nhorizon=1200\n[problem]\ndimension=3\narms=ball\n[noise]\nprocess=iid\n[policy]\nname=greedy\nlambda=0."
      "3\n"
      "[confidence]\ndelay=1\n");
  std::int64_t n_off = 0;
  const RoundObserver observer = [&](const RoundState& state) { n_off += state.x[1] != 0 || state.x[2] != 0; };
  BOOST_REQUIRE(Lanes(e).run(0, 4, &observer).has_value());
  BOOST_TEST(n_off == 0);
}

BOOST_AUTO_TEST_CASE(the_comparison_has_power) {
  // a statistic, an action and an estimate that are a little wrong
  const Experiment e = experiment_of(bits_study(3, "sphere:6", 60, ""));
  std::vector<RoundState> states;
  const RoundObserver observer = [&](const RoundState& state) {
    if (state.trajectory == 5) states.push_back(state);
  };
  const Row row = Lanes(e).run(5, 1, &observer)->front();
  Trace trace;
  const Row truth = run_reference(e, 5, &trace).value();
  BOOST_TEST(row_error(row, truth) <= agreement);
  Row wrong = row;
  wrong.sup_ratio[3] *= 1 + 3e-8;
  wrong.sup_ratio[3] += 3e-8;
  BOOST_TEST(row_error(wrong, truth) > agreement);
  wrong = row;
  wrong.first_violation[0] += 1;
  BOOST_TEST(row_error(wrong, truth) > agreement);

  Direct direct(e, 5);
  for (const RoundState& state : states) direct.absorb(state);
  RoundState last = states.back();
  BOOST_TEST(direct.kkt_residual(last) <= kkt_tolerance);
  BOOST_TEST(direct.error(last) <= agreement);
  last.theta_hat[0] += 1e-9;
  BOOST_TEST(direct.kkt_residual(last) > kkt_tolerance);
  last = states.back();
  last.mu += 1e-8 * std::max(1.0, last.mu);
  BOOST_TEST(direct.kkt_residual(last) > kkt_tolerance);
  last = states.back();
  last.logdet *= 1 + 1e-7;
  BOOST_TEST(direct.error(last) > agreement);
}

BOOST_AUTO_TEST_CASE(says_what_it_does_not_take) {
  const auto reason = [](const std::string& text) {
    const std::string noise = text.find("[noise]") == std::string::npos ? "[noise]\nprocess=sticky\nrho=0.5\n" : "";
    const std::string delay = text.find("[confidence]") == std::string::npos ? "[confidence]\ndelay=5\n" : "";
    return why_not_lanes(experiment_of("[study]\nhorizon=20\n" + noise + delay + text));
  };
  BOOST_TEST(reason("").empty());
  BOOST_TEST(reason("[problem]\ndimension=128\narms=sphere:200\n").empty());
  BOOST_TEST(reason("[problem]\ndimension=129\narms=sphere:4\n").empty());
  BOOST_TEST(!reason("[problem]\ndimension=129\narms=sphere:200\n").empty());
  BOOST_TEST(reason("[problem]\narms=fresh:4\n").empty());
  const Experiment large =
      experiment_of("[problem]\ndimension=129\narms=ball\n[noise]\nprocess=iid\n[confidence]\ndelay=5\n");
  BOOST_TEST(!uses_lanes(large, Engine::automatic));
  BOOST_TEST(!uses_lanes(experiment_of("[noise]\nprocess=iid\n[confidence]\ndelay=5\n"), Engine::reference));
  BOOST_CHECK_THROW(uses_lanes(large, Engine::lanes), InputError);
}

BOOST_AUTO_TEST_CASE(rules_without_a_player_go_to_the_reference) {
  class Stranger final : public bandit::Policy {
   public:
    explicit Stranger(std::string_view rule) : rule_(rule) {}
    std::optional<bandit::Rule> rule() const override { return bandit::Rule{rule_}; }
    arma::uword choose(const bandit::View&, random::Stream&) const override { return 0; }
    arma::vec choose_in_ball(const bandit::View& view, random::Stream&) const override { return view.theta_star; }

   private:
    std::string_view rule_;
  };
  Experiment e = experiment_of("[noise]\nprocess=iid\n[confidence]\ndelay=5\n");
  e.policy = std::make_unique<Stranger>("greedy");
  BOOST_TEST(why_not_lanes(e).empty());
  e.policy = std::make_unique<Stranger>("greedy as never before");
  BOOST_TEST(!why_not_lanes(e).empty());
}

BOOST_AUTO_TEST_CASE(bits_do_not_depend_on_lane_pack_or_instruction_set) {
  struct Case {
    int p;
    std::string arms;
    int T;
    std::string more;
    std::string noise = "iid";
  };
  const std::vector<Case> cases = {
      {1, "sphere:3", 300, ""},
      {2, "sphere:8", 900, "[policy]\ndelay=20\n"},
      {3, "sphere:5", 300, "[policy]\nname=linucb\nlambda=0.5\n"},
      {5, "sphere:20", 700, ""},
      {7, "sphere:4", 300, "[policy]\nname=thompson\n"},
      {10, "sphere:20", 700, "[policy]\ndelay=20\n"},
      {13, "sphere:20", 260, "[policy]\nname=greedy\n"},
      {20, "sphere:9", 260, "[policy]\ndelay=30\nlambda=2\n"},
      {32, "sphere:12", 150, ""},
      {33, "sphere:12", 120, "[policy]\ndelay=20\n"},
      {60, "sphere:6", 40, ""},
      {90, "sphere:100", 40, "[policy]\nname=round-robin\n"},
      {3, "fresh:5", 200, "[policy]\ndelay=20\n"},
      {4, "fresh:3", 100, "[policy]\nucb=ellipsoid_ball\n"},
      {10, "fresh:20", 200, ""},
      {14, "fresh:6", 120, "[policy]\nname=linucb\n"},
      {2, "ball", 200, "[policy]\nname=linucb\n"},
      {4, "ball", 200, "[policy]\ndelay=20\nucb=ellipsoid_ball\n", "sign-chasing"},
      {6, "sphere:5", 100, "[policy]\nucb=ellipsoid_ball\n", "sign-chasing"},
      {2, "sphere:8", 400, "[policy]\nucb=ellipsoid_ball\ndelay=20\n", "sign-chasing\nlag=3\nlaw=rademacher"},
      {10, "sphere:20", 300, "[policy]\nucb=ellipsoid_ball\ndelay=20\n", "sign-chasing"},
      {10, "ball", 300, "[policy]\ndelay=20\n", "iid"},
      {16, "sphere:9", 150, "[policy]\nname=greedy\n", "sign-chasing\nfrozen=0.8"},
      {20, "ball", 80, "[policy]\nname=linucb\nucb=ellipsoid_ball\n"},
      {9, "ball", 100, "[policy]\nname=thompson\n"},
      {17, "ball", 60, ""},
  };
  for (const Case& c : cases) BOOST_TEST_CONTEXT("p = " << c.p << " " << c.more) {
      const Experiment e = experiment_of(bits_study(c.p, c.arms, c.T, c.more, c.noise));
      const int n = pack_width(e).most < 8 ? 20 : 68;  // more than two packs of the widest
      Hashes truth;
      for (int first = 0; first < n; first += 2) truth.merge(hashes_of(e, Isa::portable, first, 2));
      for (const Isa isa : instruction_sets()) {
        const int most = pack_width(e, isa).most;
        for (const auto& [first, size] : std::vector<std::pair<int, int>>{// other lanes, other neighbours
                                                                          {0, most},
                                                                          {1, most},
                                                                          {3, std::min(5, most)},
                                                                          {6, most - 1},
                                                                          {2, 1},
                                                                          {n - most, most}}) {
          const Hashes pack = hashes_of(e, isa, first, size);
          BOOST_TEST(static_cast<int>(pack.size()) == size);
          for (const auto& [trajectory, hash] : pack)
            BOOST_TEST(hash == truth.at(trajectory),
                       "trajectory " << trajectory << " of the " << size << " from " << first << ", " << name_of(isa));
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(hashes_see_a_single_bit_of_a_single_round) {
  const Experiment e = experiment_of(bits_study(5, "sphere:6", 80, ""));
  const Hashes truth = hashes_of(e, choose_isa(), 0, 4);
  for (const auto& [trajectory, hash] : truth)
    if (trajectory > 0) BOOST_TEST(hash != truth.at(0));
  const auto nudge = [](double& x) { x = std::nextafter(x, INFINITY); };
  const std::vector<Change> changes = {
      [&](RoundState& state) { nudge(state.theta_hat[2]); }, [&](RoundState& state) { nudge(state.theta_ridge[4]); },
      [&](RoundState& state) { nudge(state.x[0]); },         [&](RoundState& state) { nudge(state.q_loss); },
      [&](RoundState& state) { nudge(state.logdet); },       [&](RoundState& state) { nudge(state.mu); },
  };
  for (const Change& change : changes) {
    const Hashes changed = hashes_of(e, choose_isa(), 0, 4, [&](RoundState& state) {
      if (state.t == 37 && state.trajectory == 1) change(state);
    });
    for (const auto& [trajectory, hash] : truth) BOOST_TEST((changed.at(trajectory) != hash) == (trajectory == 1));
  }
}

BOOST_AUTO_TEST_CASE(errors_do_not_add_up) {
  const std::int64_t T = long_form() ? 1000000 : 50000;
  const std::vector<std::string> studies = {
      "[problem]\narms=circle:8\n[noise]\nprocess=sticky\nrho=0.9\n[policy]\ndelay=20\n",
      "[problem]\ndimension=3\narms=sphere:10\ntheta_norm=0.5\n[noise]\nprocess=iid\n[policy]\nname=linucb\n",
      "[problem]\ndimension=5\narms=gap:12:0.2\n[noise]\nprocess=ar1\nrho=0.8\nsigma=2\n[policy]\nname="
      "thompson\nlambda=0.1\n",
  };
  for (const auto& text : studies) BOOST_TEST_CONTEXT(text) {
      const Experiment e = experiment_of("[study]\nhorizon=" + std::to_string(T) + "\n" + text +
                                         "[confidence]\ndelay=20\nphi=0.001\nmonitor=" + all_sets + "\n");
      std::map<std::int64_t, Direct> direct;
      double kkt = 0, error = 0;
      const RoundObserver observer = [&](const RoundState& state) {
        Direct& truth = direct.try_emplace(state.trajectory, e, state.trajectory).first->second;
        truth.absorb(state);
        kkt = std::max(kkt, truth.kkt_residual(state));
        if (state.t % 97 == 0 || state.t > T - 20) error = std::max(error, truth.error(state));
      };
      const Row row = Lanes(e, supported(Isa::avx2) ? Isa::avx2 : Isa::portable).run(0, 2, &observer)->front();
      const double against_reference = row_error(row, run_reference(e, 0).value());
      std::cout << T << " rounds at p = " << e.p << ": largest KKT residual " << kkt << ", error of a round " << error
                << ", of the row " << against_reference << "\n";
      BOOST_TEST(kkt <= kkt_tolerance);
      BOOST_TEST(error <= 1e-6);  // of one round: the KKT tolerance is relative to ||b||, which grows with t
      BOOST_TEST(against_reference <= agreement);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
