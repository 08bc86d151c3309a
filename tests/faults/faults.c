// Preloaded into a program. MIXLAB_FAULT is
//   kill:N, torn:N, full:N   its N-th change of the file system kills it, is done by half before it is killed, or fails for
//                            want of space, as does every later one; only the process that was started counts
//   fail:CALL:ERRNO:N        its N-th CALL, and that of each of its children, fails once with ERRNO; "any" counts them all
// Standard streams do not count.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum fault { none, killed, torn, full, failing };

static enum fault kind = none;
static char call_wanted[32] = "";
static int code = 0;
static long due = 0;
static pid_t self = 0;
static atomic_long calls = 0;

static const struct {
  const char* name;
  int code;
} codes[] = {{"EIO", EIO},       {"ESTALE", ESTALE}, {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT},      {"EMFILE", EMFILE},
             {"ENFILE", ENFILE}, {"ENOMEM", ENOMEM}, {"EACCES", EACCES}, {"EROFS", EROFS},        {"EINTR", EINTR},
             {"EAGAIN", EAGAIN}, {"ENOENT", ENOENT}, {"EPERM", EPERM},   {"ETIMEDOUT", ETIMEDOUT}};

static void prepare_failing(const char* text) {
  char name[32] = "";
  if (sscanf(text, "fail:%31[^:]:%31[^:]:%ld", call_wanted, name, &due) != 3) return;
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i)
    if (strcmp(codes[i].name, name) == 0) code = codes[i].code;
  if (code != 0) kind = failing;
}

__attribute__((constructor)) static void prepare(void) {
  const char* text = getenv("MIXLAB_FAULT");
  const char* colon = text ? strchr(text, ':') : NULL;
  if (!colon) return;
  self = getpid();
  if (text[0] == 'f' && text[1] == 'a') return prepare_failing(text);
  kind = text[0] == 'k' ? killed : text[0] == 't' ? torn : full;
  due = atol(colon + 1);
}

static int fails_now(const char* call) {
  if (kind != failing || (strcmp(call_wanted, "any") != 0 && strcmp(call_wanted, call) != 0)) return 0;
  if (atomic_fetch_add(&calls, 1) + 1 != due) return 0;
  errno = code;
  return 1;
}

static enum fault next_change(void) {
  if (kind == none || kind == failing || getpid() != self) return none;
  const long call = atomic_fetch_add(&calls, 1) + 1;
  if (call < due) return none;
  if (kind == killed) kill(self, SIGKILL);
  return kind;
}

#define REAL(name)               \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define FAIL(call) \
  if (fails_now(call)) return -1
#define DIE_OR_FAIL(half)               \
  do {                                  \
    const enum fault f = next_change(); \
    if (f == torn) {                    \
      half;                             \
      kill(self, SIGKILL);              \
    }                                   \
    if (f == full) {                    \
      errno = ENOSPC;                   \
      return -1;                        \
    }                                   \
  } while (0)

ssize_t write(int file, const void* bytes, size_t size) {
  REAL(write);
  if (file > 2) {
    FAIL("write");
    DIE_OR_FAIL(if (real(file, bytes, size / 2) < 0) errno = 0);
  }
  return real(file, bytes, size);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  REAL(pwrite);
  FAIL("pwrite");
  DIE_OR_FAIL(if (real(file, bytes, size / 2, at) < 0) errno = 0);
  return real(file, bytes, size, at);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  REAL(pwrite64);
  FAIL("pwrite");
  DIE_OR_FAIL(if (real(file, bytes, size / 2, at) < 0) errno = 0);
  return real(file, bytes, size, at);
}
int fsync(int file) {
  REAL(fsync);
  FAIL("fsync");
  DIE_OR_FAIL((void)0);
  return real(file);
}
int rename(const char* from, const char* to) {
  REAL(rename);
  FAIL("rename");
  DIE_OR_FAIL(real(from, to));
  return real(from, to);
}
// Removing needs no space.
int unlink(const char* path) {
  REAL(unlink);
  FAIL("unlink");
  if (kind != full) DIE_OR_FAIL(real(path));
  return real(path);
}
int remove(const char* path) {
  REAL(remove);
  FAIL("unlink");
  if (kind != full) DIE_OR_FAIL(real(path));
  return real(path);
}

