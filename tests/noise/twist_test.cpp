// Twisted paths of every process against its own law. With paths from all components in equal numbers and
// mix = mean_c L_c, every average of L_c/mix is 1 and every average of f/mix is the mean of f under the process itself.
#include "mixlab/noise/twist.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "checks.h"
#include "laws.h"
#include "mixlab/core/catalogue.h"

using namespace mixlab;
using namespace mixlab::noise;

namespace {

constexpr std::size_t n_components = 4;
constexpr std::size_t n_rounds = 40;
constexpr std::size_t lag = 6;
constexpr int n_paths = 12000;

struct Case {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;
  double strength = 0.2;  ///< of the tilts
};

const std::vector<Case> cases = {
    {"iid", {{"law", "gaussian"}}},
    {"iid", {{"law", "rademacher"}}},
    {"iid", {{"law", "uniform"}}},
    {"sticky", {{"rho", "0.8"}}, 0.1},
    {"sticky", {{"rho", "-0.5"}}},
    {"ar1", {{"rho", "0.7"}, {"law", "rademacher"}}, 0.1},
    {"ar1", {{"rho", "-0.6"}, {"law", "uniform"}}},
    {"gaussian-ar1", {{"rho", "0.8"}}, 0.1},
    {"algebraic",
     {{"r", "1"}, {"shift", "3"}, {"memory", "1000"}, {"generator", "exponentials"}, {"law", "uniform"}},
     0.1},
    {"algebraic", {{"r", "1"}, {"shift", "3"}, {"memory", "100"}, {"generator", "fft"}}, 0.1},
    {"moving-average", {{"weights", "1 -0.5 2"}}},
    {"markov", {{"transition", "0.8 0.2 0 / 0.1 0.7 0.2 / 0.5 0 0.5"}, {"values", "1 -1 -3"}}, 0.1},
    {"block-repeat", {{"length", "7"}}, 0.1},
    {"frozen-sign", {{"frozen", "0.4"}}},
    {"frozen-block", {{"frozen", "0.3"}, {"length", "5"}, {"law", "uniform"}}, 0.1},
    {"sign-chasing", {{"frozen", "0.3"}, {"lag", "2"}}},
};

std::unique_ptr<const Process> process_of(const Case& each) {
  const Entry* entry = catalogue().find(Kind::noise, each.name);
  std::map<std::string, std::string> written;
  for (const auto& parameter : entry->parameters)
    if (!parameter.fallback().empty()) written[parameter.key()] = parameter.fallback();
  for (const auto& [key, value] : each.parameters) written[key] = value;
  Values values;
  for (const auto& parameter : entry->parameters)
    if (written.contains(parameter.key()))
      values.set(parameter.key(), parameter.parse("noise", written[parameter.key()]));
  if (entry->complete) entry->complete(values);
  return make_process(each.name, values, n_rounds);
}

/// What is played in round t: +1 or -1 after the noise up to t - lag, so that a tilt depends on the past.
double played(const std::vector<double>& eps, std::size_t t) {
  if (t < lag) return t % 3 == 0 ? -1 : 1;
  return eps[t - lag] + 0.3 * eps[(t - lag) / 2] > 0 ? 1 : -1;
}

struct Draw {
  std::vector<double> eps;
  std::vector<double> log_ratios;
};

random::Stream stream_of(std::uint64_t use, std::uint64_t path) {
  return random::Stream({test_seed(), use, path, random::Purpose::noise});
}

/// Component 0 is the process itself; the others tilt the same way, the other way, and more and more.
double tilt(std::size_t component, double strength, std::size_t t) {
  const double size[] = {0, strength, -strength, 2 * strength * static_cast<double>(t) / n_rounds};
  return size[component];
}

enum class Ask { at_the_end, every_round };  ///< for the ratios

/// `claimed` is told noise and ratios of every round, if it is asked for them.
template <class Claimed>
Draw draw_twisted(const Process& process, double strength, std::uint64_t path, Ask ask, Claimed claimed) {
  const auto twisted =
      process.start_twisted(stream_of(71, path), {.n_components = n_components, .drawn = path % n_components, .p = 1});
  Draw draw;
  std::vector<double> h;
  for (std::size_t t = 0; t < n_rounds; ++t) {
    if (t % (lag / 2) == 0) {
      const std::size_t end = std::min(t + lag, n_rounds);
      h.clear();
      for (std::size_t s = t; s < end; ++s)
        for (std::size_t c = 0; c < n_components; ++c) h.push_back(played(draw.eps, s) * tilt(c, strength, s));
      twisted->plan({n_components, h, static_cast<std::int64_t>(n_rounds - end)});
    }
    const double x = played(draw.eps, t);
    draw.eps.push_back(twisted->next({&x, 1}));
    if (ask == Ask::every_round) claimed(t, draw.eps, twisted->log_ratios());
  }
  const auto ratios = twisted->log_ratios();
  draw.log_ratios.assign(ratios.begin(), ratios.end());
  return draw;
}

Draw draw_twisted(const Process& process, double strength, std::uint64_t path) {
  return draw_twisted(process, strength, path, Ask::at_the_end, [](auto&&...) {});
}

std::vector<double> draw_plain(const Process& process, std::uint64_t path) {
  std::vector<double> eps;
  if (!process.reactive()) {
    eps.resize(n_rounds);
    process.start(stream_of(72, path))->next(eps);
    return eps;
  }
  const auto reactive = process.start_reactive(stream_of(72, path), 1);
  for (std::size_t t = 0; t < n_rounds; ++t) {
    const double x = played(eps, t);
    eps.push_back(reactive->next({&x, 1}));
  }
  return eps;
}

struct Mean {
  double sum = 0, sum2 = 0, n = 0;
  void add(double value) {
    sum += value;
    sum2 += value * value;
    ++n;
  }
  double mean() const { return sum / n; }
  double error2() const { return (sum2 / n - mean() * mean()) / n; }
};

/// L_c/mix, mix = mean_c L_c; a wrong law has L_c too large by `factor` for c > 0.
std::vector<double> shares(const Draw& draw, double factor) {
  std::vector<double> ratios;
  double mix = 0;
  for (const double log_ratio : draw.log_ratios) {
    ratios.push_back((ratios.empty() ? 1 : factor) * std::exp(log_ratio));
    mix += ratios.back() / n_components;
  }
  for (double& ratio : ratios) ratio /= mix;
  return ratios;
}

/// The largest |z| of an average of L_c/mix, which should be 1.
double worst_share_z(const std::vector<Draw>& draws, double factor) {
  double worst = 0;
  for (std::size_t c = 0; c < n_components; ++c) {
    Mean mean;
    for (const Draw& draw : draws) mean.add(shares(draw, factor)[c]);
    worst = std::max(worst, std::abs(mean.mean() - 1) / std::sqrt(mean.error2()));
  }
  return worst;
}

/// What is compared of a path: covariances and what a bandit sees.
std::vector<double> features(const std::vector<double>& eps) {
  double seen = 0;
  for (std::size_t t = 0; t < n_rounds; ++t) seen += played(eps, t) * eps[t];
  const double last = eps.back();
  return {last, last * last, eps[0],         eps[0] * eps[1], eps[20] * eps[21], eps[20] * eps[25],
          seen, seen * seen, std::tanh(seen)};
}

/// The largest |z| between weighted twisted paths and plain ones.
double worst_feature_z(const Process& process, const std::vector<Draw>& draws) {
  std::vector<Mean> weighted(9), plain(9);
  for (const Draw& draw : draws) {
    const double weight = shares(draw, 1)[0];  // L_0 = 1
    const auto values = features(draw.eps);
    for (std::size_t k = 0; k < values.size(); ++k) weighted[k].add(weight * values[k]);
  }
  for (int i = 0; i < n_paths; ++i) {
    const auto values = features(draw_plain(process, static_cast<std::uint64_t>(i)));
    for (std::size_t k = 0; k < values.size(); ++k) plain[k].add(values[k]);
  }
  double worst = 0;
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const double error2 = weighted[k].error2() + plain[k].error2();
    worst = std::max(worst, std::abs(weighted[k].mean() - plain[k].mean()) / std::sqrt(error2));
  }
  return worst;
}

