#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "mixlab/core/error.h"
#include "mixlab/engine/facts.h"
#include "mixlab/engine/reference.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/known_files.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/results_file.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/workspace.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::store;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for a test.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "mixlab-test-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return path / name; }
};

std::vector<char> bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const std::string& path, const std::vector<char>& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

struct Setup {
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

}  // namespace

BOOST_AUTO_TEST_SUITE(store)

BOOST_AUTO_TEST_CASE(a_seal_finds_every_flipped_byte_and_every_truncation) {
  const Folder folder;
  const Setup setup;
  const Workspace workspace(folder / "out.h5");
  const Presence at_work = workspace.open_for(setup.study);
  const study::Part part{0, 0, 8, 0};
  setup.write(workspace.parts_folder(), part);
  const std::string part_path = workspace.parts_folder() + "/" + study::file_name(part);
  verify_part(part_path, part, setup.study.hash());
  const auto part_bytes = bytes_of(part_path);
  workspace.merge(setup.study, setup.cells, {workspace.parts_folder()}, Missing::allow, Mixed::refuse);
  random::Stream stream = test_stream(71);
  const std::string bad = folder / "bad.h5";
  const auto refused = [&](const std::vector<char>& bytes) {
    write_bytes(bad, bytes);
    return examine_seal(bad) != Seal::good;
  };
  for (const auto& whole : {part_bytes, bytes_of(workspace.out())}) {
    const auto anywhere = [&] {
      return static_cast<std::size_t>(integer_in(stream, 0, static_cast<std::int64_t>(whole.size()) - 1));
    };
    for (std::size_t i = 0; i < 1000; ++i) {
      auto bytes = whole;
      const std::size_t at = i < 250 ? 2 * i : anywhere();  // the seal itself, then the rest
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << (stream.next() % 8)));
      BOOST_TEST(refused(bytes), "byte " << at);
    }
    for (int i = 0; i < 1000; ++i) {
      const std::size_t size = anywhere();
      BOOST_TEST(refused({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), size << " bytes");
    }
    auto longer = whole;
    longer.push_back(0);
    BOOST_TEST(refused(longer));
  }
}

BOOST_AUTO_TEST_CASE(parts_round_trip_with_the_same_bytes) {
  const Folder a, b;
  const Setup setup;
  const study::Part part{1, 3, 9, 0};
  setup.write(a.path, part);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 keeps times of objects, in seconds
  setup.write(b.path, part);
  const std::string path = a / study::file_name(part);
  BOOST_TEST((bytes_of(path) == bytes_of(b / study::file_name(part))));
  BOOST_TEST(verify_part(path, part, setup.study.hash()).numerics == "numerics");
  const RowBlock block = read_part(path, part, 4, 6);
  const auto rows = setup.rows(part);
  BOOST_TEST(block.of(&engine::Row::potential)[1] == rows[2].potential);
  BOOST_TEST(block.of(&engine::Row::regret).back() == rows[2].regret.back());
  BOOST_TEST(block.of(&engine::Row::first_violation).size() == 4u);
  BOOST_CHECK_THROW(verify_part(path, part, "another hash"), InputError);
  BOOST_CHECK_THROW(verify_part(path, {1, 3, 10, 0}, setup.study.hash()), InputError);
}

BOOST_AUTO_TEST_CASE(blocks_of_a_part_come_in_any_order) {
  const Folder a, b;
  const Setup setup;
  const study::Part part{0, 2, 12, 0}, other{1, 0, 3, 0};
  const auto rows = setup.rows(part);
  const auto some = [&](std::int64_t first, std::int64_t end) {
    return std::vector(rows.begin() + (first - part.first), rows.begin() + (end - part.first));
  };
  setup.write(a.path, part);
  {
    OpenParts parts(b.path, setup.cells, setup.context);
    BOOST_TEST(!parts.add(part, 9, some(9, 12)));
    BOOST_TEST(!parts.add(part, 2, some(2, 3)));
    BOOST_TEST(!parts.add(other, 1, {setup.rows(other)[1]}));  // never finished
    BOOST_TEST(!fs::exists(b / study::file_name(part)));
    BOOST_TEST(parts.add(part, 3, some(3, 9)));
    BOOST_TEST(fs::exists(b / study::file_name(part)));
  }
  BOOST_TEST((bytes_of(a / study::file_name(part)) == bytes_of(b / study::file_name(part))));
  BOOST_TEST(std::distance(fs::directory_iterator(b.path), fs::directory_iterator()) == 1);
}

