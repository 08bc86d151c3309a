#include <boost/test/unit_test.hpp>

#include "laws.h"

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(iid)

BOOST_AUTO_TEST_CASE(every_law_is_centred_unit_variance_and_sub_gaussian) {  // false alarm below 1e-6 in all
  for (const std::string law : {"gaussian", "rademacher", "uniform"}) {
    Values parameters;
    parameters.set("law", law);
    const auto process = make_process("iid", parameters);
    BOOST_TEST(process->phi(1) == 0);
    const auto paths = draw_paths(*process, 20000, 10, 11);
    const auto z = [&](double expected, auto f) {
      return std::abs(z_score(paths, expected, [&](const auto& path) {
        double sum = 0;
        for (const double eps : path) sum += f(eps);
        return sum / 10;
      }));
    };
    BOOST_TEST_CONTEXT(law) {
      BOOST_TEST(z(0, [](double x) { return x; }) < z_alarm);
      BOOST_TEST((law == "rademacher" || z(1, [](double x) { return x * x; }) < z_alarm));
      for (const double lambda : {-1.5, -0.5, 0.5, 1.5}) {  // MGF at most exp(lambda^2/2): one-sided
        const double allowed = std::exp(lambda * lambda / 2);
        BOOST_TEST(z_score(paths, allowed, [&](const auto& path) {
                     double sum = 0;
                     for (const double eps : path) sum += std::exp(lambda * eps);
                     return sum / 10;
                   }) < z_alarm);
      }
      // lag-one products are centred
      BOOST_TEST(std::abs(z_score(paths, 0, [](const auto& path) { return path[3] * path[4]; })) < z_alarm);
    }
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
