#include "cli/command.h"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "message.h"

using namespace mixlab;
using namespace mixlab::cli;

namespace {

Syntax some_syntax() {
  Syntax syntax;
  syntax.usage = "usage: mixlab some STUDY.cfg [FILE...]\n";
  syntax.options.add_options()("threads,t", boost::program_options::value<int>(), "how many")("quiet,q", "say nothing");
  syntax.positional = {"study", "file..."};
  return syntax;
}

std::string refusal(const Arguments& arguments) {
  return message_of<InputError>([&] {
    Options options;
    parse(arguments, some_syntax(), options);
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cli)
BOOST_AUTO_TEST_SUITE(command)

BOOST_AUTO_TEST_CASE(options_and_positions) {
  Options options;
  BOOST_TEST(parse({"x.cfg", "-t", "3", "a", "b", "--quiet"}, some_syntax(), options));
  BOOST_TEST(required(options, "study", "STUDY.cfg") == "x.cfg");
  BOOST_TEST(options["threads"].as<int>() == 3);
  BOOST_TEST(options.count("quiet") == 1u);
  BOOST_TEST(options["file"].as<std::vector<std::string>>() == (std::vector<std::string>{"a", "b"}),
             boost::test_tools::per_element());
  Options none;
  BOOST_TEST(parse({}, some_syntax(), none));
  BOOST_TEST(message_of([&] { required(none, "study", "STUDY.cfg"); }) == "missing argument: STUDY.cfg; see --help");
}

BOOST_AUTO_TEST_CASE(what_is_not_understood_is_refused) {
  BOOST_TEST(refusal({"--thread", "3"}) == "unknown option: --thread; did you mean --threads?");  // no guessing
  BOOST_TEST(refusal({"--zzzzzzzzzz"}) == "unknown option: --zzzzzzzzzz; see --help");
  BOOST_TEST(contains(refusal({"--threads"}), "bad command line: "));
  BOOST_TEST(contains(refusal({"--threads", "x"}), "bad command line: "));
  BOOST_TEST(refusal({"x.cfg"}) == "no error");
}

BOOST_AUTO_TEST_CASE(words_are_broken_before_column_80) {
  const std::string nines = "123456789 ";
  std::string words;
  for (int i = 0; i < 20; ++i) words += nines;
  std::istringstream lines(wrapped(words, 4, 70));
  std::string line;
  std::getline(lines, line);
  BOOST_TEST(line == "123456789");  // ends in column 79
  while (std::getline(lines, line)) {
    BOOST_TEST(line.starts_with("    1"));
    BOOST_TEST(line.size() <= 79u);
  }
  BOOST_TEST(wrapped("a  b\nc", 0, 0) == "a b c");
  const std::string endless(100, 'x');
  BOOST_TEST(wrapped(endless, 0, 0) == endless);
}

BOOST_AUTO_TEST_CASE(paragraphs_stay_apart) {
  BOOST_TEST(fit_terminal("one\ntwo\n\nthree\n") == "one two\n\nthree\n");
  BOOST_TEST(fit_terminal("one\n\n\n") == "one\n");
}

BOOST_AUTO_TEST_CASE(durations) {
  BOOST_TEST(parse_duration("90") == 90);
  BOOST_TEST(parse_duration("90s") == 90);
  BOOST_TEST(parse_duration("1.5m") == 90);
  BOOST_TEST(parse_duration("2h") == 7200);
  BOOST_TEST(parse_duration("1:30:00") == 5400);
  BOOST_TEST(parse_duration("1:30") == 90);
  for (const char* bad : {"", "0", "-5", "0:00", "1:-2", "x", "5d", "1h30m", "s"})
    BOOST_CHECK_THROW(parse_duration(bad), InputError);
}

BOOST_AUTO_TEST_CASE(texts) {
  BOOST_TEST(json("a\"b\\c\nd") == "\"a\\\"b\\\\c\\u000ad\"");
  BOOST_TEST(json("Ö\x1b\xc2\x9b\u202e日") == "\"Ö\\u001b\\u009b\\u202e日\"");
  BOOST_TEST(json("a\x9b\xe6") == "\"a\\\\x9b\\\\xe6\"");  // bytes that are no characters
  BOOST_TEST(bytes_text(1) == "1 kB");
  BOOST_TEST(bytes_text(12.34e6) == "12.3 MB");
  BOOST_TEST(bytes_text(5e9) == "5.0 GB");
  BOOST_TEST(text("%d of %s", 3, "four") == "3 of four");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