// The process that wrote a part need not examine it again, unless somebody has changed it.
BOOST_AUTO_TEST_CASE(a_part_of_our_own_is_known_until_it_changes) {
  const Folder folder;
  const Setup setup;
  const study::Part part{0, 0, 20, 0};
  const std::string path = folder / study::file_name(part);
  setup.write(folder.path, part);
  struct stat file {};
  BOOST_TEST_REQUIRE(::stat(path.c_str(), &file) == 0);
  BOOST_TEST((vetted(file) == Vetted::written_here));
  verify_part(path, part, setup.study.hash());
  BOOST_TEST((vetted(file) == Vetted::yes));

  auto bytes = bytes_of(path);
  bytes[bytes.size() / 2] ^= 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // clocks of file systems are that coarse
  write_bytes(path, bytes);
  BOOST_CHECK_THROW(verify_part(path, part, setup.study.hash()), DamagedFile);
  BOOST_REQUIRE(::stat(path.c_str(), &file) == 0);
  remember_file(file, Vetted::written_here);  // as if the disk had changed it under our hands
  BOOST_CHECK_THROW(verify_part(path, part, setup.study.hash()), DamagedFile);
}

// Chunks are compressed by ourselves and read by HDF5; the last one of a cell reaches beyond it.
BOOST_AUTO_TEST_CASE(many_rows_come_back_from_their_chunks) {
  const Folder folder;
  const study::Study study(study::parse_study_text(
      "[study]\ntrajectories=4500\nhorizon=5, 8\n[noise]\nrho=0.9\n[confidence]\nmonitor=paper oful\n", "test.cfg"));
  const auto cells = engine::facts_of(engine::make_experiments(study));
  const Workspace workspace(folder / "out.h5");
  const Presence at_work = workspace.open_for(study);
  random::Stream stream = test_stream(72);
  const auto number = [&] { return static_cast<double>(stream.next()) * (stream.next() % 2 ? 1e-300 : 1.0); };
  std::vector<std::vector<engine::Row>> rows(2);
  OpenParts parts(workspace.parts_folder(), cells, {study.hash(), study.effective_text(), "numerics", 4500});
  for (const int cell : {0, 1}) {
    auto& own = rows[static_cast<std::size_t>(cell)];
    own.resize(4500);
    for (auto& row : own) {
      for (std::size_t i = 0; i < cells[static_cast<std::size_t>(cell)].checkpoints.size(); ++i)
        row.regret.push_back(number());
      for (auto* values : {&row.log10_p, &row.horizon_log10_p, &row.sup_ratio}) *values = {number(), number()};
      row.first_violation = {static_cast<std::int32_t>(stream.next() % 9), 0};
      row.potential = number();
      row.first_bound_violation = static_cast<std::int32_t>(stream.next() % 3);
    }
    BOOST_TEST(parts.add({cell, 0, 4500, cell}, 0, own));
  }
  workspace.merge(study, cells, {workspace.parts_folder()}, Missing::refuse, Mixed::refuse);
  const ResultsFile results(workspace.out());
  BOOST_TEST(results.completed().count() == 9000);
  const auto rounds = results.file().read<std::int64_t>("round");
  for (const int cell : {0, 1}) {
    const RowBlock got = results.read(cell, 0, 4500), truth = side_by_side(rows[static_cast<std::size_t>(cell)]);
    RowBlock copy = got;
    RowBlock::for_each_pair(truth, copy, [](const auto& column, const auto& mine, const auto& theirs) {
      if (column.axis != Axis::round) BOOST_TEST((mine == theirs), column.name);
    });
    const auto& own = cells[static_cast<std::size_t>(cell)].checkpoints;
    std::vector<double> regret;
    const auto& all = got.of(&engine::Row::regret);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (std::find(own.begin(), own.end(), rounds[i % rounds.size()]) != own.end()) regret.push_back(all[i]);
    BOOST_TEST((regret == truth.of(&engine::Row::regret)));
  }
}

BOOST_AUTO_TEST_CASE(a_failed_write_leaves_nothing) {
  const Folder folder;
  BOOST_CHECK_THROW(write_sealed(folder / "no/such/folder.h5", {'x'}), WriteError);
  BOOST_CHECK_THROW(write_text("/proc/mixlab", "x"), WriteError);
  BOOST_TEST(fs::is_empty(folder.path));
}

