#include "cli/verdict_selection.h"

#include <boost/test/unit_test.hpp>

#include "message.h"

using namespace mixlab;
using namespace mixlab::cli;

namespace {

verdict::Verdict two_cells() {
  verdict::Verdict verdict;
  verdict.cells.resize(2);
  verdict.completed = verdict.trajectories = 2;
  for (const std::int64_t cell : {0, 1}) {
    for (const char* set : {"paper", "oful"}) {
      verdict::Finding finding;
      finding.cell = cell;
      finding.set = set;
      finding.anytime.contradicted = cell == 1 && finding.set == "oful";
      verdict.findings.push_back(finding);
    }
    verdict::BoundFinding bound;
    bound.cell = cell;
    verdict.bounds.push_back(bound);
  }
  verdict::Comparison pair;
  pair.cell_b = 1;
  verdict.comparisons = {pair};
  return verdict;
}

VerdictSelection selection_of(const Arguments& arguments) {
  Syntax syntax;
  add_selection_options(syntax.options);
  Options options;
  parse(arguments, syntax, options);
  return selection_in(options, two_cells());
}

verdict::Verdict part(const Arguments& arguments) {
  return selected(two_cells(), selection_of(arguments));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(verdict_selection)

BOOST_AUTO_TEST_CASE(cells_and_sets) {
  BOOST_TEST(part({}).findings.size() == 4u);
  const auto one = part({"--cell", "1", "--only", "paper"});
  BOOST_REQUIRE(one.findings.size() == 1u);
  BOOST_TEST(one.findings[0].cell == 1);
  BOOST_TEST(one.findings[0].set == "paper");
  BOOST_TEST(one.bounds.size() == 1u);
  BOOST_TEST(one.comparisons.size() == 1u);
  BOOST_TEST(part({"--cell", "1", "--cell", "0"}).findings.size() == 4u);
}

BOOST_AUTO_TEST_CASE(contradictions_alone) {
  const auto wrong = part({"--contradicted"});
  BOOST_REQUIRE(wrong.findings.size() == 1u);
  BOOST_TEST(wrong.findings[0].set == "oful");
  BOOST_TEST(wrong.bounds.empty());
  BOOST_TEST(wrong.comparisons.empty());
}

BOOST_AUTO_TEST_CASE(unknown_names_are_refused_with_those_that_are_known) {
  BOOST_TEST(message_of([] {
               selection_of({"--cell", "2"});
             }) == "bad --cell: '2' (must be a cell of the study); it has cells 0 to 1");
  BOOST_TEST(message_of([] {
               selection_of({"--only", "ofull"});
             }) == "bad --only: 'ofull' (must be a set that the study watches); it watches paper, oful");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
