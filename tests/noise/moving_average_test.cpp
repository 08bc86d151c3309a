#include <boost/test/unit_test.hpp>
#include <map>

#include "checks.h"
#include "mixlab/core/error.h"

using namespace mixlab;

namespace {

Values parameters_of(const std::string& weights, const std::string& law) {
  Values parameters;
  parameters.set("weights", weights);
  parameters.set("law", law);
  return parameters;
}

std::unique_ptr<const noise::Process> moving_average(const std::string& weights, const std::string& law) {
  return make_process("moving-average", parameters_of(weights, law));
}

/// b of MATHEMATICS.md B.5, from weights up to a factor: s^2 sum b_j^2 = 1.
std::vector<double> normalised(std::vector<double> b, const std::string& law) {
  double sum = 0;
  for (const double x : b) sum += x * x;
  for (double& x : b) x /= std::sqrt(sum * innovation_variance(law));
  return b;
}

struct Case {
  std::string weights;
  std::vector<double> b;
};
const std::vector<Case> cases = {{"1 1 1 1", {1, 1, 1, 1}},
                                 {"1 -2 0.5", {1, -2, 0.5}},
                                 {"3 0 1 -0.25 0.7 2", {3, 0, 1, -0.25, 0.7, 2}},
                                 {"0.2", {0.2}}};

/// Bit j of a pattern as a sign.
double sign_of(unsigned pattern, std::size_t j) {
  return (pattern >> j) & 1u ? 1 : -1;
}

/// max over past signs of |mean over the d newest signs of sum_j b_j u_{t-j}|: all 2^q patterns, no formula.
double enumerated_phi(const std::vector<double>& b, std::size_t d) {
  const std::size_t q = b.size(), recent = std::min(d, q);
  double largest = 0;
  for (unsigned past = 0; past < (1u << (q - recent)); ++past) {
    double sum = 0;
    for (unsigned now = 0; now < (1u << recent); ++now) {
      const unsigned pattern = now | (past << recent);
      for (std::size_t j = 0; j < q; ++j) sum += b[j] * sign_of(pattern, j);
    }
    largest = std::max(largest, std::abs(sum / static_cast<double>(1u << recent)));
  }
  return largest;
}

/// Values rounded so that they may be compared.
std::vector<long> rounded(const double* values, std::size_t n) {
  std::vector<long> keys;
  for (std::size_t i = 0; i < n; ++i) keys.push_back(std::lround(values[i] * 1e8));
  return keys;
}

/// The joint law of `window` rounds in turn, by enumeration of all signs behind them.
std::map<std::vector<long>, double> enumerated_law(const std::vector<double>& b, std::size_t window) {
  std::map<std::vector<long>, double> law;
  const std::size_t signs = b.size() + window - 1;
  for (unsigned pattern = 0; pattern < (1u << signs); ++pattern) {
    std::vector<double> eps(window);  // round t is driven by the signs at t + q - 1 - j
    for (std::size_t t = 0; t < window; ++t)
      for (std::size_t j = 0; j < b.size(); ++j) eps[t] += b[j] * sign_of(pattern, t + b.size() - 1 - j);
    law[rounded(eps.data(), window)] += 1.0 / static_cast<double>(1u << signs);
  }
  return law;
}

/// The largest |z| of the frequencies of windows that start at round `first`; 1e9 if an impossible one occurs.
double law_z(const Paths& paths, const std::map<std::vector<long>, double>& law, std::size_t first,
             std::size_t window) {
  std::map<std::vector<long>, double> counts;
  for (const auto& path : paths) ++counts[rounded(path.data() + first, window)];
  const auto n = static_cast<double>(paths.size());
  double worst = 0;
  for (const auto& [key, count] : counts)
    if (!law.contains(key)) return 1e9;
  for (const auto& [key, p] : law) worst = std::max(worst, std::abs(counts[key] - n * p) / std::sqrt(n * p * (1 - p)));
  return worst;
}

/// The signs behind a path, u[t + q - 1] that of round t (from 0): the q-1 signs before the first round are found by
/// trying all. Empty if no signs fit, or more than one choice does.
std::vector<double> decoded(const std::vector<double>& path, const std::vector<double>& b) {
  const std::size_t q = b.size();
  std::vector<double> found;
  int fits = 0;
  for (unsigned start = 0; start < (1u << (q - 1)); ++start) {
    std::vector<double> u;
    for (std::size_t j = 0; j + 1 < q; ++j) u.push_back(sign_of(start, j));
    bool fit = true;
    for (std::size_t t = 0; t < path.size() && fit; ++t) {
      double rest = path[t];
      for (std::size_t j = 1; j < q; ++j) rest -= b[j] * u[t + q - 1 - j];
      fit = std::abs(std::abs(rest / b[0]) - 1) < 1e-9;
      u.push_back(rest / b[0] > 0 ? 1 : -1);
    }
    if (fit) {
      ++fits;
      found = u;
    }
  }
  return fits == 1 ? found : std::vector<double>();
}

/// s^2 sum_j b_j b_{j+k}.
double covariance(const std::vector<double>& b, std::size_t k, const std::string& law) {
  double sum = 0;
  for (std::size_t j = 0; j + k < b.size(); ++j) sum += b[j] * b[j + k];
  return sum * innovation_variance(law);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(moving_average_of_signs)

BOOST_AUTO_TEST_CASE(phi_is_that_of_all_sign_patterns) {
  for (const auto& [weights, raw] : cases) {
    const auto b = normalised(raw, "rademacher");
    const auto process = moving_average(weights, "rademacher");
    const auto uniform = moving_average(weights, "uniform");
    BOOST_TEST(process->sigma() == 1);
    BOOST_TEST(process->phi_is_exact());
    BOOST_TEST(process->starts_stationary());
    for (std::size_t d = 1; d <= b.size() + 2; ++d) {
      const auto lag = static_cast<std::int64_t>(d);
      BOOST_TEST(std::abs(process->phi(lag) - enumerated_phi(b, d)) < 1e-13);
      // uniform on [-1,1] has the same extremes and a third of the variance
      BOOST_TEST(std::abs(uniform->phi(lag) - std::sqrt(3.0) * enumerated_phi(b, d)) < 1e-13);
      if (d >= b.size()) BOOST_TEST(process->phi(lag) == 0);
    }
    if (b.size() > 1) {  // power: one lag off
      const std::size_t d = b.size() - 1;
      BOOST_TEST(std::abs(process->phi(static_cast<std::int64_t>(d)) - enumerated_phi(b, d + 1)) > 0.01);
    }
    check_certificates(*process, 100);
  }
}

BOOST_AUTO_TEST_CASE(a_common_factor_and_trailing_zeros_do_not_matter) {
  const auto one = moving_average("1 -2 0.5", "rademacher");
  const auto other = moving_average("-7e3 14e3 -3.5e3", "rademacher");
  const auto padded = moving_average("1 -2 0.5 0 0", "rademacher");
  for (std::int64_t d = 1; d < 6; ++d) {
    BOOST_TEST(std::abs(one->phi(d) - other->phi(d)) < 1e-15);
    BOOST_TEST(one->phi(d) == padded->phi(d));
  }
}

BOOST_AUTO_TEST_CASE(signs_behind_a_path_exist_and_attain_phi) {  // 16 comparisons at 6e-10; else exact
  for (const auto& [weights, raw] : cases) {
    const auto b = normalised(raw, "rademacher");
    const auto process = moving_average(weights, "rademacher");
    std::vector<double> path(20000);
    process->start(random::Stream({test_seed(), 141, 0, random::Purpose::noise}))->next(path);
    const auto u = decoded(path, b);
    BOOST_REQUIRE(u.size() == path.size() + b.size() - 1);
    for (std::size_t d = 1; d < b.size(); ++d) {  // the conditional mean of every round, from its signs
      double largest = 0;
      for (std::size_t t = 0; t < path.size(); ++t) {
        double mean = 0;
        for (std::size_t j = d; j < b.size(); ++j) mean += b[j] * u[t + b.size() - 1 - j];
        largest = std::max(largest, std::abs(mean));
      }
      BOOST_TEST(std::abs(largest - process->phi(static_cast<std::int64_t>(d))) < 1e-12);
    }
    for (const std::size_t k : {1u, 2u}) {  // signs are fair and independent
      double mean = 0, product = 0;
      for (std::size_t i = k; i < u.size(); ++i) mean += u[i], product += u[i] * u[i - k];
      const double se = std::sqrt(static_cast<double>(u.size() - k));
      BOOST_TEST(std::abs(mean / se) < z_many);
      BOOST_TEST(std::abs(product / se) < z_many);
    }
    auto wrong = b;  // power: weights wrong by 0.1 %, and in reverse
    wrong[0] *= 1.001;
    BOOST_TEST(decoded(path, wrong).empty());
    if (b.size() > 1 && weights != "1 1 1 1") BOOST_TEST(decoded(path, {b.rbegin(), b.rend()}).empty());
  }
}

BOOST_AUTO_TEST_CASE(joint_law_of_rounds_is_the_enumerated_one) {  // about 700 cells in all, at 6e-10 each
  for (const auto& [weights, raw] : cases) {
    const auto b = normalised(raw, "rademacher");
    const std::size_t window = 3;
    const auto law = enumerated_law(b, window);
    const auto paths = draw_paths(*moving_average(weights, "rademacher"), 100000, 12, 142);
    for (const std::size_t first : {0u, 9u}) BOOST_TEST(law_z(paths, law, first, window) < z_many);
    if (b.size() > 1)  // power: time reversed, unless the weights are symmetric
      BOOST_TEST(
          (weights == "1 1 1 1" || law_z(paths, enumerated_law({b.rbegin(), b.rend()}, window), 9, window) > z_many));
    auto wrong = b;
    wrong.push_back(0.01);
    BOOST_TEST(law_z(paths, enumerated_law(wrong, window), 9, window) > z_many);  // power: one small weight more
  }
}

BOOST_AUTO_TEST_CASE(variance_and_autocovariance) {  // 4 x 2 x 7 comparisons at 6e-10
  const std::vector<std::size_t> lags = {0, 1, 2, 3, 5, 8};
  for (const auto& [weights, raw] : cases)
    for (const std::string law : {"rademacher", "uniform"}) {
      if (raw.size() == 1 && law == "rademacher") continue;  // eps^2 is 1: no variance to divide by
      const auto b = normalised(raw, law);
      const auto paths = draw_paths(*moving_average(weights, law), 20000, 40, 143);
      BOOST_TEST(mean_z(paths, 0, [](double x) { return x; }) < z_many);
      BOOST_TEST(worst_covariance_z(paths, lags, [&](std::size_t k) { return covariance(b, k, law); }) < z_many);
      BOOST_TEST(worst_covariance_z(scaled(paths, 1.03), lags, [&](std::size_t k) { return covariance(b, k, law); }) >
                 z_many);  // power: scale
      if (b.size() > 1)    // power: lag
        BOOST_TEST(worst_covariance_z(paths, lags, [&](std::size_t k) { return covariance(b, k + 1, law); }) > z_many);
    }
}

BOOST_AUTO_TEST_CASE(independent_beyond_q_and_biased_before) {  // 3 x 2 x 4 comparisons at 6e-10
  for (const auto& [weights, raw] : cases)
    for (const std::string law : {"rademacher", "uniform"}) {
      if (raw.size() == 1) continue;
      const auto paths = draw_paths(*moving_average(weights, law), 50000, 20, 144);
      const std::size_t q = raw.size();
      const auto z = [&](std::size_t d) {  // functions of eps_t and of the past at lag d
        double worst = 0;
        for (const auto& g : {+[](double x) { return x; }, +[](double x) { return x > 0.9 ? 1.0 : 0; }})
          for (const auto& f : {+[](double x) { return x; }, +[](double x) { return x * x * x - x; }})
            worst = std::max(worst, std::abs(z_score(paths, 0, [&](const auto& path) {
                               return f(path[19]) * g(path[19 - d] + 0.5 * path[18 - d]);
                             })));
        return worst;
      };
      BOOST_TEST(z(q) < z_many);
      BOOST_TEST(z(q - 1) > z_many);  // power: at lag q - 1 there is dependence
    }
}

BOOST_AUTO_TEST_CASE(sub_gaussian) {  // 4 x 2 x 6 one-sided comparisons at 3e-10
  for (const auto& [weights, raw] : cases)
    for (const std::string law : {"rademacher", "uniform"}) {
      const auto paths = draw_paths(*moving_average(weights, law), 20000, 15, 145);
      BOOST_TEST(worst_mgf_z(paths, 1) < z_many);
      BOOST_TEST(worst_mgf_z(scaled(paths, 1.1), 1) > z_many);  // power: 10 % too large
    }
  for (const auto& [weights, raw] : cases) {  // exactly, given any past: the newest d signs remain, times all patterns
    const auto b = normalised(raw, "rademacher");
    for (std::size_t d = 1; d <= b.size(); ++d)
      for (const double lambda : {-3.0, -1.0, 0.3, 2.0}) {
        double mgf = 0;
        for (unsigned now = 0; now < (1u << d); ++now) {
          double sum = 0;
          for (std::size_t j = 0; j < d; ++j) sum += b[j] * sign_of(now, j);
          mgf += std::exp(lambda * sum) / static_cast<double>(1u << d);
        }
        BOOST_TEST(mgf <= std::exp(lambda * lambda / 2));
      }
  }
}

BOOST_AUTO_TEST_CASE(starts_stationary) {  // 2 x 12 comparisons at 6e-10
  for (const std::string law : {"rademacher", "uniform"}) {
    auto paths = draw_paths(*moving_average("3 0 1 -0.25 0.7 2", law), 30000, 50, 146);
    BOOST_TEST(same_law_z(paths, 0, 49) < z_many);
    BOOST_TEST(same_law_z(paths, 2, 30) < z_many);
    const auto cold = draw_paths(*moving_average("3", law), 30000, 1, 147);  // power: a start without past
    const auto b = normalised({3, 0, 1, -0.25, 0.7, 2}, law);
    for (std::size_t i = 0; i < paths.size(); ++i)
      paths[i][0] = cold[i][0] * b[0] * std::sqrt(innovation_variance(law));
    BOOST_TEST(same_law_z(paths, 0, 49) > z_many);
  }
}

BOOST_AUTO_TEST_CASE(blocks_and_horizon_do_not_matter) {
  for (const auto& [weights, raw] : cases)
    for (const std::string law : {"rademacher", "uniform"}) {
      check_blocks(*moving_average(weights, law), 3000);
      check_law_is_free_of_T("moving-average", parameters_of(weights, law));
    }
}

BOOST_AUTO_TEST_CASE(weights_of_any_size_are_scaled_or_refused) {
  const Entry* entry = catalogue().find(Kind::noise, "moving-average");
  for (const std::string weights : {"1e300 1e300", "1e-150 1e-150", "1e-170 1e-170"}) {
    auto parameters = parameters_of(weights, "rademacher");
    try {
      entry->complete(parameters);
    } catch (const KeyError&) {
      continue;
    }
    const double phi = make_process("moving-average", parameters)->phi(1);
    BOOST_TEST(std::abs(phi - std::sqrt(0.5)) < 1e-9, weights << ": phi_1 is " << phi);
  }
}

BOOST_AUTO_TEST_CASE(weights_that_are_none_are_refused) {
  const Entry* entry = catalogue().find(Kind::noise, "moving-average");
  BOOST_REQUIRE(entry != nullptr);
  for (const std::string weights : {"0 0", "", "1 x", "nan 1", "inf 1"}) {
    auto parameters = parameters_of(weights, "rademacher");
    BOOST_CHECK_THROW(entry->complete(parameters), KeyError);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
