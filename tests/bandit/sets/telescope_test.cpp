// The sets of MATHEMATICS.md F and G: reductions, known radii, and the supermartingales of the proof, whose expectations
// are computed over all paths of a short sign chain.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "mixlab/bandit/confidence_set.h"
#include "mixlab/bandit/schedule_rule.h"
#include "noise/laws.h"
#include "oracle_table.h"

using namespace mixlab;
using namespace mixlab::bandit;
using noise::Fields;

namespace {

std::unique_ptr<const noise::Process> sticky(double rho) {
  Values values;
  values.set("rho", rho);
  return make_process("sticky", values, 5000);
}

/// The quickstart cell: p = 2, B = sigma = 1, rho = 0.9, delta = 0.05, d = 75.
struct Quickstart {
  std::unique_ptr<const noise::Process> noise = sticky(0.9);
  LagCertificate lags{*noise};
  SetConstants constants{
      .p = 2, .B = 1, .sigma = 1, .phi = noise->phi(75), .d = 75, .delta = 0.05, .lambda = 1, .T = 5000, .lags = &lags};

  /// At round 5000, with the largest determinant.
  double radius2(const std::string& name, double lambda = 0) {
    const SetMaker& maker = *confidence_sets().find(name);
    constants.lambda = lambda > 0 ? lambda : maker.default_lambda(constants);
    return maker.make(constants)->radius2(5000, largest_logdet(2, constants.lambda, 5000));
  }
};

/// D of the lags that the parameters ask for.
double D_in(const LagCertificate& certificate, const SetConstants& c, const std::string& set, Fields fields) {
  const std::string& lags = c.parameters.text("lags");
  if (set == "anytime-telescope") return infinite_path(certificate, std::stoll(lags.substr(5)), fields).D;
  std::vector<std::int64_t> path;
  for (const auto& lag : split_blanks(lags)) path.push_back(std::stoll(lag));
  return given_lags(certificate, path, fields).D();
}

bool near(double x, double y, double tolerance = 2e-5) {
  return std::abs(x - y) <= tolerance * std::abs(y);
}

/// A sign chain of n rounds, all paths with their probabilities; eps_{1-before}, ..., eps_0 are rounds of it too.
class SignChain {
 public:
  SignChain(double rho, int before, int n) : rho_(rho), before_(before), n_(before + n) {}

  template <class Visit>
  void for_each_path(Visit visit) const {
    for (int bits = 0; bits < 1 << n_; ++bits) {
      double probability = 0.5;
      for (int i = 1; i < n_; ++i) probability *= (sign(bits, i) == sign(bits, i - 1) ? 1 + rho_ : 1 - rho_) / 2;
      visit(probability, [&](std::int64_t s) { return sign(bits, static_cast<int>(s) - 1 + before_); });
    }
  }

