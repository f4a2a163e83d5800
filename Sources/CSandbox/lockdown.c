#define _GNU_SOURCE
#include "CSandbox.h"
#include "locks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int bound(int what, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(what, &limit) != 0) return errno;
  if (limit.rlim_max > most) limit.rlim_max = most;
  if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  return setrlimit(what, &limit) == 0 ? 0 : errno;
}

int hdr_bound_process(unsigned long long most_address_space) {
  int a = bound(RLIMIT_CORE, 0), b = bound(RLIMIT_NOFILE, 32), c = bound(RLIMIT_AS, most_address_space);
  /* The supervisor lowers and raises the soft limits item by item. */
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGUSR1, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  return a ? a : b ? b : c;
}

int hdr_be_ended_first(void) {
  int file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
  char text[16] = {0};
  if (file < 0) return errno;
  /* Raising needs no privilege. */
  int is_done = read(file, text, sizeof text - 1) > 0 && (atoi(text) >= 500 || pwrite(file, "500", 3, 0) == 3);
  int number = is_done ? 0 : errno;
  close(file);
  return number;
}

int hdr_die_with_parent(int parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
  if (getppid() != parent) _exit(1);
  return 0;
}

int hdr_file_rules(int *version) {
  struct {
    uint64_t files, network, scoped;
  } rules = {0, 0, 0};
  int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
  if (abi < 1) {
    if (abi == 0) errno = ENOSYS;
    return -1;
  }
  rules.files = (1ULL << 13) - 1;
  if (abi >= 2) rules.files |= 1ULL << 13; /* refer */
  if (abi >= 3) rules.files |= 1ULL << 14; /* truncate */
  if (abi >= 5) rules.files |= 1ULL << 15; /* ioctl on devices */
  if (abi >= 4) rules.network = 3;         /* bind, connect over TCP */
  if (abi >= 6) rules.scoped = 3;          /* abstract sockets, signals */
  size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  *version = abi;
  return (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
}

int hdr_lock_files(int ruleset) {
  int result = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ? 0 : errno;
  close(ruleset);
  return result;
}

/* No rule: every file is refused. */
static int lock_files(int *version) {
  int abi, ruleset = hdr_file_rules(&abi), result;
  if (ruleset < 0) return errno;
  result = hdr_lock_files(ruleset);
  if (result == 0) *version = abi;
  return result;
}

/* Being root means nothing without capabilities. */
int hdr_drop_capabilities(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
  return syscall(SYS_capset, &head, none) == 0 ? 0 : errno;
}

struct hdr_lockdown hdr_lock_down(void) {
  struct hdr_lockdown done = {0, 0, 0, 0, ""};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    done.error = errno;
    done.what = "no_new_privs";
    return done;
  }
  int number = hdr_drop_capabilities();
  if (number) {
    done.error = number;
    done.what = "capabilities";
  }
  number = lock_files(&done.landlock);
  if (number) {
    done.error = number;
    done.what = "Landlock";
  }
  number = hdr_lock_calls(0);
  if (number) {
    done.error = number;
    done.what = "seccomp";
  } else {
    done.seccomp = 1;
  }
  /* A file and a network that can be opened now: then something only looks locked. */
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC), net = socket(AF_INET, SOCK_STREAM, 0);
  if (done.seccomp && (file >= 0 || net >= 0)) {
    done.error = EBADE;
    done.what = "the refusal of files and sockets";
    done.seccomp = done.landlock = 0;
  }
  if (file >= 0) close(file);
  if (net >= 0) close(net);
  return done;
}

double hdr_own_cpu_seconds(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

unsigned long long hdr_address_space_bytes(int statm) {
  char text[64] = {0};
  if (pread(statm, text, sizeof text - 1, 0) <= 0) return 0;
  return strtoull(text, NULL, 10) * (unsigned long long)sysconf(_SC_PAGESIZE);
}
