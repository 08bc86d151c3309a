#include "mixlab/core/parameter.h"

#include <boost/test/unit_test.hpp>

#include "message.h"
#include "mixlab/core/error.h"

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(parameter)

BOOST_AUTO_TEST_CASE(types_and_ranges) {
  const Parameter rho = Parameter::real("rho", "0.5", "").above(-1).below(1);
  const Parameter n = Parameter::integer("n", "", "").at_least(1).at_most(9);
  const Parameter law = Parameter::text("law", "uniform", "").one_of({"gaussian", "uniform"});
  BOOST_TEST(std::get<double>(rho.parse("noise", "0.25")) == 0.25);
  BOOST_TEST(std::get<std::int64_t>(n.parse("x", "9")) == 9);
  BOOST_TEST(std::get<std::string>(law.parse("noise", "gaussian")) == "gaussian");
  BOOST_TEST(rho.range() == "in (-1, 1)");
  BOOST_TEST(n.range() == "in [1, 9]");
  BOOST_TEST(Parameter::real("x", "", "").at_least(2).range() == "at least 2");
  BOOST_TEST(Parameter::real("x", "", "").below(2).range() == "below 2");
  BOOST_TEST(law.range() == "gaussian or uniform");
  const auto refused = [](const Parameter& parameter, const std::string& written) {
    return message_of<KeyError>([&] { parameter.parse("noise", written); });
  };
  BOOST_TEST(refused(rho, "1") == "bad value for noise.rho: '1' (must be in (-1, 1)); the default is 0.5");
  BOOST_TEST(contains(refused(rho, "-1"), "must be in"));
  BOOST_TEST(refused(n, "1.5") ==
             "bad value for noise.n: '1.5' (must be a whole number, in [1, 9]); "
             "give a value in range");
  BOOST_TEST(contains(refused(n, "10"), "must be in [1, 9]"));
  BOOST_TEST(contains(refused(law, "gausian"), "did you mean gaussian?"));
  BOOST_TEST(contains(refused(Parameter::text("t", "", ""), ""), "must not be empty"));
  BOOST_TEST(Parameter::file("f", "").is_file());
  BOOST_TEST(!law.is_file());
}

BOOST_AUTO_TEST_CASE(values_by_section) {
  Values values;
  values.set("noise.rho", 0.5);
  values.set("noise.n", std::int64_t{3});
  values.set("noisey.n", std::string("x"));
  const Values inside = values.section("noise");
  BOOST_TEST(inside.real("rho") == 0.5);
  BOOST_TEST(inside.integer("n") == 3);
  BOOST_TEST(std::distance(inside.begin(), inside.end()) == 2);
  BOOST_CHECK_THROW(inside.at("tau"), std::out_of_range);
  BOOST_TEST(to_text(values.at("noise.rho")) == "0.5");
  BOOST_TEST(to_text(values.at("noisey.n")) == "x");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
