#include "mixlab/core/sandbox.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <functional>
#include <string>

using namespace mixlab;

namespace {

/// What `work` returns in a child that is in the sandbox, with a descriptor of its own to write to.
int in_sandbox(const std::function<int(int output)>& work) {
  int ends[2];
  BOOST_TEST_REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) _exit(enter_sandbox(ends[1]) ? work(ends[1]) : 99);
  int status = 0;
  waitpid(child, &status, 0);
  close(ends[0]);
  close(ends[1]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool is_refused(long result) {
  return result < 0 && errno == EPERM;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(core)
BOOST_AUTO_TEST_SUITE(sandbox)

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
BOOST_AUTO_TEST_CASE(a_sandbox_leaves_memory_reading_and_one_output) {
  if (!has_sandbox()) return;
  const int zero = open("/dev/zero", O_RDONLY);
  BOOST_TEST(in_sandbox([&](int output) {
               char byte = 1;
               const bool reads = pread(zero, &byte, 1, 0) == 1 && byte == 0;
               const bool answers = write(output, "x", 1) == 1;
               const bool has_memory = std::string(std::size_t{64} << 20, 'x').back() == 'x';
               return reads && answers && has_memory ? 7 : 1;
             }) == 7);
  BOOST_TEST(in_sandbox([&](int output) {
               int n_refused = 0;
               n_refused += is_refused(open("/etc/passwd", O_RDONLY));
               n_refused += is_refused(write(output + 1, "x", 1));
               n_refused += is_refused(socket(AF_INET, SOCK_STREAM, 0));
               n_refused += is_refused(fork());
               n_refused += is_refused(unlink("/nothing"));
               n_refused += is_refused(kill(getppid(), 0));
               n_refused +=
                   mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
               execl("/bin/true", "true", nullptr);
               n_refused += errno == EPERM;
               return n_refused;
             }) == 8);
  close(zero);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
