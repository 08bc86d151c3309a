#include "mixlab/store/hdf5.h"

#include <boost/test/unit_test.hpp>

using namespace mixlab::store;

namespace {

int n_closed = 0;

herr_t count_close(hid_t id) {
  ++n_closed;
  return id == 7 ? -1 : 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(hdf5)

BOOST_AUTO_TEST_CASE(handles_close_once) {
  n_closed = 0;
  {
    Handle first(1, count_close);
    Handle second = std::move(first);
    BOOST_TEST(first.get() == -1);
    BOOST_TEST(second.get() == 1);
    Handle third;
    third = std::move(second);
    BOOST_TEST(n_closed == 0);
    BOOST_TEST(third.close());
    BOOST_TEST(n_closed == 1);
  }
  BOOST_TEST(n_closed == 1);
  BOOST_TEST(!Handle(7, count_close).close());  // a failed write may show only here
  { const Handle none; }
  BOOST_TEST(n_closed == 2);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
