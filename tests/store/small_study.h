// A study of two cells with twenty trajectories each, for the tests of the store.
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/engine/facts.h"
#include "mixlab/engine/reference.h"
#include "mixlab/store/part_file.h"
#include "mixlab/study/study.h"

namespace mixlab::store {

struct SmallStudy {
  study::Study study{study::parse_study_text(
      "[study]\ntrajectories=20\nhorizon=10, 30\n[noise]\nrho=0.9\n[confidence]\nmonitor=paper oful\n", "test.cfg")};
  std::vector<engine::Experiment> experiments = engine::make_experiments(study);
  std::vector<engine::CellFacts> cells = engine::facts_of(experiments);
  PartContext context{study.hash(), study.effective_text(), "numerics", study.trajectories()};

  std::vector<engine::Row> rows(const study::Part& part) const {
    std::vector<engine::Row> rows;
    for (std::int64_t i = part.first; i < part.end; ++i)
      rows.push_back(engine::run_reference(experiments[static_cast<std::size_t>(part.cell)], i).value());
    return rows;
  }
  void write(const std::string& folder, const study::Part& part) const {
    BOOST_TEST(OpenParts(folder, cells, context).add(part, part.first, rows(part)));
  }
};

}  // namespace mixlab::store
