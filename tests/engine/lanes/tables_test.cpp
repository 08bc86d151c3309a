#include "engine/lanes/tables.h"

#include <boost/test/unit_test.hpp>

#include "random_cell.h"

using namespace mixlab;
using namespace mixlab::engine;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(tables_of_radii) {
  for (const std::string horizon : {"7", "300", "200000"}) {  // the last one is too long to be kept
    const auto experiments = make_experiments(study::Study(study::parse_study_text(
        "[study]\nhorizon=" + horizon + "\n[problem]\ndimension=3\narms=sphere:5\n[noise]\nprocess=iid\n" +
            "[policy]\ndelay=12\n[confidence]\ndelay=25\nphi=0.05\nmonitor=" + all_sets + "\n",
        "test.cfg")));
    const Experiment& e = experiments.front();
    for (const auto& table : lanes::Tables(e).sets) {
      for (std::int64_t t = 1; t <= e.T; t += e.T > 1000 ? 997 : 1) {
        const bandit::RadiusTerms truth = table.set().terms(t), kept = table.at(t), floor = table.floor(t);
        const bandit::RadiusTerms shortly_before = table.set().terms(std::max<std::int64_t>(1, t - 9));
        for (const auto term : {&bandit::RadiusTerms::bias, &bandit::RadiusTerms::constant,
                                &bandit::RadiusTerms::per_logdet, &bandit::RadiusTerms::per_log_delta}) {
          BOOST_TEST((kept.*term) == (truth.*term));
          BOOST_TEST((floor.*term) <= (truth.*term));
          BOOST_TEST((floor.*term) >= (shortly_before.*term));
        }
        BOOST_TEST(table.per_log_delta(t) == truth.per_log_delta);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
