#include "mixlab/store/limited_child.h"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "message.h"
#include "mixlab/core/error.h"

using namespace mixlab;
using namespace mixlab::store;

namespace {

constexpr Limits ample{20, std::size_t{1} << 30, 1 << 20};

std::string failure(const Limits& limits, const std::function<std::string()>& work) {
  return message_of<InputError>([&] { run_limited("bad file", limits, work); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store)
BOOST_AUTO_TEST_SUITE(limited_child)

BOOST_AUTO_TEST_CASE(answers_and_errors_come_back) {
  const std::string bytes("a\0b", 3);
  BOOST_TEST(run_limited("bad file", ample, [&] { return bytes; }) == bytes);
  BOOST_TEST(run_limited("bad file", ample, [] { return std::string(500000, 'x'); }).size() == 500000u);
  BOOST_TEST(failure(ample, []() -> std::string { throw InputError("no such dataset"); }) == "no such dataset");
}

BOOST_AUTO_TEST_CASE(nothing_of_it_happens_here) {
  int here = 0;
  run_limited("bad file", ample, [&] { return std::to_string(++here); });
  BOOST_TEST(here == 0);
}

BOOST_AUTO_TEST_CASE(what_crashes_or_swells_does_so_alone) {
  BOOST_TEST(contains(failure(ample,
                              []() -> std::string {
                                std::raise(SIGSEGV);
                                return {};
                              }),
                      "bad file (reading it crashed"));
  BOOST_TEST(contains(failure(ample, []() -> std::string { throw std::bad_alloc(); }), "needs more memory"));
  BOOST_TEST(contains(failure({20, std::size_t{1} << 30, 1000}, [] { return std::string(1 << 20, 'x'); }), "bad file"));
}

BOOST_AUTO_TEST_CASE(what_hangs_is_ended) {
  const Limits short_time{0.1, std::size_t{1} << 30, 1000};
  BOOST_TEST(contains(failure(short_time,
                              []() -> std::string {
                                for (std::atomic<int> n{0};;) ++n;
                              }),
                      "takes longer"));
}

BOOST_AUTO_TEST_CASE(who_is_killed_or_let_down_says_nothing_about_the_bytes) {
  for (const int number : {SIGKILL, SIGTERM})
    BOOST_CHECK_THROW(run_limited("good file", ample,
                                  [&]() -> std::string {
                                    std::raise(number);
                                    return {};
                                  }),
                      SystemError);
  BOOST_CHECK_THROW(run_limited("good file", ample, []() -> std::string { throw SystemError("EIO"); }), SystemError);
}

// A limit of the wall clock once made damaged files of good ones when a job was paused.
BOOST_AUTO_TEST_CASE(who_is_stopped_goes_on_later) {
  const std::string children = "/proc/" + std::to_string(getpid()) + "/task/*/children";
  int woken = -1;
  std::thread waker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    woken = std::system(("kill -CONT $(cat " + children + ")").c_str());
  });
  const Limits short_time{0.02, std::size_t{1} << 30, 1000};
  BOOST_TEST(run_limited("good file", short_time, [] {
               std::raise(SIGSTOP);
               return std::string("awake");
             }) == "awake");
  waker.join();
  BOOST_TEST(woken == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
