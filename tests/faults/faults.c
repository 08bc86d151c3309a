// Preloaded into a program: its N-th change of the file system kills it, is done by half before it is killed, or fails
// for want of space, as does every later one. MIXLAB_FAULT is kill:N, torn:N or full:N. Only the process that was
// started counts, not its children; standard streams do not count.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum fault { none, killed, torn, full };

static enum fault kind = none;
static long due = 0;
static pid_t self = 0;
static atomic_long calls = 0;

__attribute__((constructor)) static void prepare(void) {
  const char* text = getenv("MIXLAB_FAULT");
  const char* colon = text ? strchr(text, ':') : NULL;
  if (!colon) return;
  kind = text[0] == 'k' ? killed : text[0] == 't' ? torn : full;
  due = atol(colon + 1);
  self = getpid();
}

static enum fault next_call(void) {
  if (kind == none || getpid() != self) return none;
  const long call = atomic_fetch_add(&calls, 1) + 1;
  if (call < due) return none;
  if (kind == killed) kill(self, SIGKILL);
  return kind;
}

#define REAL(name)               \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define DIE_OR_FAIL(half)             \
  do {                                \
    const enum fault f = next_call(); \
    if (f == torn) {                  \
      half;                           \
      kill(self, SIGKILL);            \
    }                                 \
    if (f == full) {                  \
      errno = ENOSPC;                 \
      return -1;                      \
    }                                 \
  } while (0)

ssize_t write(int file, const void* bytes, size_t size) {
  REAL(write);
  if (file > 2) DIE_OR_FAIL(if (real(file, bytes, size / 2) < 0) errno = 0);
  return real(file, bytes, size);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  REAL(pwrite);
  DIE_OR_FAIL(if (real(file, bytes, size / 2, at) < 0) errno = 0);
  return real(file, bytes, size, at);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  REAL(pwrite64);
  DIE_OR_FAIL(if (real(file, bytes, size / 2, at) < 0) errno = 0);
  return real(file, bytes, size, at);
}
int fsync(int file) {
  REAL(fsync);
  DIE_OR_FAIL((void)0);
  return real(file);
}
int rename(const char* from, const char* to) {
  REAL(rename);
  DIE_OR_FAIL(real(from, to));
  return real(from, to);
}
// Removing needs no space.
int unlink(const char* path) {
  REAL(unlink);
  if (kind != full) DIE_OR_FAIL(real(path));
  return real(path);
}
int remove(const char* path) {
  REAL(remove);
  if (kind != full) DIE_OR_FAIL(real(path));
  return real(path);
}
