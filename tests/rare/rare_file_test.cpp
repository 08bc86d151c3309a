#include "mixlab/rare/rare_file.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "folder.h"
#include "message.h"

using namespace mixlab;
using namespace mixlab::rare;

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

const Identity ours{"question", "hash", "[study]\n", "numerics"};
const Mixture mixture{{{{1, 0}, 0}, {{0.6, -0.8}, 0.25}}, {20, 40}};
const std::vector<PathRow> rows = {{0, {never, -3.5}, {0, 12}}, {1, {-1e3, never}, {7, 0}}};

}  // namespace

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(rare_files)

BOOST_AUTO_TEST_CASE(estimates_come_back_as_they_were) {
  const Folder folder;
  CellAnswer answer{.cell = 3,
                    .sets = {"paper", "tight"},
                    .targets = {{0, 0.05}, {1, 0.05}},
                    .mixture = mixture,
                    .rows = rows,
                    .estimates = {}};
  Estimate estimate;
  estimate.cell = 3;
  estimate.set = "paper";
  estimate.label = "rho=0.9";
  estimate.method = "twisted";
  estimate.delta = 0.05;
  estimate.why = "no path found";
  answer.estimates = {estimate};
  write_rare(folder / "rare.h5", ours, {answer});
  const auto back = read_estimates(folder / "rare.h5", ours);
  BOOST_REQUIRE(back.size() == 1);
  BOOST_TEST(engine::same_bits(back[0], estimate));
  BOOST_TEST(back[0].set == "paper");
  BOOST_TEST(back[0].label == "rho=0.9");
  BOOST_TEST(back[0].why == "no path found");
  BOOST_TEST(contains(message_of<InputError>([&] {
                        read_estimates(folder / "rare.h5", {"another", "", "", ""});
                      }),
                      "file of another question"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
