#include "mixlab/core/subprocess.h"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>

#include "mixlab/core/file.h"

using mixlab::call;

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(subprocess)

BOOST_AUTO_TEST_CASE(words_arrive_as_they_are) {
  const auto answer = call({"printf", "%s|", "two words", "$HOME", "'", "", "*"});
  BOOST_TEST(answer.code == 0);
  BOOST_TEST(answer.out == "two words|$HOME|'||*|");
}

BOOST_AUTO_TEST_CASE(codes_and_streams) {
  const auto answer = call({"sh", "-c", "echo out; echo err >&2; exit 3"});
  BOOST_TEST(answer.code == 3);
  BOOST_TEST(answer.out == "out\n");
  BOOST_TEST(answer.err == "err\n");
  BOOST_TEST(call({"sh", "-c", "kill -9 $$"}).code == 128 + 9);
  BOOST_TEST(call({"mixlab-no-such-program"}).is_missing());
}

BOOST_AUTO_TEST_CASE(much_output_on_both_streams) {
  const auto answer = call({"sh", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"});
  BOOST_TEST(answer.out.size() == 300000u);
  BOOST_TEST(answer.err.size() == 300000u);
}

BOOST_AUTO_TEST_CASE(ended_when_it_takes_too_long) {
  const auto answer = call({"sleep", "60"}, 0.2);
  BOOST_TEST(answer.code == 128 + 9);
  BOOST_TEST(answer.err.find("no answer") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(environment) {
  setenv("MIXLAB_TEST_VARIABLE", "here", 1);
  BOOST_TEST(call({"sh", "-c", "echo $MIXLAB_TEST_VARIABLE"}).out == "here\n");
  BOOST_TEST(call({"sh", "-c", "echo $MIXLAB_TEST_VARIABLE"}, 60, {"MIXLAB_TEST_VARIABLE"}).out == "\n");
}

BOOST_AUTO_TEST_CASE(run_for_its_effects) {
  using mixlab::Redirection;
  using mixlab::run_program;
  const auto path = std::filesystem::temp_directory_path() / ("mixlab-run-" + std::to_string(getpid()));
  auto file = mixlab::File::create(path);
  const Redirection to_file{file.descriptor(), Redirection::Messages::discarded};
  BOOST_TEST(run_program({"sh", "-c", "echo out; echo err >&2; exit 3"}, to_file) == 3);
  BOOST_TEST(mixlab::read_text_file(path, 100) == "out\n");
  std::filesystem::remove(path);
  BOOST_TEST(run_program({"sh", "-c", "kill -9 $$"}) == 137);
  BOOST_TEST(run_program({"no-such-program-anywhere"}) == 127);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
