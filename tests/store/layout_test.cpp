#include "mixlab/store/layout.h"

#include <boost/test/unit_test.hpp>
#include <set>
#include <stdexcept>

#include "folder.h"
#include "message.h"
#include "mixlab/engine/row.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/sealed_file.h"

using namespace mixlab;
using namespace mixlab::store;

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(layout)

BOOST_AUTO_TEST_CASE(every_variable_is_explained_and_stands_over_known_dimensions) {
  std::set<std::string> names;
  for (const auto& variable : results_layout()) {
    BOOST_TEST(names.insert(variable.name).second, variable.name);
    BOOST_TEST(!variable.meaning.empty(), variable.name);
    BOOST_TEST(variable.since >= 1, variable.name);
    BOOST_TEST(variable.since <= format_version, variable.name);
    for (const auto& dimension : variable.dimensions) BOOST_TEST(names.contains(dimension), variable.name);
  }
  BOOST_CHECK_THROW(layout_of("no-such-variable"), std::logic_error);
}

BOOST_AUTO_TEST_CASE(columns_of_rows_are_in_it) {
  engine::for_each_column<engine::Row>([](const auto& column) {
    const Variable& variable = layout_of(column.name);
    BOOST_TEST(variable.dimensions.at(0) == "cell");
    BOOST_TEST(variable.dimensions.at(1) == "trajectory");
    BOOST_TEST(variable.dimensions.size() == (column.axis == engine::Axis::none ? 2u : 3u));
    BOOST_TEST(variable.since == column.since);
  });
}

BOOST_AUTO_TEST_CASE(a_file_of_each_version_has_what_its_version_has) {
  const Reader one = open_guarded(MIXLAB_SOURCE_DIR "/tests/compat/results-1.h5");
  const Reader two = open_guarded(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  BOOST_CHECK_NO_THROW(require_layout(one, 1));
  BOOST_CHECK_NO_THROW(require_layout(two, 2));
  BOOST_CHECK_NO_THROW(require_layout(two, 1));
  BOOST_TEST(contains(message_of<InputError>([&] { require_layout(one, 2); }), "n_run"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
