#include "mixlab/bandit/confidence_set.h"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "mixlab/core/parameter.h"
#include "noise/laws.h"

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

struct OracleRow {
  std::string set;
  SetConstants constants;
  std::int64_t t = 0;
  double logdet = 0, q = 0, radius2 = 0, log_p = 0;
};

/// tests/oracle/radii.csv: written from the page of mathematics by somebody who had not seen the code.
std::vector<OracleRow> oracle() {
  std::ifstream file(MIXLAB_SOURCE_DIR "/tests/oracle/radii.csv");
  std::vector<OracleRow> rows;
  std::string line;
  std::getline(file, line);
  BOOST_REQUIRE(line == "set,p,B,sigma,phi,d,delta,lambda,t,logdet,q,radius2,log_p");
  while (std::getline(file, line)) {
    const auto cells = split(line, ',');
    const auto number = [&](std::size_t i) { return std::stod(cells[i]); };
    OracleRow row;
    row.set = cells[0];
    row.constants.p = std::stoi(cells[1]);
    row.constants.B = number(2);
    row.constants.sigma = number(3);
    row.constants.phi = number(4);
    row.constants.d = std::stoll(cells[5]);
    row.constants.delta = number(6);
    row.constants.lambda = number(7);
    row.t = std::stoll(cells[8]);
    row.logdet = number(9);
    row.q = number(10);
    row.radius2 = number(11);
    row.log_p = number(12);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(confidence_set)

BOOST_AUTO_TEST_CASE(radii_and_p_values_agree_with_the_oracle) {
  // compared in sets/*_test.cpp; the radius of coin is no formula of the theory
  const std::set<std::string> elsewhere = {"telescope",   "anytime-telescope", "chains",  "tight-kappa", "tight-root",
                                           "joint",       "adaptive-sticky",   "hac-tau", "hac-lrv",     "lemma1",
                                           "forecasters", "proposition2"};
  std::map<std::string, int> checked;
  for (const OracleRow& row : oracle()) {
    const SetMaker* maker = confidence_sets().find(row.set);
    if (!maker) continue;
    const auto set = maker->make(row.constants);
    BOOST_TEST_CONTEXT(row.set << " p " << row.constants.p << " d " << row.constants.d << " t " << row.t) {
      BOOST_TEST(std::abs(set->radius2(row.t, row.logdet) - row.radius2) <= 1e-12 * row.radius2);
      BOOST_TEST(std::abs(set->log_p(row.t, row.q, row.logdet) - row.log_p) <=
                 1e-12 * std::max(1.0, std::abs(row.log_p)));
    }
    ++checked[row.set];
  }
  for (const std::string& name : catalogue().names(Kind::sets))
    if (name != "coin" && !elsewhere.contains(name)) BOOST_TEST(checked[name] > 20, name);
}

BOOST_AUTO_TEST_CASE(p_value_below_delta_means_outside) {
  random::Stream stream = test_stream(51);
  const std::set<std::string> small = {"forecasters", "lemma1", "proposition2"};  // p = 1, 2 only
  for (const std::string& name : catalogue().names(Kind::sets))
    for (int repeat = 0; repeat < 2000; ++repeat) {
      const SetConstants constants{.p = static_cast<int>(integer_in(stream, 1, small.contains(name) ? 2 : 10)),
                                   .B = uniform_in(stream, 0.1, 4),
                                   .sigma = uniform_in(stream, 0.2, 3),
                                   .phi = repeat % 3 ? uniform_in(stream, 0, 0.3) : 0,
                                   .d = integer_in(stream, 1, 50),
                                   .delta = std::exp(uniform_in(stream, -8, -0.1)),
                                   .lambda = std::exp(uniform_in(stream, -3, 3))};
      const auto set = confidence_sets().find(name)->make(constants);
      const std::int64_t t = integer_in(stream, 1, 1000);
      const double logdet = uniform_in(stream, 0, 20);
      const double q = set->radius2(t, logdet) * uniform_in(stream, 0.8, 1.2);
      BOOST_TEST((q > set->radius2(t, logdet)) == (set->log_p(t, q, logdet) < std::log(constants.delta)));
    }
}

BOOST_AUTO_TEST_CASE(paper_without_delay_and_bias_is_otc) {
  const SetConstants constants{.p = 3, .B = 1.5, .sigma = 0.7, .phi = 0, .d = 1, .delta = 0.01, .lambda = 0.4};
  SetConstants ignored = constants;
  ignored.d = 17;
  ignored.phi = 0.3;
  const auto paper = confidence_sets().find("paper")->make(constants);
  const auto otc = confidence_sets().find("otc")->make(ignored);
  for (std::int64_t t = 1; t < 100; ++t) BOOST_TEST(paper->radius2(t, 0) == otc->radius2(t, 0));
}

BOOST_AUTO_TEST_CASE(reductions) {
  random::Stream stream = test_stream(52);
  const auto radius2 = [](const std::string& name, const SetConstants& c, std::int64_t t, double logdet) {
    return confidence_sets().find(name)->make(c)->radius2(t, logdet);
  };
  int n_tight_larger = 0;
  for (int repeat = 0; repeat < 5000; ++repeat) {
    SetConstants c{.p = static_cast<int>(integer_in(stream, 1, 10)),
                   .B = uniform_in(stream, 0.1, 4),
                   .sigma = uniform_in(stream, 0.2, 3),
                   .phi = uniform_in(stream, 0, 0.3),
                   .d = integer_in(stream, 3, 60),
                   .delta = std::exp(uniform_in(stream, -8, -0.1)),
                   .lambda = std::exp(uniform_in(stream, -3, 3))};
    const std::int64_t t = integer_in(stream, 1, 300);
    const double logdet = uniform_in(stream, 0, 20);
    // tight lies within proof from t = d on, and before exactly if t (log d + (p+1)/(2(p+2))) > d
    const auto d = static_cast<double>(c.d);
    const bool expected = t >= c.d || static_cast<double>(t) * (std::log(d) + (c.p + 1.0) / (2 * (c.p + 2.0))) > d;
    const double gap = radius2("proof", c, t, 0) - radius2("tight", c, t, 0);
    if (std::abs(gap) > 1e-9 * radius2("proof", c, t, 0)) BOOST_TEST((gap > 0) == expected);
    n_tight_larger += gap < 0;
    c.phi = 0;
    BOOST_TEST(radius2("proof", c, t, 0) <= radius2("paper", c, t, 0) * (1 + 1e-12));
    c.d = 1;
    BOOST_TEST(radius2("selfnorm", c, t, logdet) <= radius2("oful", c, t, logdet) * (1 + 1e-12));
  }
  BOOST_TEST(n_tight_larger > 100);
}

BOOST_AUTO_TEST_CASE(guarantees) {
  Values rho;
  rho.set("rho", 0.9);
  Values law;
  law.set("law", std::string("gaussian"));
  const auto sticky = make_process("sticky", rho);
  const auto iid = make_process("iid", law);
  SetConstants constants{.p = 2, .B = 1, .sigma = 1, .phi = sticky->phi(10), .d = 10, .delta = 0.05, .lambda = 1};
  const auto why = [&](const std::string& set, const noise::Process& noise, std::int64_t lag) {
    return confidence_sets().find(set)->make(constants)->why_not_guaranteed({noise, constants.sigma, lag});
  };
  BOOST_TEST(why("paper", *sticky, 10).empty());
  BOOST_TEST(!why("paper", *sticky, 9).empty());
  BOOST_TEST(!why("oful", *sticky, 10).empty());
  BOOST_TEST(!why("otc", *sticky, 10).empty());
  BOOST_TEST(why("oful", *iid, 1).empty());
  BOOST_TEST(why("otc", *iid, 1).empty());
  constants.phi *= 0.5;
  BOOST_TEST(!why("paper", *sticky, 10).empty());
  constants.phi *= 2;
  constants.B = 1 + constants.phi / 2 + 0.01;
  BOOST_TEST(!why("paper", *sticky, 10).empty());
  constants.B = 1 + constants.phi / 2 - 0.01;
  BOOST_TEST(why("paper", *sticky, 10).empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
