#include "mixlab/store/extent.h"

#include <boost/test/unit_test.hpp>
#include <set>

using namespace mixlab::store;

namespace {

/// The blocks' elements by their place in the file, one after the other.
std::vector<hsize_t> places_in_blocks(const Extent& extent, hsize_t most, int& n_blocks) {
  std::vector<hsize_t> places;
  for_each_block(extent, most, [&](const Extent& start, const Extent& count) {
    ++n_blocks;
    hsize_t n = 1;
    for (const hsize_t size : count) n *= size;
    BOOST_TEST(n <= most);
    for (hsize_t flat = 0; flat < n; ++flat) {
      hsize_t place = 0, rest = flat, step = 1;
      for (std::size_t axis = extent.size(); axis-- > 0; rest /= count[axis], step *= extent[axis])
        place += (start[axis] + rest % count[axis]) * step;
      places.push_back(place);
    }
  });
  return places;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store)

BOOST_AUTO_TEST_CASE(blocks_are_large_and_in_the_order_of_the_file) {
  struct Case {
    Extent extent;
    hsize_t most;
    int n_blocks;
  };
  for (const Case& each : {Case{{10}, 4, 3}, Case{{70000, 1}, 1 << 20, 1}, Case{{70000, 3}, 30000, 7},
                           Case{{3, 5, 4}, 100, 1}, Case{{3, 5, 4}, 40, 2}, Case{{3, 5, 4}, 10, 9},
                           Case{{3, 5, 4}, 3, 30}, Case{{3, 5, 4}, 1, 60}, Case{{3, 0, 4}, 10, 0}, Case{{}, 10, 1}}) {
    int n_blocks = 0;
    const auto places = places_in_blocks(each.extent, each.most, n_blocks);
    BOOST_TEST(n_blocks == each.n_blocks);
    hsize_t n = 1;
    for (const hsize_t size : each.extent) n *= size;
    BOOST_TEST(places.size() == n);
    bool in_order = true;
    for (hsize_t i = 0; i < places.size(); ++i) in_order = in_order && places[i] == i;
    BOOST_TEST(in_order);
  }
}

BOOST_AUTO_TEST_CASE(pieces_are_all_visited_once) {
  struct Case {
    Extent extent, piece;
    std::size_t n_pieces;
  };
  for (const Case& each : {Case{{10}, {4}, 3}, Case{{10}, {10}, 1}, Case{{10}, {11}, 1}, Case{{3, 5, 4}, {2, 5, 3}, 4},
                           Case{{3, 5, 4}, {1, 1, 1}, 60}, Case{{3, 0, 4}, {1, 1, 1}, 0}}) {
    std::set<Extent> starts;
    for_each_piece(each.extent, each.piece, [&](const Extent& start) {
      BOOST_TEST(starts.insert(start).second);
      for (std::size_t axis = 0; axis < start.size(); ++axis) {
        BOOST_TEST(start[axis] % each.piece[axis] == 0u);
        BOOST_TEST(start[axis] < each.extent[axis]);
      }
    });
    BOOST_TEST(starts.size() == each.n_pieces);
  }
}

BOOST_AUTO_TEST_SUITE_END()
