#include "mixlab/noise/audit.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "laws.h"
#include "mixlab/core/catalogue.h"

using namespace mixlab;
using namespace mixlab::noise;

namespace {

/// A process that certifies a share of what it should.
class Boaster final : public Process {
 public:
  Boaster(const Process& process, double of_phi, double of_sigma)
      : process_(process), of_phi_(of_phi), of_sigma_(of_sigma) {}
  double sigma() const override { return of_sigma_ * process_.sigma(); }
  double phi(std::int64_t d) const override { return of_phi_ * process_.phi(d); }
  bool phi_is_exact() const override { return false; }
  std::unique_ptr<Path> start(const random::Stream& stream) const override { return process_.start(stream); }

 private:
  const Process& process_;
  double of_phi_, of_sigma_;
};

AuditSettings settings() {
  AuditSettings settings;
  settings.n_paths = 400;
  settings.n_rounds = 600;
  settings.seed = test_seed();
  settings.alpha = 1e-7;
  return settings;
}

struct Law {
  std::string name;
  std::map<std::string, Value> parameters;

  std::unique_ptr<const Process> make() const {
    Values values;
    for (const auto& [key, value] : parameters) values.set(key, value);
    return make_process(name, values);
  }
};

const std::string signs = "rademacher";
const Law laws[] = {
    {"iid", {{"law", signs}}},
    {"iid", {{"law", std::string("gaussian")}}},
    {"sticky", {{"rho", 0.9}}},
    {"sticky", {{"rho", -0.6}}},
    {"ar1", {{"rho", 0.7}, {"law", signs}}},
    {"block-repeat", {{"length", std::int64_t{5}}, {"law", signs}}},
    {"frozen-sign", {{"frozen", 0.3}, {"law", signs}}},
    {"moving-average", {{"weights", std::string("1 0.6 0.3")}, {"law", signs}}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(audit_of_certificates)

BOOST_AUTO_TEST_CASE(true_certificates_pass) {  // false alarm 1e-7 per law
  for (const Law& law : laws) {
    const Audit result = audit(*law.make(), settings());
    BOOST_TEST(result.claims.size() >= 2u, law.name);
    BOOST_TEST(!result.refutes(), law.name);
  }
}

BOOST_AUTO_TEST_CASE(half_of_phi_is_caught) {
  for (const Law& law : laws) {
    const auto process = law.make();
    if (process->phi(1) == 0) continue;
    const Audit result = audit(Boaster(*process, 0.5, 1), settings());
    BOOST_TEST(result.refutes(), law.name);
    for (const auto& claim : result.claims)
      if (claim.kind == AuditedClaim::Kind::tail && law.name == "sticky") BOOST_TEST(!result.refutes(claim), claim.lag);
  }
}

BOOST_AUTO_TEST_CASE(half_of_sigma_is_caught) {
  for (const Law& law : {laws[0], laws[1]}) {
    const auto process = law.make();
    const Audit result = audit(Boaster(*process, 1, 0.5), settings());
    BOOST_TEST(result.refutes(result.claims.at(1)), law.name);  // the tail at lag 1
  }
}

// A capital has mean at most 1 under every true certificate: the share of seeds in which it exceeds 10 is at most 1/10.
BOOST_AUTO_TEST_CASE(capitals_are_fair) {
  const auto process = Law{"sticky", {{"rho", 0.5}}}.make();
  AuditSettings small = settings();
  small.n_paths = 16;
  small.n_rounds = 60;
  small.lags = {1, 3};
  int n = 0, above = 0;
  for (small.seed = 1; small.seed <= 300; ++small.seed)
    for (const auto& claim : audit(*process, small).claims) {
      if (claim.kind != AuditedClaim::Kind::tail) continue;  // a bias claim is the best of twelve bets
      ++n;
      above += claim.log10_e > 1;
    }
  BOOST_TEST(n == 600);
  BOOST_TEST(above < 0.1 * n + 5.2 * std::sqrt(0.09 * n));  // false alarm below 1e-6 even at a mean of exactly 1/10
}

// What `visible` promises: at that excess nine of ten seeds refute.
BOOST_AUTO_TEST_CASE(visible_excess_is_found) {
  AuditSettings small = settings();
  small.n_paths = 100;
  small.n_rounds = 200;
  small.lags = {1};
  const auto process = Law{"sticky", {{"rho", 0.3}}}.make();
  const double visible = audit(*process, small).claims.at(0).visible;
  BOOST_REQUIRE(visible < 0.3);
  int found = 0;
  for (small.seed = 1; small.seed <= 100; ++small.seed)
    found += audit(Boaster(*process, 1 - visible / 0.3, 1), small).refutes();
  BOOST_TEST_MESSAGE("excess " << visible << " found in " << found << " of 100");
  BOOST_TEST(found >= 75);  // Bin(100, 0.9) is below 75 with probability 1e-5; 0.93 or more is what the promise gives
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
