#include "mixlab/verdict/declared.h"

#include <boost/test/unit_test.hpp>

#include "engine/experiments_of.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

std::vector<DeclaredCell> declared_by(const std::string& text) {
  return declared_in(engine::facts_of(engine::experiments_of(text)));
}

const std::string two_cells = "[noise]\nrho=0.5, 0.9\n[confidence]\nmonitor=paper oful\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(declared)

// A set that is to hold is judged twice, at its delta and at all at once; one that is to break once; others never.
BOOST_AUTO_TEST_CASE(words_are_counted_where_something_is_expected) {
  const auto cells = declared_by(two_cells + "[expect]\npaper=holds\noful=any; broken if noise.rho>0.7\n");
  BOOST_REQUIRE(cells.size() == 2u);
  BOOST_TEST((cells[0].sets == std::vector<std::string>{"paper"}));
  BOOST_TEST((cells[1].sets == std::vector<std::string>{"paper", "oful"}));
  BOOST_TEST(cells[0].n_holding == 1);
  BOOST_TEST(cells[1].n_holding == 1);
  BOOST_TEST(cells[0].n_words() == 2 + cells[0].theorem);
  BOOST_TEST(cells[1].n_words() == 3 + cells[1].theorem);
  BOOST_TEST(n_words(cells) == cells[0].n_words() + cells[1].n_words());
}

BOOST_AUTO_TEST_CASE(nothing_expected_is_nothing_declared) {
  const auto cells = declared_by("[policy]\nname=round-robin\n" + two_cells + "[expect]\npaper=any\noful=any\n");
  for (const auto& cell : cells) BOOST_TEST(!cell.decides_anything());
  BOOST_TEST(n_words(cells) == 1);
}

// What a file says was declared, counted anew from its variables.
BOOST_AUTO_TEST_CASE(a_file_declares_what_its_variables_say) {
  const store::ResultsFile results(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  const auto cells = declared_in(results);
  const auto expected = results.file().read<std::uint8_t>("expected");
  const auto vacuous = results.file().read<std::uint8_t>("bound_vacuous");
  BOOST_REQUIRE(expected.size() == 3 * cells.size());
  std::int64_t n_expected = 0, n_holding = 0;
  for (const std::uint8_t code : expected) {
    n_expected += code != 0;
    n_holding += code == 1;
  }
  std::int64_t n_theorems = 0, n_sets = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    n_sets += static_cast<std::int64_t>(cells[c].sets.size());
    n_theorems += cells[c].theorem;
    BOOST_TEST((!cells[c].theorem || vacuous[c] == 0));
  }
  BOOST_TEST(n_sets == n_expected);
  BOOST_TEST(n_words(cells) == n_expected + n_holding + n_theorems);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
