// block-repeat, frozen-sign, frozen-block: draws that are repeated, W1, W2 and W4 of MATHEMATICS.md B.7.
#include <boost/test/unit_test.hpp>
#include <limits>

#include "checks.h"

using namespace mixlab;

namespace {

Values parameters_of(double frozen, std::int64_t length, const std::string& law) {
  Values parameters;
  parameters.set("frozen", frozen);
  parameters.set("length", length);
  parameters.set("law", law);
  return parameters;
}

std::unique_ptr<const noise::Process> block_repeat(std::int64_t length, const std::string& law) {
  return make_process("block-repeat", parameters_of(0, length, law));
}
std::unique_ptr<const noise::Process> frozen_sign(double frozen, const std::string& law) {
  return make_process("frozen-sign", parameters_of(frozen, 1, law));
}
std::unique_ptr<const noise::Process> frozen_block(double frozen, std::int64_t length, const std::string& law) {
  return make_process("frozen-block", parameters_of(frozen, length, law));
}

const std::vector<std::string> laws = {"gaussian", "rademacher", "uniform"};

/// esssup |xi| of a draw of unit variance.
double largest_draw(const std::string& law) {
  return law == "gaussian" ? std::numeric_limits<double>::infinity() : law == "uniform" ? std::sqrt(3.0) : 1.0;
}

/// Rounds before the first change of value (draws of a law without atoms).
std::size_t first_run(const std::vector<double>& path) {
  std::size_t change = 1;
  while (change < path.size() && path[change] == path[0]) ++change;
  return change;
}

/// Whether rounds change their value at every L-th round and nowhere else.
bool runs_of(const std::vector<double>& path, std::size_t L) {
  const std::size_t change = first_run(path);
  if (change > L) return false;
  for (std::size_t t = 1; t < path.size(); ++t)
    if ((path[t] != path[t - 1]) != (t >= change && (t - change) % L == 0)) return false;
  return true;
}

/// Rounds from the start of the run of round t to t.
std::size_t age(const std::vector<double>& path, std::size_t t) {
  std::size_t k = 0;
  while (k < t && path[t - k - 1] == path[t]) ++k;
  return k;
}

/// The hidden sign of phi S + sqrt(1-phi^2) xi with a sign xi, from one value; 0 if it is none of the four.
double hidden_sign(double eps, double phi) {
  const double c = std::sqrt(1 - phi * phi);
  for (const double S : {-1.0, 1.0})
    for (const double xi : {-1.0, 1.0})
      if (std::abs(eps - phi * S - c * xi) < 1e-12) return S;
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(repeated)

BOOST_AUTO_TEST_CASE(certificates) {
  for (const std::string& law : laws) {
    const double top = largest_draw(law);
    for (const std::int64_t L : {1, 2, 5, 100}) {
      const auto process = block_repeat(L, law);
      BOOST_TEST(process->sigma() == 1);
      BOOST_TEST(process->phi_is_exact());
      BOOST_TEST(process->starts_stationary());
      for (const std::int64_t d : {1, 2, 4, 5, 6, 99, 100, 101}) {
        const double expected = d >= L ? 0 : top;
        BOOST_TEST((process->phi(d) == expected || std::abs(process->phi(d) - expected) < 1e-15));
        for (const double phi : {0.1, 0.5}) {
          const double both = d >= L ? phi : phi + std::sqrt(1 - phi * phi) * top;
          const auto block = frozen_block(phi, L, law);
          BOOST_TEST(block->sigma() == 1);
          BOOST_TEST((block->phi(d) == both || std::abs(block->phi(d) - both) < 1e-15));
          BOOST_TEST(frozen_sign(phi, law)->phi(d) == phi);
        }
      }
    }
    BOOST_TEST(frozen_sign(0.3, law)->sigma() == 1);
    BOOST_TEST(frozen_sign(0.3, law)->starts_stationary());
    BOOST_TEST(frozen_block(0.3, 5, law)->starts_stationary());
    BOOST_TEST(frozen_sign(0, law)->phi(1) == 0);
  }
}

BOOST_AUTO_TEST_CASE(draws_are_repeated_L_times_from_a_random_phase) {  // 2 x 11 comparisons at 6e-10
  const int n = 60000;
  for (const std::string law : {"gaussian", "uniform"})
    for (const std::size_t L : {1u, 4u, 7u}) {
      const auto paths = draw_paths(*block_repeat(static_cast<std::int64_t>(L), law), n, 24, 201);
      std::vector<double> first(L + 1);
      for (const auto& path : paths) {
        BOOST_REQUIRE(runs_of(path, L));
        ++first[first_run(path)];
      }
      if (L == 1) continue;
      const auto z = [&](std::size_t phases) {  // the first run is 1..L rounds long with probability 1/L each
        double worst = 0;
        const double p = 1.0 / static_cast<double>(phases);
        for (std::size_t k = 1; k <= L; ++k)
          worst = std::max(worst, std::abs(first[k] - n * p) / std::sqrt(n * p * (1 - p)));
        return worst;
      };
      BOOST_TEST(z(L) < z_many);
      BOOST_TEST(z(L + 1) > z_many);  // power: L + 1 phases, no random phase, other lengths
      BOOST_TEST(first[L] < 0.9 * n);
      BOOST_TEST(!runs_of(paths[0], L + 1));
      BOOST_TEST(!runs_of(paths[0], L - 1));
    }
}

BOOST_AUTO_TEST_CASE(block_repeat_autocovariance_and_sums) {  // 3 x 2 x 8 comparisons at 6e-10
  for (const std::string& law : laws)
    for (const std::size_t L : {2u, 5u}) {
      const std::size_t T = 10 * L;
      const auto paths = draw_paths(*block_repeat(static_cast<std::int64_t>(L), law), 20000, static_cast<int>(T), 202);
      const auto triangle = [](std::size_t length) {
        return [=](std::size_t k) { return std::max(0.0, 1 - static_cast<double>(k) / static_cast<double>(length)); };
      };
      std::vector<std::size_t> lags = {1, L - 1, L, L + 1, 2 * L};
      if (law != "rademacher") lags.push_back(0);
      BOOST_TEST(mean_z(paths, 0, [](double x) { return x; }) < z_many);
      BOOST_TEST(worst_covariance_z(paths, lags, triangle(L)) < z_many);
      BOOST_TEST(worst_covariance_z(paths, lags, triangle(L + 1)) > z_many);  // power: runs one longer
      if (law != "rademacher") BOOST_TEST(worst_covariance_z(scaled(paths, 1.03), lags, triangle(L)) > z_many);
      double variance = static_cast<double>(T);  // of the sum: all pairs
      for (std::size_t k = 1; k < L; ++k) variance += 2 * static_cast<double>(T - k) * triangle(L)(k);
      const auto square = [](const auto& path) {
        double sum = 0;
        for (const double eps : path) sum += eps;
        return sum * sum;
      };
      BOOST_TEST(std::abs(z_score(paths, variance, square)) < z_many);
      BOOST_TEST(std::abs(z_score(paths, static_cast<double>(T), square)) > z_many);  // power: independent rounds
      BOOST_TEST(variance > 0.9 * static_cast<double>(L * T));                        // W1: d t up to the phase
      BOOST_TEST(variance <= static_cast<double>(L * T));
    }
}

BOOST_AUTO_TEST_CASE(block_repeat_conditional_mean) {  // 2 x 4 x 6 comparisons at 6e-10; the phase is known
  const std::size_t L = 4;
  for (const std::string law : {"gaussian", "uniform"}) {
    const auto process = block_repeat(L, law);
    const auto paths = draw_paths(*process, 20000, 30, 203);
    for (const std::size_t d : {1u, 3u, 4u, 6u}) {
      const auto mean = [&](std::size_t known) {  // the draw if the run of t began at t-known or before, else 0
        return [=](const auto& path, std::size_t t) { return age(path, t) >= known ? path[t - known] : 0.0; };
      };
      BOOST_TEST(conditional_mean_z(paths, d, mean(d)) < z_many);
      if (d >= L) {
        BOOST_TEST(conditional_mean_z(paths, d, [](const auto&, std::size_t) { return 0.0; }) < z_many);
      } else {
        BOOST_TEST(conditional_mean_z(paths, d, [](const auto&, std::size_t) { return 0.0; }) > z_many);  // power
        BOOST_TEST(conditional_mean_z(paths, d, [=](const auto& path, std::size_t t) { return path[t - d]; }) > z_many);
      }
    }
  }
  for (const std::string law :
       {"rademacher", "uniform"}) {  // phi is attained: a value near the end is missing w.p. 1e-100
    double top = 0;
    for (const auto& path : draw_paths(*block_repeat(4, law), 5000, 40, 204))
      for (const double eps : path) top = std::max(top, std::abs(eps));
    BOOST_TEST(top <= block_repeat(4, law)->phi(1) * (1 + 1e-15));
    BOOST_TEST(top > block_repeat(4, law)->phi(1) * 0.99);
  }
}

BOOST_AUTO_TEST_CASE(block_repeat_pairs_are_stationary) {  // 4 comparisons at 6e-10
  const std::size_t L = 5;
  const auto z = [](const Paths& paths) {
    return std::abs(z_score(paths, 0, [](const auto& path) { return path[0] * path[1] - path[34] * path[35]; }));
  };
  for (const std::string law : {"gaussian", "rademacher"}) {
    auto paths = draw_paths(*block_repeat(L, law), 20000, 60, 205);
    BOOST_TEST(z(paths) < z_many);
    BOOST_TEST(std::abs(z_score(paths, 0.8, [](const auto& path) { return path[0] * path[1]; })) < z_many);
    if (law == "rademacher") continue;
    for (auto& path : paths)  // power: a run always begins with round 1
      path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(first_run(path)));
    BOOST_TEST(z(paths) > z_many);
  }
}

BOOST_AUTO_TEST_CASE(hidden_sign_never_changes) {  // 2 x 4 comparisons at 6e-10; else exact
  for (const double phi : {0.1, 0.3}) {
    const auto paths = draw_paths(*frozen_sign(phi, "rademacher"), 20000, 20, 206);
    Paths signs, draws;
    for (const auto& path : paths) {
      const double S = hidden_sign(path[0], phi);
      BOOST_REQUIRE(S != 0);
      for (const double eps : path) BOOST_REQUIRE(hidden_sign(eps, phi) == S);
      BOOST_REQUIRE(hidden_sign(path[0], phi + 0.001) == 0);  // power: phi wrong by 0.001
      signs.push_back({S});
      draws.emplace_back();
      for (const double eps : path) draws.back().push_back(eps - phi * S > 0 ? 1 : -1);
    }
    BOOST_TEST(mean_z(signs, 0, [](double x) { return x; }) < z_many);
    BOOST_TEST(mean_z(draws, 0, [](double x) { return x; }) < z_many);
    BOOST_TEST(covariance_z(draws, 1, 0) < z_many);
    BOOST_TEST(covariance_z(paths, 5, phi * phi) < z_many);
    BOOST_TEST(covariance_z(paths, 5, 0) > (phi > 0.2 ? z_many : 3));  // power
    for (auto& path : signs) path.push_back(path[0]);
    for (std::size_t i = 0; i < signs.size(); ++i) signs[i][1] *= draws[i][0];  // sign and draw are independent
    BOOST_TEST(std::abs(z_score(signs, 0, [](const auto& path) { return path[1]; })) < z_many);
  }
}

BOOST_AUTO_TEST_CASE(frozen_sign_variance_and_autocovariance) {  // 3 x 7 comparisons at 6e-10
  const double phi = 0.4;
  const std::vector<std::size_t> lags = {0, 1, 2, 10, 39};
  for (const std::string& law : laws) {
    const auto paths = draw_paths(*frozen_sign(phi, law), 20000, 60, 207);
    const auto theory = [](double size) { return [=](std::size_t k) { return k ? size * size : 1.0; }; };
    BOOST_TEST(mean_z(paths, 0, [](double x) { return x; }) < z_many);
    BOOST_TEST(worst_covariance_z(paths, lags, theory(phi)) < z_many);
    BOOST_TEST(worst_covariance_z(paths, lags, theory(phi + 0.03)) > z_many);         // power: phi wrong by 0.03
    BOOST_TEST(worst_covariance_z(scaled(paths, 1.03), lags, theory(phi)) > z_many);  // power: 3 % too large
    BOOST_TEST(same_law_z(paths, 0, 49) < z_many);
  }
}

BOOST_AUTO_TEST_CASE(frozen_sign_conditional_mean_tends_to_phi) {  // 2 x 3 x 6 comparisons at 6e-10
  // Gaussian draws: E[S | eps_1..eps_n] = tanh(phi (eps_1+..+eps_n)/(1-phi^2)).
  const double phi = 0.4;
  const auto paths = draw_paths(*frozen_sign(phi, "gaussian"), 20000, 60, 208);
  const auto posterior = [&](double size, std::size_t d) {
    return [=](const auto& path, std::size_t t) {
      double sum = 0;
      for (std::size_t s = 0; s + d <= t; ++s) sum += path[s];
      return size * std::tanh(size * sum / (1 - size * size));
    };
  };
  for (const std::size_t d : {1u, 5u, 25u}) {
    BOOST_TEST(conditional_mean_z(paths, d, posterior(phi, d)) < z_many);
    BOOST_TEST(conditional_mgf_z(paths, d, 1, posterior(phi, d)) < z_many);
    BOOST_TEST(conditional_mean_z(paths, d, posterior(phi + 0.05, d)) > z_many);  // power: phi wrong by 0.05
    BOOST_TEST(conditional_mean_z(paths, d, [](const auto&, std::size_t) { return 0.0; }) > z_many);
  }
  BOOST_TEST(conditional_mgf_z(scaled(paths, 1.3), 1, 1, posterior(phi, 1)) > z_many);  // power: 30 % too large
  std::vector<double> path(2000);  // the sum of 2000 rounds is 19 standard errors from where this could fail
  frozen_sign(phi, "gaussian")->start(random::Stream({test_seed(), 209, 0, random::Purpose::noise}))->next(path);
  const double bias = std::abs(posterior(phi, 1)(path, 1999));
  BOOST_TEST(bias <= phi);
  BOOST_TEST(bias > phi * (1 - 1e-9));
}

BOOST_AUTO_TEST_CASE(frozen_block_has_both) {  // 3 x 8 + 6 comparisons at 6e-10
  const double phi = 0.4, rest = 1 - phi * phi;
  const std::size_t L = 5;
  for (const std::string& law : laws) {
    const auto paths = draw_paths(*frozen_block(phi, L, law), 20000, 50, 210);
    const auto theory = [](double size, double length) {
      return [=](std::size_t k) {
        return size * size + (1 - size * size) * std::max(0.0, 1 - static_cast<double>(k) / length);
      };
    };
    const std::vector<std::size_t> lags = {0, 1, 3, 5, 6, 20};
    BOOST_TEST(mean_z(paths, 0, [](double x) { return x; }) < z_many);
    BOOST_TEST(worst_covariance_z(paths, lags, theory(phi, 5)) < z_many);
    BOOST_TEST(worst_covariance_z(paths, lags, theory(phi + 0.05, 5)) > z_many);  // power: phi, length, scale
    BOOST_TEST(worst_covariance_z(paths, lags, theory(phi, 6)) > z_many);
    BOOST_TEST(worst_covariance_z(scaled(paths, 1.05), lags, theory(phi, 5)) > z_many);
    BOOST_TEST(same_law_z(paths, 0, 49) < z_many);
    if (law != "rademacher")
      for (const auto& path : paths) BOOST_REQUIRE(runs_of(path, L));
  }
  // signs: the past at lag d >= L shows S and nothing of the draw; below L the bound is attained
  const auto process = frozen_block(phi, L, "rademacher");
  const auto paths = draw_paths(*process, 20000, 50, 211);
  double top = 0;
  for (const auto& path : paths) {
    const double S = hidden_sign(path[0], phi);
    for (const double eps : path) {
      BOOST_REQUIRE(hidden_sign(eps, phi) == S);
      top = std::max(top, std::abs(eps));
    }
  }
  BOOST_TEST(std::abs(top - (phi + std::sqrt(rest))) < 1e-12);
  BOOST_TEST(std::abs(top - process->phi(1)) < 1e-12);
  const auto mean = [&](const auto& path, std::size_t) { return phi * hidden_sign(path[0], phi); };
  BOOST_TEST(conditional_mean_z(paths, L, mean) < z_many);
  BOOST_TEST(conditional_mean_z(paths, L - 1, mean) > z_many);  // power: one lag off
  BOOST_TEST(conditional_mgf_z(paths, L, 1, mean) < z_many);
}

BOOST_AUTO_TEST_CASE(sub_gaussian) {  // 3 x 3 x 6 one-sided comparisons at 3e-10
  for (const std::string& law : laws) {
    const auto check = [](const auto& process) {
      const auto paths = draw_paths(process, 20000, 15, 212);
      BOOST_TEST(worst_mgf_z(paths, 1) < z_many);
      BOOST_TEST(worst_mgf_z(scaled(paths, 1.1), 1) > z_many);  // power: 10 % too large
    };
    check(*block_repeat(3, law));
    check(*frozen_sign(0.4, law));
    check(*frozen_block(0.4, 3, law));
  }
}

BOOST_AUTO_TEST_CASE(blocks_and_horizon_do_not_matter) {
  for (const std::string& law : laws) {
    check_blocks(*block_repeat(7, law), 3000);
    check_blocks(*frozen_sign(0.3, law), 3000);
    check_blocks(*frozen_block(0.3, 7, law), 3000);
    for (const std::string name : {"block-repeat", "frozen-sign", "frozen-block"})
      check_law_is_free_of_T(name, parameters_of(0.3, 7, law));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
