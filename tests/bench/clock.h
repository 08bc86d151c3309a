// Clocks. Work of one thread is measured by the processor's time it took, which a busy machine disturbs least.
#pragma once

#include <sys/resource.h>

#include <ctime>

namespace mixlab::bench {

inline double seconds_of(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
inline double cpu_seconds() {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}
inline double thread_seconds() {
  return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}
/// Of all children that have ended.
inline double children_seconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}
inline double wall_seconds() {
  return seconds_of(CLOCK_MONOTONIC);
}

}  // namespace mixlab::bench
