#include "mixlab/core/catalogue.h"

#include <boost/test/unit_test.hpp>
#include <set>
#include <stdexcept>

#include "message.h"

using namespace mixlab;

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(catalogue_of_names)

BOOST_AUTO_TEST_CASE(names_are_found_in_their_kind) {
  Catalogue some;
  some.declare(Kind::noise, {.name = "white", .summary = "", .formula = "", .source = ""});
  BOOST_TEST(some.find(Kind::noise, "white")->name == "white");
  BOOST_TEST(!some.find(Kind::noise, "pink"));
  BOOST_TEST(!some.find(Kind::sets, "white"));
  BOOST_TEST(some.names(Kind::noise) == std::vector<std::string>{"white"}, boost::test_tools::per_element());
  BOOST_TEST(some.names(Kind::sets).empty());
  BOOST_CHECK_THROW(some.declare(Kind::noise, {.name = "white", .summary = "", .formula = "", .source = ""}),
                    std::logic_error);
}

BOOST_AUTO_TEST_CASE(only_what_the_scope_declares_ships) {
  Catalogue some;
  const auto entry = [](const char* name) { return Entry{.name = name, .summary = "", .formula = "", .source = ""}; };
  {
    const Catalogue::BuiltinScope scope(some);
    some.declare(Kind::sets, entry("ours"));
  }
  some.declare(Kind::sets, entry("theirs"));
  BOOST_TEST(some.find(Kind::sets, "ours")->is_builtin);
  BOOST_TEST(!some.find(Kind::sets, "theirs")->is_builtin);
}

BOOST_AUTO_TEST_CASE(unknown_names_are_told_with_a_suggestion) {
  BOOST_TEST(contains(unknown_name(Kind::sets, "papr"), "did you mean paper?"));
  BOOST_TEST(contains(unknown_name(Kind::sets, "zzzzzzzzz"), "see `mixlab list sets`"));
}

BOOST_AUTO_TEST_CASE(everything_that_ships_explains_itself) {
  std::set<std::string> kinds;
  for (const Kind kind : all_kinds) {
    kinds.insert(name_of(kind));
    BOOST_TEST(!catalogue().names(kind).empty());
    for (const auto& name : catalogue().names(kind)) {
      const Entry* entry = catalogue().find(kind, name);
      if (!entry->is_builtin) continue;
      BOOST_TEST(!entry->summary.empty(), name);
      BOOST_TEST(!entry->formula.empty(), name);
      for (const auto& parameter : entry->parameters) BOOST_TEST(!parameter.help().empty(), name << parameter.key());
    }
  }
  BOOST_TEST(kinds.size() == std::size(all_kinds));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
