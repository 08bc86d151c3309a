#include "mixlab/core/sandbox.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>

#include "folder.h"

#if !MIXLAB_SANITIZED  // which has no sandbox: a sanitizer wants calls of its own

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

BOOST_AUTO_TEST_CASE(a_sandbox_leaves_memory_reading_and_one_output) {
  if (!has_sandbox()) return;
  const int zero = open("/dev/zero", O_RDONLY);
  const Folder folder;
  const int open_for_writing = open((folder / "file").c_str(), O_RDWR | O_CREAT, 0600);
  BOOST_TEST_REQUIRE(ftruncate(open_for_writing, 4096) == 0);
  const pid_t parent = getpid();
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
               n_refused += is_refused(syscall(SYS_tgkill, parent, parent, 0));
               n_refused += mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open_for_writing, 0) == MAP_FAILED;
               n_refused += mmap(nullptr, 4096, PROT_READ, MAP_SHARED_VALIDATE, open_for_writing, 0) == MAP_FAILED;
               n_refused +=
                   mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
               execl("/bin/true", "true", nullptr);
               n_refused += errno == EPERM;
               return n_refused;
             }) == 11);
  BOOST_TEST(in_sandbox([&](int) {
               const void* memory = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, open_for_writing, 0);
               return memory != MAP_FAILED && syscall(SYS_tgkill, getpid(), getpid(), 0) == 0 ? 7 : 1;
             }) == 7);
  BOOST_TEST(in_sandbox([](int) -> int {
               ::signal(SIGABRT, SIG_DFL);
               std::abort();
             }) == 128 + SIGABRT);
  close(zero);
  close(open_for_writing);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

#endif
