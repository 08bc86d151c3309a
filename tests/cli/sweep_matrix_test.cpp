#include "cli/sweep_matrix.h"

#include <boost/test/unit_test.hpp>
#include <numeric>
#include <sstream>

using namespace mixlab;
using namespace mixlab::cli;

namespace {

verdict::Verdict verdict_of(std::vector<std::string> swept, const std::vector<std::vector<std::string>>& cells) {
  verdict::Verdict verdict;
  verdict.swept = std::move(swept);
  for (const auto& sweep : cells) {
    verdict.cells.emplace_back();
    verdict.cells.back().sweep = sweep;
  }
  return verdict;
}

std::vector<std::int64_t> all_cells(const verdict::Verdict& verdict) {
  std::vector<std::int64_t> cells(verdict.cells.size());
  std::iota(cells.begin(), cells.end(), std::int64_t{0});
  return cells;
}

const MatrixEntries numbers{"n", [](std::int64_t cell) { return std::to_string(cell); }};

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(sweep_matrix)

BOOST_AUTO_TEST_CASE(numbers_go_across_before_words) {
  const auto verdict = verdict_of({"policy.name", "noise.rho"},
                                  {{"a", "0.9"}, {"a", "0.1"}, {"b", "0.9"}, {"b", "0.1"}, {"c", "0.9"}, {"c", "0.1"}});
  const SweepLayout layout = lay_out(verdict, all_cells(verdict));
  BOOST_TEST(verdict.swept[layout.across] == "noise.rho");
  BOOST_TEST(matrix_text(verdict, layout, {numbers}) ==
             "    0.1 0.9\n"
             "n a   1   0\n"
             "  b   3   2\n"
             "  c   5   4\n");
}

// A process without the key that goes across is shown, too.
BOOST_AUTO_TEST_CASE(no_cell_is_lost) {
  const auto verdict = verdict_of({"noise.process", "noise.rho"}, {{"iid", ""}, {"sticky", "0.5"}, {"sticky", "0.9"}});
  BOOST_TEST(matrix_text(verdict, lay_out(verdict, all_cells(verdict)), {{"", numbers.entry}}) ==
             "       none 0.5 0.9\n"
             "iid       0\n"
             "sticky        1   2\n");
}

BOOST_AUTO_TEST_CASE(only_the_cells_asked_for) {
  const auto verdict =
      verdict_of({"noise.rho", "policy.name"}, {{"0.1", "a"}, {"0.1", "b"}, {"0.9", "a"}, {"0.9", "b"}});
  BOOST_TEST(matrix_text(verdict, lay_out(verdict, {1, 3}), {numbers}) ==
             "    0.1 0.9\n"
             "n b   1   3\n");
}

BOOST_AUTO_TEST_CASE(wide_matrices_are_cut_into_several) {
  std::vector<std::vector<std::string>> cells;
  for (int i = 0; i < 60; ++i) cells.push_back({std::to_string(100000 + i), "a name of a process that is rather long"});
  const auto verdict = verdict_of({"study.horizon", "noise.process"}, cells);
  std::istringstream lines(matrix_text(verdict, lay_out(verdict, all_cells(verdict)), {numbers}));
  std::string line, last;
  while (std::getline(lines, line)) {
    BOOST_TEST(line.size() <= 79u);
    last = line;
  }
  BOOST_TEST(last.ends_with(" 59"));
}

BOOST_AUTO_TEST_CASE(long_names_stand_above_their_line) {
  const auto verdict =
      verdict_of({"noise.rho", "noise.process"}, {{"0.1", std::string(70, 'x')}, {"0.2", std::string(70, 'x')}});
  BOOST_TEST(matrix_text(verdict, lay_out(verdict, all_cells(verdict)), {numbers}) ==
             "   0.1 0.2\n" + std::string(70, 'x') + "\nn    0   1\n");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
