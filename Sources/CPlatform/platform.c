#include "CPlatform.h"

#include <sys/resource.h>
#include <time.h>

int hdr_cpu_supports_v3(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("popcnt");
#else
  return 0;
#endif
}

static double seconds_of(clockid_t clock) {
  struct timespec t;
  if (clock_gettime(clock, &t) != 0) return 0;
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double hdr_thread_cpu_seconds(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double hdr_process_cpu_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

unsigned long long hdr_peak_resident_bytes(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return (unsigned long long)usage.ru_maxrss * 1024ULL;
}
