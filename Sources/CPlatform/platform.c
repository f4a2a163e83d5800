#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int hdr_cpu_supports_v3(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("popcnt");
#else
  return 0;
#endif
}

/* glibc calls constructors with the arguments of main. */
static int argument_count;
static char **all_arguments;

__attribute__((constructor)) static void keep_arguments(int count, char **arguments) {
  argument_count = count;
  all_arguments = arguments;
}

const char *hdr_argument(int index) { return index >= 0 && index < argument_count ? all_arguments[index] : 0; }

const char *hdr_executed_file(void) { return (const char *)getauxval(AT_EXECFN); }

static double seconds_of(clockid_t clock) {
  struct timespec t;
  if (clock_gettime(clock, &t) != 0) return 0;
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double hdr_thread_cpu_seconds(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
/* Not CLOCK_PROCESS_CPUTIME_ID: of a process with RLIMIT_CPU, as codec processes are, that clock lags by up to a tick of
   the scheduler. */
double hdr_process_cpu_seconds(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static unsigned long long limit_of(int what) {
  struct rlimit limit;
  if (getrlimit(what, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return ~0ULL;
  return limit.rlim_cur;
}

unsigned long long hdr_address_space_limit(void) { return limit_of(RLIMIT_AS); }

unsigned long long hdr_open_files_limit(void) { return limit_of(RLIMIT_NOFILE); }

void hdr_raise_open_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

unsigned long long hdr_peak_resident_bytes(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return (unsigned long long)usage.ru_maxrss * 1024ULL;
}

int hdr_allotted_processors(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
  }
  return CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
}

void hdr_name_thread(const char *name) {
  char kept[16] = {0};
  strncpy(kept, name, sizeof kept - 1);
  pthread_setname_np(pthread_self(), kept);
}

void hdr_keep_memory(int largest_block, int idle_bytes, int arenas) {
  mallopt(M_MMAP_THRESHOLD, largest_block);
  mallopt(M_TRIM_THRESHOLD, idle_bytes);
  mallopt(M_ARENA_MAX, arenas);
}