// What changes nothing can only fail.
ssize_t read(int file, void* bytes, size_t size) {
  REAL(read);
  if (file > 2) FAIL("read");
  return real(file, bytes, size);
}
ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  REAL(pread);
  FAIL("pread");
  return real(file, bytes, size, at);
}
ssize_t pread64(int file, void* bytes, size_t size, off64_t at) {
  REAL(pread64);
  FAIL("pread");
  return real(file, bytes, size, at);
}
#define MODE_OF(flags)                   \
  mode_t mode = 0;                       \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list list;                        \
    va_start(list, flags);               \
    mode = va_arg(list, mode_t);         \
    va_end(list);                        \
  }
int open(const char* path, int flags, ...) {
  REAL(open);
  MODE_OF(flags);
  FAIL("open");
  return real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  REAL(open64);
  MODE_OF(flags);
  FAIL("open");
  return real(path, flags, mode);
}
int fstat(int file, struct stat* status) {
  REAL(fstat);
  FAIL("fstat");
  return real(file, status);
}
int fstat64(int file, struct stat64* status) {
  REAL(fstat64);
  FAIL("fstat");
  return real(file, status);
}
int lstat(const char* path, struct stat* status) {
  REAL(lstat);
  FAIL("lstat");
  return real(path, status);
}
int lstat64(const char* path, struct stat64* status) {
  REAL(lstat64);
  FAIL("lstat");
  return real(path, status);
}
int mkdir(const char* path, mode_t mode) {
  REAL(mkdir);
  FAIL("mkdir");
  return real(path, mode);
}
int close(int file) {
  REAL(close);
  if (file > 2 && fails_now("close")) {
    real(file);
    errno = code;
    return -1;
  }
  return real(file);
}
int pipe2(int ends[2], int flags) {
  REAL(pipe2);
  FAIL("pipe");
  return real(ends, flags);
}
pid_t fork(void) {
  REAL(fork);
  FAIL("fork");
  return real();
}
int ftruncate(int file, off_t size) {
  REAL(ftruncate);
  FAIL("ftruncate");
  return real(file, size);
}
int ftruncate64(int file, off64_t size) {
  REAL(ftruncate64);
  FAIL("ftruncate");
  return real(file, size);
}
int openat(int folder, const char* path, int flags, ...) {
  REAL(openat);
  MODE_OF(flags);
  FAIL("open");
  return real(folder, path, flags, mode);
}
int unlinkat(int folder, const char* path, int flags) {
  REAL(unlinkat);
  FAIL("unlink");
  return real(folder, path, flags);
}
int stat(const char* path, struct stat* status) {
  REAL(stat);
  FAIL("stat");
  return real(path, status);
}
int stat64(const char* path, struct stat64* status) {
  REAL(stat64);
  FAIL("stat");
  return real(path, status);
}
int statvfs(const char* path, struct statvfs* status) {
  REAL(statvfs);
  FAIL("statvfs");
  return real(path, status);
}
int link(const char* from, const char* to) {
  REAL(link);
  FAIL("link");
  return real(from, to);
}
ssize_t readlink(const char* path, char* bytes, size_t size) {
  REAL(readlink);
  FAIL("readlink");
  return real(path, bytes, size);
}
int rmdir(const char* path) {
  REAL(rmdir);
  FAIL("rmdir");
  return real(path);
}
DIR* opendir(const char* path) {
  REAL(opendir);
  if (fails_now("opendir")) return NULL;
  return real(path);
}
struct dirent* readdir(DIR* folder) {
  REAL(readdir);
  if (fails_now("readdir")) return NULL;
  return real(folder);
}
int flock(int file, int operation) {
  REAL(flock);
  FAIL("flock");
  return real(file, operation);
}
ssize_t getrandom(void* bytes, size_t size, unsigned flags) {
  REAL(getrandom);
  FAIL("getrandom");
  return real(bytes, size, flags);
}
int poll(struct pollfd* ends, nfds_t n, int milliseconds) {
  REAL(poll);
  FAIL("poll");
  return real(ends, n, milliseconds);
}
pid_t waitpid(pid_t process, int* status, int options) {
  REAL(waitpid);
  FAIL("waitpid");
  return real(process, status, options);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  REAL(pthread_create);
  if (fails_now("thread")) return code;
  return real(thread, attributes, start, argument);
}
