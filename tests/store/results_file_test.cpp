#include "mixlab/store/results_file.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "folder.h"
#include "message.h"
#include "mixlab/core/error.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/results_writer.h"
#include "mixlab/store/sealed_file.h"
#include "store/small_study.h"

using namespace mixlab;
using namespace mixlab::store;

namespace {

/// What is said of results without rows; "no error" if they are taken.
std::string refusal_of(const std::string& path) {
  return message_of<InputError>([&] { ResultsFile{path}; });
}

/// The same of results of a small study, changed so before they are written.
template <class Change>
std::string refusal_with(Change change) {
  const Folder folder;
  SmallStudy setup;
  change(setup.cells);
  write_results(folder / "out.h5", {setup.study, setup.cells, nullptr, {}, "", "", 20});
  return refusal_of(folder / "out.h5");
}

/// Gives a results file another text in place of an attribute, and a seal.
void rewrite(const std::string& path, const char* attribute, const std::string& text) {
  auto image = bytes_of(path);
  image.resize(image.size() - seal_size);
  write_bytes(path + ".image", image);
  {
    const Handle file(H5Fopen((path + ".image").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    BOOST_REQUIRE(file.get() >= 0);
    H5Adelete(file.get(), attribute);
    const Handle type = text_type(text.size() + 1), space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle made(H5Acreate2(file.get(), attribute, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    BOOST_REQUIRE(H5Awrite(made.get(), type.get(), text.c_str()) >= 0);
  }
  write_sealed(path, bytes_of(path + ".image"));
}

using Replacements = std::vector<std::pair<std::string, std::string>>;

/// What is said of results of a small study with other words in its text, and such numerics.
std::string refusal_of_text(const Replacements& replacements, const std::string& numerics) {
  const Folder folder;
  const SmallStudy setup;
  const std::string out = folder / "out.h5";
  write_results(out, {setup.study, setup.cells, nullptr, {}, "", numerics, 20});
  std::string text = setup.study.effective_text();
  for (const auto& [was, is] : replacements) {
    BOOST_REQUIRE(contains(text, was));
    text.replace(text.find(was), was.size(), is);
  }
  rewrite(out, "study", text);
  return refusal_of(out);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(results_file)

// tests/compat/study.cfg, written by both versions of the format: what it says must not depend on which.
BOOST_AUTO_TEST_CASE(old_files_say_the_same) {
  using Words = std::vector<std::string>;
  const ResultsFile one(MIXLAB_SOURCE_DIR "/tests/compat/results-1.h5");
  const ResultsFile two(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  BOOST_TEST(one.version() == 1);
  BOOST_TEST(two.version() == 2);
  for (const ResultsFile* results : {&one, &two}) {
    BOOST_TEST(results->n_cells() == 4);
    BOOST_TEST(results->n_trajectories() == 60);
    BOOST_TEST(results->completed().count() == 240);
    BOOST_TEST(results->sets() == (Words{"paper", "oful", "otc"}), boost::test_tools::per_element());
    BOOST_TEST(results->swept() == (Words{"study.horizon", "policy.name"}), boost::test_tools::per_element());
    BOOST_TEST(
        results->sweep() == (Words{"40", "mixing-linucb", "40", "linucb", "90", "mixing-linucb", "90", "linucb"}),
        boost::test_tools::per_element());
    BOOST_TEST(results->caveats().size() == 4u);
    BOOST_TEST(results->parameters().at("noise.rho").at(2) == "0.9");
    BOOST_TEST(results->why_not_guaranteed().at(0) == "");  // paper on the data of mixing-linucb
    BOOST_TEST(results->why_not_guaranteed().at(1) != "");  // oful
    BOOST_TEST(std::isnan(results->exponent_in_horizon().at(1)));
  }
  BOOST_TEST(one.n_declared().at(3) == 0);  // version 1 did not store it
  BOOST_TEST(two.n_declared().at(3) == 60);
  BOOST_TEST(one.why_not_guaranteed() == two.why_not_guaranteed(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ranges_are_whole_chunks_and_cover_all) {
  const ResultsFile results(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  std::int64_t next = 0;
  results.for_each_range([&](std::int64_t first, std::int64_t end) {
    BOOST_TEST(first == next);
    BOOST_TEST(end > first);
    next = end;
  });
  BOOST_TEST(next == 60);
}

BOOST_AUTO_TEST_CASE(ranges_are_read_ahead) {
  const ResultsFile results(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  const auto numbers = [&](std::int64_t first, std::int64_t end) {
    return results.file().read<std::int64_t>("trajectory", {static_cast<hsize_t>(first)},
                                             {static_cast<hsize_t>(end - first)});
  };
  std::int64_t next = 0;
  results.for_each_range(numbers, [&](std::int64_t first, const std::vector<std::int64_t>& range) {
    BOOST_TEST(first == next);
    for (const std::int64_t number : range) BOOST_TEST(number == next++);
  });
  BOOST_TEST(next == 60);
  const auto fail = [&](std::int64_t, std::int64_t) { return results.file().read<double>("nothing"); };
  BOOST_CHECK_THROW(results.for_each_range(fail, [](std::int64_t, const auto&) {}), InputError);
}

BOOST_AUTO_TEST_CASE(other_files_are_refused) {
  const Folder folder;
  const auto write = [&](const char* format, std::int64_t version) {
    Writer file = Writer::in_memory();
    file.attribute("format", format);
    file.attribute("format_version", version);
    write_sealed(folder / "x.h5", file.image());
  };
  write("mixlab trace", 2);
  BOOST_CHECK_THROW(ResultsFile(folder / "x.h5"), InputError);
  write("mixlab results", format_version + 1);
  BOOST_CHECK_THROW(ResultsFile(folder / "x.h5"), InputError);
  write("mixlab results", 0);
  BOOST_CHECK_EXCEPTION(ResultsFile(folder / "x.h5"), InputError, [](const InputError& error) {
    return std::string(error.what()).find("version 0") != std::string::npos;
  });
  write("mixlab results", format_version);  // and nothing in it
  BOOST_CHECK_THROW(ResultsFile(folder / "x.h5"), InputError);
}

BOOST_AUTO_TEST_CASE(cells_are_those_of_the_study_inside) {
  using Cells = std::vector<engine::CellFacts>;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(refusal_with([](Cells&) {}) == "no error");
  // What took effect is not said by the study.
  BOOST_TEST(refusal_with([](Cells& cells) { cells[1].values.set("confidence.phi", 0.1); }) == "no error");
  BOOST_TEST(
      contains(refusal_with([](Cells& cells) { cells[1].values.set("noise.rho", 0.5); }), "noise_rho of cell 1"));
  BOOST_TEST(
      contains(refusal_with([](Cells& cells) { cells[0].values.set("noise.tau", 2.0); }), "noise_tau of cell 0"));
  BOOST_TEST(contains(refusal_with([](Cells& cells) { cells[0].values.set("policy.name", std::string("linucb")); }),
                      "policy_name of cell 0"));
  BOOST_TEST(contains(refusal_with([](Cells& cells) { cells[1].sets[0].expected = study::Expected::broken; }),
                      "expected of paper in cell 1"));
  BOOST_TEST(contains(refusal_with([](Cells& cells) { cells[1].sets.pop_back(); }), "checkpoints or sets of cell 1"));
  BOOST_TEST(contains(refusal_with([&](Cells& cells) {
                        for (auto& set : cells[0].sets) set.radius2[1] = nan;
                      }),
                      "checkpoints or sets of cell 0"));
}

BOOST_AUTO_TEST_CASE(the_hash_is_that_of_the_study_inside) {
  const Folder folder;
  const SmallStudy setup;
  const std::string out = folder / "out.h5";
  write_results(out, {setup.study, setup.cells, nullptr, {}, "", "", 20});
  BOOST_TEST(refusal_of(out) == "no error");
  rewrite(out, "study_hash", std::string(32, '0'));
  BOOST_TEST(contains(refusal_of(out), "study_hash"));
}

// The text that takes effect has one of them, so that the user's own file has to tell.
BOOST_AUTO_TEST_CASE(defaults_may_differ_from_cell_to_cell) {
  for (const char* processes : {"ar1, iid", "iid, ar1"}) {
    const Folder folder;
    const study::Study study(study::parse_study_text(
        "[study]\ntrajectories=2\nhorizon=5\n[confidence]\ndelay=3\n[noise]\nrho=0.5\nprocess=" +
            std::string(processes),
        "test.cfg", {"study.trajectories=3"}));
    auto cells = engine::facts_of(engine::make_experiments(study));
    write_results(folder / "out.h5", {study, cells, nullptr, {}, "", "", 3});
    BOOST_TEST(refusal_of(folder / "out.h5") == "no error", processes);
    std::swap(cells[0].values, cells[1].values);
    write_results(folder / "swapped.h5", {study, cells, nullptr, {}, "", "", 3});
    BOOST_TEST(contains(refusal_of(folder / "swapped.h5"), "of cell 0 is not that"), processes);
  }
}

// Only where another program knows more names than this one, and then as far as the text goes.
BOOST_AUTO_TEST_CASE(studies_that_cannot_be_read_are_refused) {
  const std::string ours = "mixlab 0.2.0; gcc; revision 15", theirs = ours + "; mine revision 1",
                    its = ours + "; program mine 0123; engine reference";
  BOOST_TEST(contains(refusal_of_text({{"[study]", "[stdy]"}}, ours), "did you mean [study]"));
  BOOST_TEST(contains(refusal_of_text({{"[study]", "[stdy]"}}, theirs), "no section [stdy]"));
  const std::pair<std::string, std::string> unknown = {"process = sticky", "process = mine"};
  BOOST_TEST(contains(refusal_of_text({unknown}, ours), "mine"));
  for (const auto& numerics : {theirs, its, ours + " | " + its})
    BOOST_TEST(refusal_of_text({unknown}, numerics) == "no error");
  const Replacements others = {{"monitor = paper oful", "monitor = mine paper"},
                               {"horizon = 10,", "horizon = 11,"},
                               {"delta = 0.05", "delta = 0.5"},
                               {"trajectories = 20", "trajectories = 30"},
                               {"trajectories = 20", "trajectories = 20, 30"},
                               {"checkpoints = 64", "checkpoints = 8"},
                               {"checkpoints = 64", "checkpoints = -1"}};
  for (const auto& other : others)
    BOOST_TEST(contains(refusal_of_text({unknown, other}, theirs), "disagree"), other.second);
}

BOOST_AUTO_TEST_CASE(columns_of_keys) {
  BOOST_TEST(column_name("noise.rho") == "noise_rho");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