BOOST_AUTO_TEST_CASE(merge_assembles_verifies_and_cleans_up) {
  const Folder folder;
  const Setup setup;
  const Workspace workspace(folder / "out.h5");
  const Presence at_work = workspace.open_for(setup.study);
  workspace.log("2026-01-01T00:00:00Z started host=x threads=2 job=none\n");
  setup.write(workspace.parts_folder(), {0, 0, 20, 0});
  setup.write(workspace.parts_folder(), {1, 0, 7, 0});
  const auto merge = [&](Missing missing) {
    return workspace.merge(setup.study, setup.cells, {workspace.parts_folder()}, missing, Mixed::refuse);
  };
  BOOST_TEST(!merge(Missing::refuse).written);
  BOOST_TEST(!fs::exists(workspace.out()));
  BOOST_TEST(merge(Missing::allow).written);
  BOOST_TEST(ResultsFile(workspace.out()).completed().count() == 27);
  BOOST_TEST(Workspace::parts_in(workspace.parts_folder()).empty());
  BOOST_TEST(workspace.done().count(1) == 7);
  setup.write(workspace.parts_folder(), {1, 5, 20, 0});  // overlaps what is there
  const auto report = merge(Missing::refuse);
  BOOST_TEST(report.written);
  BOOST_TEST(report.rows.count() == 40);
  BOOST_TEST(!merge(Missing::refuse).written);

  const ResultsFile results(workspace.out());
  BOOST_TEST(results.runs() == "2026-01-01T00:00:00Z started host=x threads=2 job=none\n");
  const auto rounds = results.file().read<std::int64_t>("round");
  const RowBlock block = results.read(0, 4, 5);
  const engine::Row row = engine::run_reference(setup.experiments[0], 4).value();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const auto& own = setup.experiments[0].checkpoints;
    if (std::find(own.begin(), own.end(), rounds[i]) != own.end())
      BOOST_TEST(block.of(&engine::Row::regret)[i] == row.regret[kept++]);
    else
      BOOST_TEST(std::isnan(block.of(&engine::Row::regret)[i]));
  }
  BOOST_TEST(kept == row.regret.size());
  BOOST_TEST(block.of(&engine::Row::log10_p) == row.log10_p, boost::test_tools::per_element());
  BOOST_TEST(block.of(&engine::Row::horizon_log10_p) == row.horizon_log10_p, boost::test_tools::per_element());
  BOOST_TEST(block.of(&engine::Row::sup_ratio) == row.sup_ratio, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(another_study_is_refused_with_the_difference) {
  const Folder folder;
  const Setup setup;
  const Workspace workspace(folder / "out.h5");
  const Presence at_work = workspace.open_for(setup.study);
  const study::Study other(study::parse_study_text(setup.study.effective_text(), "other.cfg", {"noise.rho=0.8"}));
  BOOST_CHECK_EXCEPTION(workspace.open_for(other), InputError, [](const InputError& error) {
    return std::string(error.what()).find("noise.rho: 0.9 there, 0.8 here") != std::string::npos;
  });
  const study::Study smaller(
      study::parse_study_text(setup.study.effective_text(), "other.cfg", {"study.trajectories=19"}));
  BOOST_CHECK_THROW(workspace.open_for(smaller), InputError);
  const study::Study larger(
      study::parse_study_text(setup.study.effective_text(), "other.cfg", {"study.trajectories=21"}));
  const Presence growing = workspace.open_for(larger);
  BOOST_TEST(workspace.stored_study().trajectories() == 21);
}

BOOST_AUTO_TEST_CASE(mixed_numerics_are_refused) {
  const Folder folder;
  Setup setup;
  const Workspace workspace(folder / "out.h5");
  const Presence at_work = workspace.open_for(setup.study);
  setup.write(workspace.parts_folder(), {0, 0, 20, 0});
  setup.context.numerics = "another machine";
  setup.write(workspace.parts_folder(), {1, 0, 20, 0});
  const auto merge = [&](Mixed mixed) {
    return workspace.merge(setup.study, setup.cells, {workspace.parts_folder()}, Missing::refuse, mixed);
  };
  BOOST_CHECK_THROW(merge(Mixed::refuse), InputError);
  BOOST_TEST(merge(Mixed::allow).written);
}

BOOST_AUTO_TEST_CASE(free_space_is_checked) {
  check_free_space("x.h5", 1);
  BOOST_CHECK_THROW(check_free_space("x.h5", 1e30), WriteError);
}

BOOST_AUTO_TEST_SUITE_END()