/// A process of signs: P(eps_t = 1 | the past) = (1 + rho eps_{t-1})/2.
struct SignCase {
  Case process;
  double rho;
};

const std::vector<SignCase> sign_cases = {
    {{"iid", {{"law", "rademacher"}}}, 0},
    {{"sticky", {{"rho", "0.8"}}}, 0.8},
    {{"sticky", {{"rho", "-0.5"}}}, -0.5},
};

/// What the ratios say of the law that a path is drawn from, q_t(s | past) = P(s | past) L_t/L_{t-1}, against the signs
/// drawn: the largest |z| over rounds of the means of 1{eps_t = 1} - q_t(1 | past) and of L_{t-1}/L_t - 1. Ratios of
/// `wrong_round` are too large by `factor`.
double worst_sign_z(const SignCase& each, std::uint64_t paths, std::size_t wrong_round, double factor) {
  const auto process = process_of(each.process);
  std::vector<Mean> residuals(n_rounds), norms(n_rounds);
  for (std::uint64_t path = 0; path < paths; ++path) {
    const std::size_t drawn = path % n_components;
    double last = 0;
    draw_twisted(*process, each.process.strength, path, Ask::every_round,
                 [&](std::size_t t, const std::vector<double>& eps, std::span<const double> log_ratios) {
                   const double before = t == 0 ? 0 : eps[t - 1];
                   const double ratio = std::exp(log_ratios[drawn] - last) * (t == wrong_round ? factor : 1);
                   const double q = (1 + each.rho * before * eps[t]) / 2 * ratio;  // of the sign drawn
                   residuals[t].add(eps[t] > 0 ? 1 - q : q - 1);
                   norms[t].add(1 / ratio - 1);
                   last = log_ratios[drawn];
                 });
  }
  double worst = 0;
  for (std::size_t t = 0; t < n_rounds; ++t)
    for (const Mean& each_mean : {residuals[t], norms[t]})
      worst = std::max(worst, std::abs(each_mean.mean()) / std::sqrt(each_mean.error2()));
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(twisted_paths)

// 16 cases with 4 and 9 comparisons: false alarm below 1e-6 by the limit of checks.h
BOOST_AUTO_TEST_CASE(likelihood_ratios_are_those_of_the_process) {
  for (const Case& each : cases) {
    BOOST_TEST_CONTEXT(each.name << " " << each.parameters.front().second) {
      const auto process = process_of(each);
      std::vector<Draw> draws;
      for (std::uint64_t i = 0; i < n_paths; ++i) draws.push_back(draw_twisted(*process, each.strength, i));
      BOOST_TEST(worst_share_z(draws, 1) < z_many);
      BOOST_TEST(worst_share_z(draws, 1.15) > z_many);  // power: a constant of the density is wrong
      BOOST_TEST(worst_feature_z(*process, draws) < z_many);
      for (const Draw& draw : draws) BOOST_REQUIRE_SMALL(draw.log_ratios[0], 1e-10);
    }
  }
}

BOOST_AUTO_TEST_CASE(ratios_are_the_same_however_often_they_are_asked_for) {
  for (const Case& each : cases) {
    BOOST_TEST_CONTEXT(each.name << " " << each.parameters.front().second) {
      const auto process = process_of(each);
      for (std::uint64_t path = 0; path < 20; ++path) {
        const Draw once = draw_twisted(*process, each.strength, path);
        const Draw often = draw_twisted(*process, each.strength, path, Ask::every_round, [](auto&&...) {});
        BOOST_TEST(once.eps == often.eps);
        for (std::size_t c = 0; c < n_components; ++c)
          BOOST_REQUIRE_SMALL(once.log_ratios[c] - often.log_ratios[c], 1e-10);
      }
    }
  }
}

// 3 cases, 40 rounds, 2 means: false alarm below 1e-6 by the limit of checks.h
BOOST_AUTO_TEST_CASE(signs_are_drawn_as_their_ratios_say) {
  for (const SignCase& each : sign_cases) {
    BOOST_TEST_CONTEXT(each.process.name << " " << each.rho) {
      BOOST_TEST(worst_sign_z(each, 200000, 0, 1) < z_many);
      BOOST_TEST(worst_sign_z(each, 60000, 25, 1.02) > z_many);  // power: wrong by 2 % in a single round
    }
  }
}

BOOST_AUTO_TEST_CASE(tilts_push_the_noise_along) {  // by 5 standard errors or more
  for (const Case& each : cases) {
    BOOST_TEST_CONTEXT(each.name << " " << each.parameters.front().second) {
      const auto process = process_of(each);
      Mean along[n_components];
      for (std::uint64_t i = 0; i < 4000; ++i) {
        const Draw draw = draw_twisted(*process, each.strength, i);
        along[i % n_components].add(features(draw.eps)[6]);
      }
      const auto apart = [&](std::size_t low, std::size_t high) {
        return (along[high].mean() - along[low].mean()) / std::sqrt(along[high].error2() + along[low].error2());
      };
      BOOST_TEST(apart(0, 1) > 5);
      BOOST_TEST(apart(2, 0) > 5);
      BOOST_TEST(apart(0, 3) > 5);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_branch_keeps_the_past_and_has_a_fresh_future) {
  for (const Case& each : cases) {
    BOOST_TEST_CONTEXT(each.name << " " << each.parameters.front().second) {
      const auto process = process_of(each);
      const std::vector<double> h(n_rounds);
      const auto draw = [&](std::uint64_t branch) {
        const auto path = process->start_twisted(stream_of(73, 0), {});
        path->plan({1, h, 0});
        std::vector<double> eps;
        for (std::size_t t = 0; t < n_rounds; ++t) {
          if (t == 20) path->branch(stream_of(74, branch));
          const double x = 1;
          eps.push_back(path->next({&x, 1}));
        }
        return eps;
      };
      const auto first = draw(0);
      bool same_future = true;
      for (std::uint64_t branch = 1; branch <= 20; ++branch) {
        const auto other = draw(branch);
        BOOST_TEST(std::equal(first.begin(), first.begin() + 20, other.begin()));
        same_future = same_future && first == other;
      }
      BOOST_TEST(!same_future);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