 private:
  static double sign(int bits, int i) { return bits >> i & 1 ? 1 : -1; }
  double rho_;
  int before_;
  int n_;
};

/// E M^{ji}_t of F.1 in dimension 1, largest over all levels j, blocks i and rounds t; arms depend on the sign `lag` rounds
/// before. `chain_before`: rounds before round 1 that the fields know; 0: none, F_0 is trivial.
double largest_expectation(double rho, const LagPath& path, std::int64_t chain_before, double lambda,
                           double proxy_factor) {
  constexpr std::int64_t T = 12;
  const std::int64_t d = path.end;
  const double D = path.D() * proxy_factor * proxy_factor, theta_star = 0.7;
  const SignChain chain(rho, static_cast<int>(chain_before), T);
  double largest = 0;
  for (const LagLevel& level : path.levels)
    for (std::int64_t block = 0; block < level.width; ++block) {
      std::vector<double> expectation(T + 1, 0.0);
      chain.for_each_path([&](double probability, auto eps) {
        // E[eps_s | F_{s-l}]
        const auto mean = [&](std::int64_t s, std::int64_t l) {
          if (l == 0) return eps(s);
          return s - l < 1 - chain_before ? 0.0 : std::pow(rho, static_cast<double>(l)) * eps(s - l);
        };
        const double proxy = level.proxy * proxy_factor;
        const double kappa = std::sqrt(D) * proxy / std::sqrt(static_cast<double>(level.width));
        double A = 0, C = 0;  // log N = u A - u^2 C/2, u = theta - theta*
        for (std::int64_t s = 1; s <= T; ++s) {
          const double arm = s > d ? (eps(s - d) > 0 ? 1.0 : -0.4) : 0.8;
          if (s % level.width == block) {
            A += arm * (mean(s, level.lag) - mean(s, level.lag + level.width)) / kappa;
            C += arm * arm * proxy * proxy / (kappa * kappa);
          }
          const double variance = D / lambda, grown = 1 + variance * C;
          expectation[static_cast<std::size_t>(s)] +=
              probability / std::sqrt(grown) *
              std::exp(std::pow(variance * A - theta_star, 2) / (2 * variance * grown) -
                       theta_star * theta_star / (2 * variance));
        }
      });
      for (const double value : expectation) largest = std::max(largest, value);
    }
  return largest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(telescope)

BOOST_AUTO_TEST_CASE(one_level_is_selfnorm_bit_for_bit) {
  random::Stream stream = test_stream(181);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const auto noise = sticky(uniform_in(stream, 0.1, 0.95));
    const double scale = uniform_in(stream, 0.2, 3);
    const LagCertificate lags(*noise, scale);
    SetConstants c{.p = static_cast<int>(integer_in(stream, 1, 10)),
                   .B = uniform_in(stream, 0.1, 4),
                   .sigma = scale,
                   .d = integer_in(stream, 1, 50),
                   .delta = std::exp(uniform_in(stream, -8, -0.1)),
                   .lambda = std::exp(uniform_in(stream, -3, 3)),
                   .lags = &lags};
    c.phi = lags.bias(c.d);
    c.parameters.set("lags", "0 " + std::to_string(c.d));
    c.parameters.set("proxies", std::string("phi"));
    const auto telescope = confidence_sets().find("telescope")->make(c);
    const auto selfnorm = confidence_sets().find("selfnorm")->make(c);
    const std::int64_t t = integer_in(stream, 1, 200);
    const double logdet = uniform_in(stream, 0, 20), q = uniform_in(stream, 0, 3) * selfnorm->radius2(t, logdet);
    BOOST_TEST(telescope->radius2(t, logdet) == selfnorm->radius2(t, logdet));
    BOOST_TEST(telescope->log_p(t, q, logdet) == selfnorm->log_p(t, q, logdet));
  }
}

/// tests/oracle/telescope.csv: written from the page of mathematics by somebody who had not seen the code.
BOOST_AUTO_TEST_CASE(radii_and_p_values_agree_with_the_oracle) {
  std::map<std::string, int> checked;
  for (const OracleLine& line : oracle_table("telescope.csv")) {
    Values parameters;
    parameters.set("rho", line.real("rho"));
    parameters.set("law", std::string("rademacher"));
    const auto noise = make_process(line.text("process"), parameters);
    const LagCertificate lags(*noise, line.real("scale"));
    SetConstants c{.p = static_cast<int>(line.integer("p")),
                   .B = line.real("B"),
                   .sigma = line.real("scale"),
                   .d = line.integer("d"),
                   .delta = line.real("delta"),
                   .lambda = line.real("lambda"),
                   .T = line.text("T").empty() ? 0 : line.integer("T"),
                   .lags = &lags};
    c.phi = lags.bias(c.d);
    c.parameters.set("proxies", std::string(line.text("fields") == "one" ? "phi" : "certified"));
    if (!line.text("lags").empty()) c.parameters.set("lags", line.text("lags"));
    const std::string& set_name = line.text("set");
    const std::string& written = line.text("schedule");
    LagSchedule schedule(c.d);
    if (is_schedule(written)) {
      const std::int64_t step = set_name == "chains" ? 1 : std::stoll(line.text("lags").substr(5));
      schedule = make_schedule(written, {lags, step, 20000});
    }
    c.schedule = &schedule;
    const double D_one_sided = line.text("D").empty() ? 0 : D_in(lags, c, set_name, Fields::one_sided);
    if (line.text("fields") == "two" && line.real("D") >= D_one_sided * (1 - 1e-12)) continue;  // then it takes one
    const auto set = confidence_sets().find(set_name)->make(c);
    const std::int64_t t = line.integer("t");
    const double logdet = line.real("logdet"), radius2 = line.real("radius2"), log_p = line.real("log_p");
    BOOST_TEST_CONTEXT(set_name << " " << line.text("process") << " " << line.text("fields") << " lags "
                                << line.text("lags") << " " << written << " d " << c.d << " t " << t) {
      BOOST_TEST(std::abs(set->radius2(t, logdet) - radius2) <= 1e-12 * radius2);
      BOOST_TEST(std::abs(set->log_p(t, line.real("q"), logdet) - log_p) <= 1e-11 * std::max(1.0, std::abs(log_p)));
    }
    ++checked[set_name];
  }
  for (const char* name : {"telescope", "anytime-telescope", "chains", "tight-kappa", "tight-root"})
    BOOST_TEST(checked[name] > 20);
}

BOOST_AUTO_TEST_CASE(known_radii) {
  Quickstart cell;
  cell.constants.parameters.set("proxies", std::string("phi"));
  cell.constants.parameters.set("lags", std::string("0 12 24 36 48 61 75"));
  const double D = 23.2894;
  BOOST_TEST(near(cell.radius2("telescope", D), 428.70));
  BOOST_TEST(near(cell.radius2("telescope"), 420.12));
  cell.constants.parameters.set("lags", std::string("0 11 22 33 44 55 65 75"));
  cell.constants.parameters.set("proxies", std::string("certified"));
  BOOST_TEST(near(cell.radius2("telescope"), 408.37));
  BOOST_TEST(near(cell.radius2("tight-kappa"), 1163, 1e-3));
}

BOOST_AUTO_TEST_CASE(known_radii_without_a_horizon) {
  Quickstart cell;
  const LagSchedule schedule = make_schedule("schedule:geometric", {cell.lags, 12, 10000});
  cell.constants.schedule = &schedule;
  cell.constants.parameters.set("proxies", std::string("phi"));
  cell.constants.parameters.set("lags", std::string("auto"));
  BOOST_TEST(near(cell.radius2("anytime-telescope", 12 / std::pow(1 - std::pow(0.9, 12), 2)), 430.95));
  BOOST_TEST(near(cell.radius2("anytime-telescope"), 422.34));
  const auto set = confidence_sets().find("anytime-telescope")->make(cell.constants);
  BOOST_TEST(near(dynamic_cast<const AnalyticSet&>(*set).terms(5000).bias, 0.0735, 2e-3));
}

/// A constant lag, and a path whose proxies vanish at the lag: (G3) is (F4) with A_t = 1.
BOOST_AUTO_TEST_CASE(anytime_telescope_with_a_constant_lag) {
  Values weights;
  weights.set("weights", std::string("1 0.8 0.5 0.3"));
  weights.set("law", std::string("rademacher"));
  const auto noise = make_process("moving-average", weights);
  const LagCertificate lags(*noise);
  for (const std::int64_t step : {1, 2, 4}) {
    SetConstants c{.p = 3, .B = 1.5, .sigma = 1, .phi = 0, .d = 4, .delta = 0.1, .lambda = 2, .lags = &lags};
    c.parameters.set("lags", "step:" + std::to_string(step));
    const auto set = confidence_sets().find("telescope")->make(c);
    const auto anytime = confidence_sets().find("anytime-telescope")->make(c);
    for (const std::int64_t t : {4, 5, 100, 1000})
      BOOST_TEST(near(anytime->radius2(t, 3.3), set->radius2(t, 3.3), 1e-12));
    for (const std::int64_t t : {1, 3})  // where A_t may still be below 1
      BOOST_TEST(near(anytime->radius2(t, 3.3), set->radius2(4, 3.3), 1e-12));
  }
}

/// A constant lag: the chains are the blocks of tight, up to the cost of merging them.
BOOST_AUTO_TEST_CASE(chains_with_a_constant_lag_are_blocks) {
  Quickstart cell;
  const LagSchedule schedule(75);
  cell.constants.schedule = &schedule;
  cell.constants.T = 0;  // tight-kappa with margin 1
  const auto chains = confidence_sets().find("chains")->make(cell.constants);
  const auto blocks = confidence_sets().find("tight-kappa")->make(cell.constants);
  for (const std::int64_t t : {1, 20, 75, 76, 1000, 5000})
    BOOST_TEST(near(chains->radius2(t, 0) - 2 * static_cast<double>(std::min<std::int64_t>(t, 75)) * std::log(10.0 / 9),
                    blocks->radius2(t, 0), 1e-12));
}

BOOST_AUTO_TEST_CASE(expectations_over_all_paths) {
  for (const double rho : {0.6, 0.9}) {
    const auto noise = sticky(rho);
    const LagCertificate lags(*noise);
    for (const auto& path : {std::vector<std::int64_t>{0, 1, 3, 6}, {0, 2, 4, 6}, {0, 4}, {0, 1, 2, 3}}) {
      const LagPath one_sided = given_lags(lags, path, Fields::one_sided);
      const LagPath two_sided = given_lags(lags, path, Fields::two_sided);
      for (const double lambda : {0.5, 5.0, 50.0}) {
        BOOST_TEST(largest_expectation(rho, one_sided, 0, lambda, 1) <= 1 + 1e-12);
        BOOST_TEST(largest_expectation(rho, two_sided, path.back(), lambda, 1) <= 1 + 1e-12);
      }
    }
    // The wrong variants: exact proxies in one-sided fields, and proxies that are too small.
    const std::vector<std::int64_t> path = {0, 1, 3, 6};
    double mixed = 0, too_small = 0;
    for (const double lambda : {0.5, 5.0, 50.0}) {
      mixed = std::max(mixed, largest_expectation(rho, given_lags(lags, path, Fields::two_sided), 0, lambda, 1));
      too_small =
          std::max(too_small, largest_expectation(rho, given_lags(lags, path, Fields::one_sided), 0, lambda, 0.7));
    }
    BOOST_TEST(mixed > 1.001);
    BOOST_TEST(too_small > 1.01);
  }
}

/// One arm, theta* = 0, rho = .6, path 0 1 3 6, T = 16: the mixture itself passes 1 where D falls below the variance.
BOOST_AUTO_TEST_CASE(the_constant_is_real) {
  const auto noise = sticky(0.6);
  const double D = given_lags(LagCertificate(*noise), {0, 1, 3, 6}, Fields::one_sided).D();
  const auto largest_mean = [&](double c) {
    constexpr int T = 16;
    const double lambda = 20 * c * D;
    std::vector<double> mean(T + 1, 0.0);
    SignChain(0.6, 0, T).for_each_path([&](double probability, auto eps) {
      double S = 0;
      for (int t = 1; t <= T; ++t) {
        S += eps(t) - (t > 6 ? std::pow(0.6, 6) * eps(t - 6) : 0);
        mean[static_cast<std::size_t>(t)] +=
            probability * std::exp(S * S / (2 * c * D * (t + lambda)) - 0.5 * std::log1p(t / lambda));
      }
    });
    return *std::max_element(mean.begin() + 1, mean.end());
  };
  BOOST_TEST(near(largest_mean(1), 0.99599));
  BOOST_TEST(near(largest_mean(0.7), 0.99490));
  BOOST_TEST(near(largest_mean(0.6), 1.01000));
  BOOST_TEST(near(largest_mean(0.5), 1.04536));
}

/// E exp(Z_t), largest over t: the mixture as a whole, the weighted sum over all levels and blocks, in dimension 1 on all
/// paths of 12 signs. `arm(s, eps)` may look at the signs up to s - d. D is multiplied by c, lambda = lambda_per_D D.
template <class Arm>
double largest_mixture(double rho, const LagPath& path, double c, double lambda_per_D, double theta_star, Arm arm) {
  constexpr std::int64_t T = 12;
  const double D = c * path.D(), lambda = lambda_per_D * D;
  const double remembered = std::pow(rho, static_cast<double>(path.end));
  std::vector<double> mean(T + 1, 0.0);
  SignChain(rho, 0, T).for_each_path([&](double probability, auto eps) {
    double S = 0, Lambda = 0;
    for (std::int64_t s = 1; s <= T; ++s) {
      const double x = arm(s, eps);
      S += x * (eps(s) - (s > path.end ? remembered * eps(s - path.end) : 0));
      Lambda += x * x;
      const double q = std::pow(lambda * theta_star - S, 2) / (Lambda + lambda);
      mean[static_cast<std::size_t>(s)] +=
          probability * std::exp((q - lambda * theta_star * theta_star) / (2 * D) - 0.5 * std::log1p(Lambda / lambda));
    }
  });
  return *std::max_element(mean.begin() + 1, mean.end());
}

BOOST_AUTO_TEST_CASE(the_mixture_over_all_paths_of_adaptive_policies) {
  for (const double rho : {0.6, 0.9}) {
    const auto noise = sticky(rho);
    const LagCertificate lags(*noise);
    for (const auto& given : {std::vector<std::int64_t>{0, 1, 3, 6}, {0, 2, 4}, {0, 3}}) {
      const LagPath path = given_lags(lags, given, Fields::one_sided);
      const auto follow = [&](std::int64_t s, auto eps) {
        return s <= path.end ? 0.8 : eps(s - path.end) > 0 ? 1 : -0.4;
      };
      const auto avoid = [&](std::int64_t s, auto eps) {
        double seen = 0;
        for (std::int64_t r = 1; r <= s - path.end; ++r) seen += eps(r);
        return seen >= 0 ? 1 : 0.2;
      };
      double valid = 0, follow_quarter = 0, avoid_quarter = 0;
      for (const double lambda : {1.0, 20.0})
        for (const double theta_star : {0.0, 0.7}) {
          valid = std::max({valid, largest_mixture(rho, path, 1, lambda, theta_star, follow),
                            largest_mixture(rho, path, 1, lambda, theta_star, avoid)});
          follow_quarter = std::max(follow_quarter, largest_mixture(rho, path, 0.25, lambda, theta_star, follow));
          avoid_quarter = std::max(avoid_quarter, largest_mixture(rho, path, 0.25, lambda, theta_star, avoid));
        }
      BOOST_TEST(valid <= 1 + 1e-12);
      BOOST_TEST(std::min(follow_quarter, avoid_quarter) > 1.1);
    }
  }
}

/// The trap of F.1: the exact proxies of a stationary AR(1) are false in one-sided fields. Level 0, round 1, one arm: there
/// eps_1 itself is what is learnt, of variance 1 and not 1 - rho^2. Integrated over eps_1 and the prior.
BOOST_AUTO_TEST_CASE(exact_proxies_are_false_in_one_sided_fields) {
  Values values;
  values.set("rho", 0.9);
  values.set("guarantee_delta", 0.001);
  const auto noise = make_process("gaussian-ar1", values, 5000);
  const LagCertificate lags(*noise);
  const double D = 19;  // unit steps without end
  for (const double lambda : {10.0, 40.0}) {
    const auto expectation = [&](Fields fields) {
      const double s2 = std::pow(lags.proxy(0, 1, fields), 2), kappa = std::sqrt(D * s2), h = 0.01;
      double sum = 0;
      for (double u = -12; u <= 12; u += h)  // of the prior, in its standard deviations
        for (double eps = -12; eps <= 12; eps += 10 * h) {
          const double x = u * std::sqrt(D / lambda);
          sum += h * 10 * h / (2 * std::numbers::pi) *
                 std::exp(-u * u / 2 - eps * eps / 2 + x * eps / kappa - x * x * s2 / (2 * kappa * kappa));
        }
      return sum;
    };
    BOOST_TEST(near(expectation(Fields::two_sided), 1 / std::sqrt(1 - (1 - 0.19) / (0.19 * lambda)), 1e-6));
    BOOST_TEST(expectation(Fields::two_sided) > 1.05);
    BOOST_TEST(expectation(Fields::one_sided) <= 1 + 1e-9);
  }
}

/// Without bias (F13) is tight-kappa; with it no term falls as t grows, as the lanes engine relies on.
BOOST_AUTO_TEST_CASE(tight_root) {
  random::Stream stream = test_stream(193);
  for (int repeat = 0; repeat < 300; ++repeat) {
    SetConstants c{.p = static_cast<int>(integer_in(stream, 1, 10)),
                   .B = uniform_in(stream, 0.1, 4),
                   .sigma = uniform_in(stream, 0.2, 3),
                   .d = integer_in(stream, 1, 50),
                   .delta = std::exp(uniform_in(stream, -8, -0.1)),
                   .lambda = std::exp(uniform_in(stream, -3, 3)),
                   .T = repeat % 2 ? 0 : 3000};
    const auto kappa = confidence_sets().find("tight-kappa")->make(c),
               root = confidence_sets().find("tight-root")->make(c);
    for (const std::int64_t t : {1, 30, 700}) BOOST_TEST(near(root->radius2(t, 0), kappa->radius2(t, 0), 1e-12));
    c.phi = c.sigma * std::exp(uniform_in(stream, -9, 0));
    const auto biased = confidence_sets().find("tight-root")->make(c);
    RadiusTerms before;
    for (std::int64_t t = 1; t <= 1500; ++t) {
      const RadiusTerms terms = dynamic_cast<const AnalyticSet&>(*biased).terms(t);
      if (terms.bias < before.bias || terms.constant < before.constant || terms.per_log_delta < before.per_log_delta)
        BOOST_ERROR("falls at " << t << " p " << c.p << " d " << c.d << " phi " << c.phi);
      before = terms;
    }
  }
}

BOOST_AUTO_TEST_CASE(guarantees) {
  Quickstart cell;
  const auto why = [&](const std::string& name, const LagSchedule& schedule) {
    return confidence_sets().find(name)->make(cell.constants)->why_not_guaranteed({*cell.noise, 1, schedule});
  };
  cell.constants.parameters.set("lags", std::string("step:12"));
  BOOST_TEST(why("telescope", 72).empty());
  BOOST_TEST(!why("telescope", 71).empty());
  BOOST_TEST(!why("telescope", 1).empty());
  BOOST_TEST(why("anytime-telescope", 12).empty());
  BOOST_TEST(!why("anytime-telescope", 11).empty());
  BOOST_TEST(why("chains", 1).empty());
  cell.constants.parameters.set("shrink", 0.5);
  BOOST_TEST(!why("telescope", 75).empty());
  BOOST_TEST(!why("anytime-telescope", 75).empty());
  cell.constants.parameters.set("shrink", 1.0);
  const LagCertificate understated(*cell.noise, 1, 0.5), declared(*cell.noise, 1, 1, 1e-9);
  for (const LagCertificate* lags : {&understated, &declared}) {
    cell.constants.lags = lags;
    for (const char* name : {"telescope", "anytime-telescope", "chains"}) BOOST_TEST(!why(name, 75).empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
