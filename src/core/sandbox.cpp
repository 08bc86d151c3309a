#include "mixlab/core/sandbox.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace mixlab {
namespace {

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned architecture = 0;
#endif

/// Needed to read, to use memory, to wait for a lock and to end; harmless whatever their arguments.
constexpr std::initializer_list<int> allowed = {
    SYS_read,          SYS_pread64,    SYS_readv,          SYS_lseek,           SYS_fstat,     SYS_close,
    SYS_brk,           SYS_munmap,     SYS_mremap,         SYS_madvise,         SYS_futex,     SYS_sched_yield,
    SYS_clock_gettime, SYS_getpid,     SYS_gettid,         SYS_getrandom,       SYS_exit,      SYS_rt_sigaction,
    SYS_rt_sigreturn,  SYS_exit_group, SYS_rt_sigprocmask, SYS_restart_syscall, SYS_newfstatat};

constexpr unsigned pass = SECCOMP_RET_ALLOW;
constexpr unsigned refuse = SECCOMP_RET_ERRNO | EPERM;

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}
constexpr sock_filter answer(unsigned action) {
  return BPF_STMT(BPF_RET | BPF_K, action);
}
/// Goes on if the value that was loaded is `value`, else skips `n` instructions.
constexpr sock_filter unless_equal_skip(unsigned value, unsigned char n) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, n);
}
constexpr std::size_t argument(int i) {
  return offsetof(seccomp_data, args) + sizeof(__u64) * static_cast<std::size_t>(i);  // its low half
}

/// Skips `n` instructions if the value that was loaded has one of `bits`.
constexpr sock_filter if_any_skip(unsigned bits, unsigned char n) {
  return BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, n, 0);
}

std::vector<sock_filter> filter(int output) {
  std::vector<sock_filter> program = {load(offsetof(seccomp_data, arch)), unless_equal_skip(architecture, 1),
                                      BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0), answer(refuse),
                                      load(offsetof(seccomp_data, nr))};
  const auto append = [&](std::initializer_list<sock_filter> more) {
    program.insert(program.end(), more.begin(), more.end());
  };
  for (const int call : allowed) append({unless_equal_skip(static_cast<unsigned>(call), 1), answer(pass)});
  const auto allow_with = [&](int call, int n, int value) {
    append({unless_equal_skip(static_cast<unsigned>(call), 4), load(argument(n)),
            unless_equal_skip(static_cast<unsigned>(value), 1), answer(pass), answer(refuse)});
  };
  allow_with(SYS_write, 0, output);     // answers go to one place alone
  allow_with(SYS_tgkill, 0, getpid());  // abort() sends itself a signal
  // Memory, but none that can be executed, nor a file's that somebody has open for writing.
  append({unless_equal_skip(SYS_mmap, 6), load(argument(2)), if_any_skip(PROT_EXEC, 3), load(argument(3)),
          if_any_skip(MAP_SHARED, 1), answer(pass), answer(refuse)});
  append(
      {unless_equal_skip(SYS_mprotect, 4), load(argument(2)), if_any_skip(PROT_EXEC, 1), answer(pass), answer(refuse)});
  append({answer(refuse)});
  return program;
}

}  // namespace

bool has_sandbox() {
  const unsigned action = SECCOMP_RET_ERRNO;
  return architecture != 0 && ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool enter_sandbox(int output) {
  if (architecture == 0) return false;
  std::vector<sock_filter> program = filter(output);
  const sock_fprog all{static_cast<unsigned short>(program.size()), program.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0;
}

}  // namespace mixlab
