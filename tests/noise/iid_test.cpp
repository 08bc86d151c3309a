#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "checks.h"

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(iid)

namespace {

Paths paths_of(const std::string& law) {
  Values parameters;
  parameters.set("law", law);
  return draw_paths(*make_process("iid", parameters), 20000, 10, 11);
}

Paths scaled(Paths paths, double factor) {
  for (auto& path : paths)
    for (double& eps : path) eps *= factor;
  return paths;
}

/// Mean of f over rounds and paths against `expected`, in standard errors.
template <class F>
double z_of(const Paths& paths, double expected, F f) {
  return z_score(paths, expected, [&](const auto& path) {
    double sum = 0;
    for (const double eps : path) sum += f(eps);
    return sum / 10;
  });
}

/// Largest excess of the MGF over exp(lambda^2/2), in standard errors.
double mgf_excess(const Paths& paths) {
  double largest = -1e9;
  for (const double lambda : {-1.5, -0.5, 0.5, 1.5})
    largest = std::max(largest,
                       z_of(paths, std::exp(lambda * lambda / 2), [&](double eps) { return std::exp(lambda * eps); }));
  return largest;
}

/// Whether the variance is 1: exactly where it cannot vary, else by its z-score.
bool has_unit_variance(const std::string& law, const Paths& paths) {
  if (law != "rademacher") return std::abs(z_of(paths, 1, [](double x) { return x * x; })) < z_alarm;
  return std::all_of(paths.begin(), paths.end(), [](const auto& path) {
    return std::all_of(path.begin(), path.end(), [](double eps) { return std::abs(eps) == 1; });
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_law_is_centred_unit_variance_and_sub_gaussian) {  // false alarm below 1e-6 in all
  for (const std::string law : {"gaussian", "rademacher", "uniform"}) BOOST_TEST_CONTEXT(law) {
      const Paths paths = paths_of(law);
      BOOST_TEST(std::abs(z_of(paths, 0, [](double x) { return x; })) < z_alarm);
      BOOST_TEST(has_unit_variance(law, paths));
      BOOST_TEST(mgf_excess(paths) < z_alarm);
      // lag-one products are centred
      BOOST_TEST(std::abs(z_score(paths, 0, [](const auto& path) { return path[3] * path[4]; })) < z_alarm);
      // power
      BOOST_TEST(!has_unit_variance(law, scaled(paths, 1.05)));
      BOOST_TEST(!has_unit_variance(law, scaled(paths, 0.5)));
      if (law == "gaussian") BOOST_TEST(mgf_excess(scaled(paths, 1.1)) > z_alarm);
    }
}

BOOST_AUTO_TEST_CASE(has_no_bias) {
  for (const std::string law : {"gaussian", "rademacher", "uniform"}) {
    Values parameters;
    parameters.set("law", law);
    BOOST_TEST(make_process("iid", parameters)->phi(1) == 0);
  }
}

BOOST_AUTO_TEST_CASE(blocks_do_not_matter) {
  Values parameters;
  parameters.set("law", std::string("gaussian"));
  const auto process = make_process("iid", parameters);
  const random::StreamId id{1, 2, 3, random::Purpose::noise};
  std::vector<double> whole(1000), pieces(1000);
  process->start(random::Stream(id))->next(whole);
  const auto path = process->start(random::Stream(id));
  for (std::size_t first = 0; first < 1000; first += 125) path->next(std::span(pieces).subspan(first, 125));
  BOOST_TEST(whole == pieces, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
