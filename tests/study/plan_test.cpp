#include "mixlab/study/plan.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "mixlab/study/look.h"
#include "study/study_of.h"

using namespace mixlab;
using namespace mixlab::study;

BOOST_AUTO_TEST_SUITE(study)
BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(part_names_round_trip) {
  for (const Part part : {Part{3, 0, 1024, 0}, Part{0, 5, 6, 0}, Part{12345, 999999, 12345678, 0}}) {
    const auto read = parse_file_name(file_name(part));
    BOOST_REQUIRE(read);
    BOOST_TEST(read->cell == part.cell);
    BOOST_TEST(read->first == part.first);
    BOOST_TEST(read->end == part.end);
  }
  BOOST_TEST(file_name({3, 0, 1024, 0}) == "c0003-000000-001023.h5");
  for (const std::string name :
       {"c0003-000000-001023.h5.tmp.x.1", "c3-000000-001023.h5", "c0003-000005-000004.h5", "study.cfg", ""})
    BOOST_TEST(!parse_file_name(name), name);
}

BOOST_AUTO_TEST_CASE(rows_merge_and_complement) {
  RowRanges rows;
  rows.add(0, 10, 20);
  rows.add(0, 30, 40);
  rows.add(0, 18, 32);
  rows.add(0, 50, 50);
  BOOST_TEST(rows.count() == 30);
  rows.add(1, 0, 5);
  BOOST_TEST(rows.count(1) == 5);
  const auto holes = rows.missing(0, 0, 60);
  BOOST_REQUIRE(holes.size() == 2u);
  BOOST_TEST((holes[0] == std::pair<std::int64_t, std::int64_t>(0, 10)));
  BOOST_TEST((holes[1] == std::pair<std::int64_t, std::int64_t>(40, 60)));
}

BOOST_AUTO_TEST_CASE(shards_partition_the_parts_and_growth_only_adds) {
  const Study study = study_of("[study]\ntrajectories=100\n[noise]\nrho=0.5, 0.9\n");
  const std::vector<std::int64_t> sizes = {32, 16};
  const auto all = missing_parts(study, sizes, {});
  BOOST_TEST(all.size() == 4u + 7u);
  std::int64_t rows = 0;
  for (std::int64_t i = 0; i < 3; ++i)
    for (const auto& part : missing_parts(study, sizes, {}, {i, 3})) {
      BOOST_TEST(part.number % 3 == i);
      rows += part.size();
    }
  BOOST_TEST(rows == 200);
  RowRanges done;
  for (const auto& part : all) done.add(part.cell, part.first, part.end);
  BOOST_TEST(missing_parts(study, sizes, done).empty());
  const auto more = missing_parts(study_of("[study]\ntrajectories=130\n[noise]\nrho=0.5, 0.9\n"), sizes, done);
  BOOST_REQUIRE(!more.empty());
  BOOST_TEST(more[0].first == 100);
  BOOST_TEST(more[0].end == 128);
  BOOST_TEST(more[1].end == 130);
}

BOOST_AUTO_TEST_CASE(no_part_crosses_a_look_where_cells_may_stop) {
  const Study study = study_of("[study]\ntrajectories=1000\nstop=verdict\n[noise]\nrho=0.5, 0.9\n");
  const Study never = study_of("[study]\ntrajectories=1000\n[noise]\nrho=0.5, 0.9\n");
  BOOST_TEST(study.hash() == never.hash());
  BOOST_TEST(stops_at_verdict(study));
  BOOST_TEST(!stops_at_verdict(never));
  const std::vector<std::int64_t> sizes = {4096, 48};
  const auto all = missing_parts(study, sizes, {});
  std::int64_t rows = 0;
  for (const auto& part : all) {
    BOOST_TEST(part.end <= look_after(part.first));
    rows += part.size();
  }
  BOOST_TEST(rows == 2000);
  BOOST_TEST(missing_parts(never, sizes, {})[0].end == 1000);
  for (const auto& part : missing_parts(study, sizes, {128, 64}, {})) {  // its number is that of the whole plan
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const Part& each) { return each.number == part.number; });
    BOOST_REQUIRE((same != all.end()));
    BOOST_TEST(same->cell == part.cell);
    BOOST_TEST(same->first == part.first);
    BOOST_TEST(part.end <= (part.cell == 0 ? 128 : 64));
  }
}

BOOST_AUTO_TEST_CASE(shard_option) {
  BOOST_TEST(parse_shard("2/3").index == 2);
  for (const std::string bad : {"3/3", "5/3", "-1/3", "1", "a/b", "1/0", ""})
    BOOST_CHECK_THROW(parse_shard(bad), InputError);
}

BOOST_AUTO_TEST_CASE(checkpoints_are_increasing_and_end_at_the_horizon) {
  for (const std::int64_t T : {1, 2, 10, 5000, 1000000})
    for (const int n : {1, 2, 64, 1000}) {
      const auto rounds = checkpoints(T, n);
      BOOST_TEST(rounds.back() == T);
      BOOST_TEST((n == 1 || rounds.front() == 1));
      for (std::size_t i = 1; i < rounds.size(); ++i) BOOST_TEST(rounds[i] > rounds[i - 1]);
      BOOST_TEST(rounds.size() <= static_cast<std::size_t>(n));
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
