#include <boost/test/unit_test.hpp>

#include "checks.h"
#include "mixlab/core/error.h"

using namespace mixlab;

namespace {

using Matrix = std::vector<std::vector<double>>;

struct Chain {
  Matrix P;
  std::vector<double> f;  // as written; centred by the process
};

/// Distinct values, so that the state can be read from the noise.
const Chain asymmetric = {{{0.7, 0.3}, {0.1, 0.9}}, {4, 0}};
const Chain alternating = {{{0.2, 0.8}, {0.6, 0.4}}, {1, -1}};
const Chain rotating = {{{0.1, 0.8, 0.1}, {0.1, 0.1, 0.8}, {0.8, 0.1, 0.1}}, {2, 0, -1}};
const Chain skew = {{{0.5, 0.3, 0.2}, {0.1, 0.6, 0.3}, {0.25, 0.25, 0.5}}, {1, 4, -2}};
const std::vector<Chain> chains = {asymmetric, alternating, rotating, skew};

Values parameters_of(const Chain& chain) {
  std::string transition, values;
  for (std::size_t i = 0; i < chain.P.size(); ++i) {
    if (i) transition += " / ";
    for (const double p : chain.P[i]) transition += to_text(p) + " ";
    values += to_text(chain.f[i]) + " ";
  }
  Values parameters;
  parameters.set("transition", transition);
  parameters.set("values", values);
  return parameters;
}

std::unique_ptr<const noise::Process> markov(const Chain& chain) {
  return make_process("markov", parameters_of(chain));
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c(a.size(), std::vector<double>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b[0].size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

Matrix matrix_power(const Matrix& P, std::size_t d) {
  Matrix result = P;
  for (std::size_t i = 1; i < d; ++i) result = product(result, P);
  return result;
}

/// The stationary law of an aperiodic chain: any row of a high power.
std::vector<double> stationary(Matrix P) {
  for (int i = 0; i < 12; ++i) P = product(P, P);
  double sum = 0;
  for (const double p : P[0]) sum += p;
  for (double& p : P[0]) p /= sum;
  return P[0];
}

/// f minus its stationary mean.
std::vector<double> centred(const Chain& chain) {
  const auto pi = stationary(chain.P);
  std::vector<double> f = chain.f;
  double mean = 0;
  for (std::size_t i = 0; i < f.size(); ++i) mean += pi[i] * f[i];
  for (double& x : f) x -= mean;
  return f;
}

/// (P^d f)(z) for all z.
std::vector<double> conditional_means(const Chain& chain, std::size_t d) {
  const auto f = centred(chain);
  const Matrix Pd = matrix_power(chain.P, d);
  std::vector<double> means(f.size());
  for (std::size_t i = 0; i < f.size(); ++i)
    for (std::size_t j = 0; j < f.size(); ++j) means[i] += Pd[i][j] * f[j];
  return means;
}

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double x : values) result = std::max(result, std::abs(x));
  return result;
}

double range(const std::vector<double>& f) {
  return *std::max_element(f.begin(), f.end()) - *std::min_element(f.begin(), f.end());
}

/// The state with the value eps.
std::size_t state(const std::vector<double>& f, double eps) {
  for (std::size_t z = 0; z < f.size(); ++z)
    if (std::abs(f[z] - eps) < 1e-9) return z;
  throw std::runtime_error("a value that no state has");
}

/// The largest deviation of the frequencies of three states in turn from pi P P, in units of hoeffding_many.
double triples(const Paths& paths, const std::vector<double>& f, const Matrix& P, std::size_t first) {
  const std::size_t k = f.size();
  const auto pi = stationary(P);
  std::vector<double> counts(k * k * k);
  for (const auto& path : paths)
    ++counts[(state(f, path[first]) * k + state(f, path[first + 1])) * k + state(f, path[first + 2])];
  const auto n = static_cast<double>(paths.size());
  double worst = 0;
  for (std::size_t x = 0; x < k; ++x)
    for (std::size_t y = 0; y < k; ++y)
      for (std::size_t z = 0; z < k; ++z)
        worst = std::max(worst, std::abs(counts[(x * k + y) * k + z] / n - pi[x] * P[x][y] * P[y][z]));
  return worst / hoeffding_many(n);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(markov_chain)

BOOST_AUTO_TEST_CASE(phi_is_that_of_matrix_powers) {
  for (const Chain& chain : chains) {
    const auto process = markov(chain);
    const auto f = centred(chain);
    BOOST_TEST(process->phi_is_exact());
    BOOST_TEST(process->starts_stationary());
    BOOST_TEST(process->outside_assumption().empty());
    BOOST_TEST(std::abs(process->sigma() - range(f) / 2) < 1e-14);
    for (std::size_t d = 1; d <= 40; ++d)
      BOOST_TEST(std::abs(process->phi(static_cast<std::int64_t>(d)) - largest(conditional_means(chain, d))) < 1e-13);
    BOOST_TEST(std::abs(process->phi(1) - largest(conditional_means(chain, 2))) > 1e-2);  // power: one lag off
    BOOST_TEST(process->phi(100000) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(two_states_decay_at_one_rate) {  // P^d f = (1 - a - b)^d f
  for (const auto& [chain, rate] : {std::pair{asymmetric, 0.6}, std::pair{alternating, -0.4}}) {
    const auto process = markov(chain);
    const double C = largest(centred(chain));
    for (const std::int64_t d : {1, 2, 7, 20})
      BOOST_TEST(std::abs(process->phi(d) - C * power(std::abs(rate), d)) < 1e-14);
    const auto certificate = process->geometric();
    BOOST_REQUIRE(certificate.has_value());
    BOOST_TEST(certificate->C > C * (1 - 1e-12));
    BOOST_TEST(certificate->C < C * (1 + 1e-6));
    BOOST_TEST(std::abs(certificate->tau * std::log(1 / std::abs(rate)) - 1) < 1e-12);
    check_certificates(*process, 2000, 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(three_states_decay_at_the_second_eigenvalue) {
  // The eigenvalues other than 1 solve x^2 - (trace - 1) x + det = 0; both chains have a complex pair: modulus sqrt(det)
  for (const Chain& chain : {rotating, skew}) {
    const Matrix& P = chain.P;
    const double trace = P[0][0] + P[1][1] + P[2][2];
    const double det = P[0][0] * (P[1][1] * P[2][2] - P[1][2] * P[2][1]) -
                       P[0][1] * (P[1][0] * P[2][2] - P[1][2] * P[2][0]) +
                       P[0][2] * (P[1][0] * P[2][1] - P[1][1] * P[2][0]);
    BOOST_REQUIRE((trace - 1) * (trace - 1) < 4 * det);
    const auto process = markov(chain);
    const auto certificate = process->geometric();
    BOOST_REQUIRE(certificate.has_value());
    BOOST_TEST(std::abs(certificate->tau * std::log(1 / std::sqrt(det)) - 1) < 1e-9);
    check_certificates(*process, 2000, 1e-15);
    double C = 0;  // over the lags at which phi is far above rounding
    for (std::size_t d = 1; d <= 18; ++d)
      C = std::max(C, largest(conditional_means(chain, d)) * std::pow(det, -0.5 * static_cast<double>(d)));
    BOOST_TEST(certificate->C > C * (1 - 1e-6));
    BOOST_TEST(certificate->C < C * 1.1);
  }
}

BOOST_AUTO_TEST_CASE(chains_without_a_rate) {
  const auto periodic = markov({{{0, 1}, {1, 0}}, {1, -1}});
  BOOST_TEST(!periodic->geometric().has_value());
  for (const std::int64_t d : {1, 2, 1001}) BOOST_TEST(periodic->phi(d) == 1);
  const auto turning = markov({{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {1, 0, -1}});
  BOOST_TEST(!turning->geometric().has_value());
  BOOST_TEST(std::abs(turning->phi(1000) - 1) < 1e-12);
  const auto independent = markov({{{0.25, 0.75}, {0.25, 0.75}}, {1, -1}});
  BOOST_TEST(std::abs(independent->phi(1)) < 1e-15);
  const auto paths = draw_paths(*periodic, 4000, 9, 181);  // stationary, although of period 2
  BOOST_TEST(std::abs(z_score(paths, 0, [](const auto& path) { return path[0]; })) < z_alarm);
  for (const auto& path : paths)
    for (std::size_t t = 1; t < path.size(); ++t) BOOST_REQUIRE(path[t] == -path[t - 1]);
}

BOOST_AUTO_TEST_CASE(phi_is_exact_only_if_all_states_are_reached) {  // B.6
  const auto process =
      markov({{{0.5, 0.5}, {0, 1}}, {1, -1}});  // the first state is never seen from the stationary law
  std::vector<double> path(1000);
  process->start(random::Stream({test_seed(), 187, 0, random::Purpose::noise}))->next(path);
  for (const double eps : path) BOOST_REQUIRE(eps == 0);
  BOOST_TEST((!process->phi_is_exact() || process->phi(1) == 0),
             "phi_1 = " << process->phi(1) << " of a noise that is 0");
}

BOOST_AUTO_TEST_CASE(three_states_in_turn_have_the_law_of_the_chain) {  // 2 x (8+8+27+27) Hoeffding bounds at 1e-9
  for (const Chain& chain : chains) {
    const auto f = centred(chain);
    const auto paths = draw_paths(*markov(chain), 100000, 52, 182);
    for (const std::size_t first : {0u, 49u}) BOOST_TEST(triples(paths, f, chain.P, first) < 1);
    Matrix wrong = chain.P;  // power: probabilities wrong by 0.04; the transposed walk
    wrong[0][0] -= 0.04;
    wrong[0][1] += 0.04;
    BOOST_TEST(triples(paths, f, wrong, 0) > 1);
    if (chain.P.size() == 3) {
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < i; ++j) std::swap(wrong[i][j], wrong[j][i]);
      BOOST_TEST(triples(paths, f, wrong, 0) > 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(conditional_mean_by_state) {  // 10 x 4 Hoeffding bounds at 1e-9
  for (const Chain& chain : chains) {
    const auto f = centred(chain);
    const auto process = markov(chain);
    const auto paths = draw_paths(*process, 100000, 14, 183);
    for (const std::size_t d : {1u, 2u, 3u, 9u}) {
      std::vector<double> sums(f.size()), counts(f.size());
      for (const auto& path : paths) {
        const std::size_t z = state(f, path[13 - d]);
        sums[z] += path[13];
        ++counts[z];
      }
      const auto expected = conditional_means(chain, d), later = conditional_means(chain, d + 1);
      const auto worst = [&](const std::vector<double>& means) {
        double result = 0;
        for (std::size_t z = 0; z < f.size(); ++z)
          result = std::max(result, std::abs(sums[z] / counts[z] - means[z]) / (range(f) * hoeffding_many(counts[z])));
        return result;
      };
      BOOST_TEST(worst(expected) < 1);
      if (d < 3) BOOST_TEST(worst(later) > 1);  // power: one lag off
      const double phi = process->phi(static_cast<std::int64_t>(d));
      double attained = 0;
      for (std::size_t z = 0; z < f.size(); ++z) {
        BOOST_TEST(std::abs(sums[z] / counts[z]) < phi + range(f) * hoeffding_many(counts[z]));
        attained = std::max(attained, std::abs(sums[z] / counts[z]) + range(f) * hoeffding_many(counts[z]));
      }
      BOOST_TEST(attained > phi);
    }
  }
}

BOOST_AUTO_TEST_CASE(variance_and_autocovariance) {  // 4 x 6 comparisons at 6e-10
  const std::vector<std::size_t> lags = {0, 1, 2, 3, 6};
  for (const Chain& chain : chains) {
    const auto f = centred(chain);
    const auto pi = stationary(chain.P);
    const auto paths = draw_paths(*markov(chain), 20000, 30, 184);
    const auto covariance = [&](std::size_t k) {  // sum_z pi f (P^k f)
      const auto means = k ? conditional_means(chain, k) : f;
      double sum = 0;
      for (std::size_t z = 0; z < f.size(); ++z) sum += pi[z] * f[z] * means[z];
      return sum;
    };
    const auto expected = [&](std::size_t k) { return k ? covariance(k) : covariance(0) + 0.0; };
    BOOST_TEST(mean_z(paths, 0, [](double x) { return x; }) < z_many);
    if (range(f) == 2 && std::abs(largest(f) - 1) < 1e-12) continue;  // signs: eps^2 does not vary
    BOOST_TEST(worst_covariance_z(paths, lags, expected) < z_many);
    BOOST_TEST(worst_covariance_z(paths, lags, [&](std::size_t k) { return covariance(k + 1); }) > z_many);  // power
    BOOST_TEST(worst_covariance_z(scaled(paths, 1.03), lags, expected) > z_many);                            // power
  }
}

BOOST_AUTO_TEST_CASE(sub_gaussian_marginally_and_given_every_state) {  // 4 x 6 one-sided comparisons at 3e-10
  for (const Chain& chain : chains) {
    const auto f = centred(chain);
    const double sigma = markov(chain)->sigma();
    const auto paths = draw_paths(*markov(chain), 20000, 20, 185);
    BOOST_TEST(worst_mgf_z(paths, sigma) < z_many);
    BOOST_TEST(worst_mgf_z(scaled(paths, 1.7), sigma) > z_many);  // power: Hoeffding's sigma is generous
    // exactly, by the rows of P^d and by the stationary law
    std::vector<std::pair<std::vector<double>, double>> laws = {{stationary(chain.P), 0.0}};
    for (const std::size_t d : {1u, 2u, 5u})
      for (std::size_t z = 0; z < f.size(); ++z)
        laws.emplace_back(matrix_power(chain.P, d)[z], conditional_means(chain, d)[z]);
    for (const auto& [law, mean] : laws)
      for (const double lambda : {-4.0, -1.0, -0.1, 0.1, 1.0, 4.0}) {
        double mgf = 0;
        for (std::size_t y = 0; y < f.size(); ++y) mgf += law[y] * std::exp(lambda / sigma * (f[y] - mean));
        BOOST_TEST(mgf <= std::exp(lambda * lambda / 2) * (1 + 1e-12));
      }
  }
}

BOOST_AUTO_TEST_CASE(states_of_one_value_are_hidden) {  // Hoeffding, 1e-9 each; MATHEMATICS.md B.6, tower property
  const Chain chain = {{{0.8, 0.2, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}}, {1, -1, -1}};
  const auto f = centred(chain);
  const auto pi = stationary(chain.P);
  const auto process = markov(chain);
  const auto paths = draw_paths(*process, 100000, 14, 186);
  for (const std::size_t d : {1u, 2u, 4u}) {
    const auto means = conditional_means(chain, d);
    const double phi = process->phi(static_cast<std::int64_t>(d));
    BOOST_TEST(std::abs(phi - largest(means)) < 1e-13);
    double sum = 0, count = 0;
    for (const auto& path : paths)
      if (std::abs(path[13 - d] - f[1]) < 1e-9) {
        sum += path[13];
        ++count;
      }
    const double mixed = (pi[1] * means[1] + pi[2] * means[2]) / (pi[1] + pi[2]);  // given the value, not the state
    BOOST_TEST(std::abs(sum / count - mixed) < 2 * hoeffding_many(count));
    BOOST_TEST(std::abs(sum / count) < phi + 2 * hoeffding_many(count));
    BOOST_TEST(std::abs(sum / count - means[1]) > (d < 4 ? 2 * hoeffding_many(count) : 0));  // power: not one state's
  }
}

BOOST_AUTO_TEST_CASE(blocks_and_horizon_do_not_matter) {
  for (const Chain& chain : chains) {
    check_blocks(*markov(chain), 3000);
    check_law_is_free_of_T("markov", parameters_of(chain));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_chain_is_refused) {
  const Entry* entry = catalogue().find(Kind::noise, "markov");
  BOOST_REQUIRE(entry != nullptr);
  const auto complete = [&](const std::string& transition, const std::string& values) {
    Values parameters;
    parameters.set("transition", transition);
    parameters.set("values", values);
    entry->complete(parameters);
  };
  complete("0.9 0.1 / 0.1 0.9", "1 -1");
  BOOST_CHECK_THROW(complete("0.9 0.1 / 0.2 0.9", "1 -1"), KeyError);   // a row that sums to 1.1
  BOOST_CHECK_THROW(complete("-0.1 1.1 / 0.1 0.9", "1 -1"), KeyError);  // a negative probability
  BOOST_CHECK_THROW(complete("1 0 / 0 1", "1 -1"), KeyError);           // two stationary laws
  BOOST_CHECK_THROW(complete("0.9 0.1 / 0.1 0.9", "1 -1 0"), KeyError);
  BOOST_CHECK_THROW(complete("0.9 0.1 0 / 0.1 0.9 0", "1 -1"), KeyError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
