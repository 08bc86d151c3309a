#include "mixlab/core/standard_streams.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(standard_streams)

BOOST_AUTO_TEST_CASE(closed_streams_are_filled_and_take_nothing) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int stream : {0, 1, 2}) close(stream);
    mixlab::keep_standard_streams();
    const bool are_filled = open("/dev/null", O_RDONLY) > 2;
    const bool take_nothing = write(1, "x", 1) < 0 && write(2, "x", 1) < 0;
    _exit(are_filled && take_nothing ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
