#include "mixlab/rare/piece_folder.h"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <limits>

#include "folder.h"
#include "message.h"

using namespace mixlab;
using namespace mixlab::rare;

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

const Identity ours{"question", "hash", "[study]\n", "numerics"};
const Mixture mixture{{{{1, 0}, 0}, {{0.6, -0.8}, 0.25}}, {20, 40}};
const std::vector<PathRow> rows = {{0, {never, -3.5}, {0, 12}}, {1, {-1e3, never}, {7, 0}}};

const auto anything = [](const auto&) { return true; };

}  // namespace

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(piece_folders)

BOOST_AUTO_TEST_CASE(pieces_come_back_as_they_were) {
  const Folder folder;
  std::string heard;
  PieceFolder pieces(folder / "rare.h5.parts", ours, [&](const std::string& words) { heard += words; });
  const study::Part part{2, 200, 202, 0};
  BOOST_TEST(!pieces.mixture(2, anything));
  BOOST_TEST(!pieces.rows(part, anything));
  pieces.keep(2, mixture);
  pieces.keep(part, rows);
  const RepetitionName fourth{"selected", 2, "paper", 0.05, 4};
  pieces.keep(fourth, Repetition{{never, -40.25}, 123});
  BOOST_TEST((pieces.mixture(2, anything)->components == mixture.components));
  BOOST_TEST(pieces.mixture(2, anything)->n_paths == mixture.n_paths, boost::test_tools::per_element());
  BOOST_TEST((*pieces.rows(part, anything) == rows));
  BOOST_TEST(pieces.repetition(fourth, anything)->log_estimates[1] == -40.25);
  BOOST_TEST(pieces.repetition(fourth, anything)->n_paths == 123);
  BOOST_TEST(!pieces.repetition({"selected", 2, "paper", 0.05, 3}, anything));

  PieceFolder others(folder / "rare.h5.parts", {"another", "hash", "", ""}, [](const std::string&) {});
  BOOST_TEST(contains(message_of<InputError>([&] { others.mixture(2, anything); }), "pieces of another question"));

  const std::string damaged = folder / "rare.h5.parts/mixture-c0002.h5";
  auto bytes = bytes_of(damaged);
  bytes[bytes.size() / 2] ^= 1;
  write_bytes(damaged, bytes);
  BOOST_TEST(!pieces.mixture(2, anything));
  BOOST_TEST(contains(heard, "damaged piece set aside"));
  pieces.remove();
  BOOST_TEST(std::filesystem::exists(damaged + ".damaged"));  // nothing has been computed in its place
}

BOOST_AUTO_TEST_CASE(what_is_damaged_goes_with_the_piece_in_its_place) {
  const Folder folder;
  const std::string place = folder / "rare.h5.parts", name = place + "/mixture-c0002.h5";
  for (const bool by_another : {false, true}) {
    PieceFolder pieces(place, ours, [](const std::string&) {});
    write_bytes(name, {'h'});
    BOOST_TEST(!pieces.mixture(2, anything));
    pieces.keep(2, mixture);
    BOOST_TEST(std::filesystem::exists(name + ".damaged"));
    if (by_another)
      remove_pieces(place, ours);
    else
      pieces.remove();
    BOOST_TEST(!std::filesystem::exists(place));
  }
}

BOOST_AUTO_TEST_CASE(a_piece_that_cannot_be_looked_for_is_not_absent) {
  const Folder folder;
  const std::string place = folder / "ring";
  PieceFolder pieces(place, ours, [](const std::string&) {});
  std::filesystem::remove(place);
  std::filesystem::create_symlink("ring", place);
  BOOST_TEST(contains(message_of([&] { pieces.mixture(2, anything); }), "mixture-c0002.h5"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
