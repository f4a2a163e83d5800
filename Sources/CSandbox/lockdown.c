#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <seccomp.h>
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

/* All rights of the kernel's version: a ruleset that handles them and has no rule refuses them all. */
static int lock_files(int *version) {
  struct {
    uint64_t files, network, scoped;
  } rules = {0, 0, 0};
  int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
  if (abi < 1) return abi < 0 ? errno : ENOSYS;
  rules.files = (1ULL << 13) - 1;
  if (abi >= 2) rules.files |= 1ULL << 13; /* refer */
  if (abi >= 3) rules.files |= 1ULL << 14; /* truncate */
  if (abi >= 5) rules.files |= 1ULL << 15; /* ioctl on devices */
  if (abi >= 4) rules.network = 3;         /* bind, connect over TCP */
  if (abi >= 6) rules.scoped = 3;          /* abstract sockets, signals */
  size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) return errno;
  int result = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ? 0 : errno;
  close(ruleset);
  if (result == 0) *version = abi;
  return result;
}

/* Calls that computing, waiting, memory and open descriptors need (docs/isolation.md). */
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(pread64), SCMP_SYS(pwrite64), SCMP_SYS(readv), SCMP_SYS(writev),
    SCMP_SYS(close), SCMP_SYS(fstat), SCMP_SYS(lseek), SCMP_SYS(mmap), SCMP_SYS(munmap),
    SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise), SCMP_SYS(brk), SCMP_SYS(futex), SCMP_SYS(clone),
    SCMP_SYS(clone3), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(getrandom),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_yield), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(tgkill),
    SCMP_SYS(sendmsg), SCMP_SYS(recvmsg), SCMP_SYS(sysinfo), SCMP_SYS(getrusage),
    SCMP_SYS(restart_syscall), SCMP_SYS(getpriority), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler), SCMP_SYS(getcpu),
};

/* Asked for by libraries that go on without: the number of processors when a thread starts, stdio's terminal. */
static const struct {
  int call, answer;
} answered[] = {
    {SCMP_SYS(open), EACCES},     {SCMP_SYS(openat), EACCES}, {SCMP_SYS(access), EACCES}, {SCMP_SYS(faccessat), EACCES},
    {SCMP_SYS(faccessat2), EACCES}, {SCMP_SYS(readlink), EACCES}, {SCMP_SYS(readlinkat), EACCES},
    {SCMP_SYS(newfstatat), EACCES}, {SCMP_SYS(stat), EACCES}, {SCMP_SYS(statx), EACCES},  {SCMP_SYS(socket), EACCES}, {SCMP_SYS(ioctl), ENOTTY},
    {SCMP_SYS(get_mempolicy), EPERM}, {SCMP_SYS(mbind), EPERM}, {SCMP_SYS(set_mempolicy), EPERM},
    {SCMP_SYS(sched_setaffinity), EPERM}, {SCMP_SYS(sched_setscheduler), EPERM}, {SCMP_SYS(setpriority), EPERM},
    {SCMP_SYS(uname), EPERM},
};

/* A refused call is not made; its number is kept where others can see it, and the process ends. */
static unsigned long long *refused_call;

static void end_for_call(int number, siginfo_t *info, void *context) {
  (void)context;
  if (refused_call) *refused_call = (unsigned long long)(unsigned)info->si_syscall + 1;
  signal(number, SIG_DFL);
  raise(number);
}

void hdr_report_refused_call(unsigned long long *place) { refused_call = place; }

/* Their first argument is a process or thread; 0 is the caller. */
static const int about_a_process[] = {SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler)};

static int is_about_a_process(int call) {
  for (size_t i = 0; i < sizeof about_a_process / sizeof *about_a_process; i++)
    if (about_a_process[i] == call) return 1;
  return 0;
}

/* Being root means nothing without capabilities. */
static int drop_capabilities(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
  return syscall(SYS_capset, &head, none) == 0 ? 0 : errno;
}

static int lock_calls(void) {
  struct sigaction end = {.sa_sigaction = end_for_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGSYS, &end, NULL);
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_TRAP);
  if (!filter) return ENOMEM;
  int result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  for (size_t i = 0; result == 0 && i < sizeof allowed / sizeof *allowed; i++) {
    /* Threads yes, processes no: the flags of clone are an argument; those of clone3 are in memory, where a filter
       cannot look, so that libc is told there is none and takes clone. */
    if (allowed[i] == SCMP_SYS(clone3)) result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), allowed[i], 0);
    else if (allowed[i] == SCMP_SYS(clone))
      result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 1,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, 0x00010000 /* CLONE_THREAD */, 0x00010000));
    else if (allowed[i] == SCMP_SYS(mmap) || allowed[i] == SCMP_SYS(mprotect))
      /* Nothing that was data becomes code. */
      result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 1, SCMP_A2(SCMP_CMP_MASKED_EQ, 4 /* PROT_EXEC */, 0));
    else if (allowed[i] == SCMP_SYS(tgkill))
      result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
    else if (is_about_a_process(allowed[i]))
      result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 1, SCMP_A0(SCMP_CMP_EQ, 0));
    else result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
  }
  for (size_t i = 0; result == 0 && i < sizeof about_a_process / sizeof *about_a_process; i++)
    result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ESRCH), about_a_process[i], 1, SCMP_A0(SCMP_CMP_NE, 0));
  /* Reading limits of oneself; libc asks for the stack's when a thread starts. */
  if (result == 0)
    result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0),
                              SCMP_A2(SCMP_CMP_EQ, 0));
  if (result == 0)
    result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_NE, 0),
                              SCMP_A2(SCMP_CMP_EQ, 0));
  if (result == 0)
    result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_NE, 0));
  if (result == 0)
    result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
  if (result == 0)
    result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_NE, PR_SET_NAME));
  for (size_t i = 0; result == 0 && i < sizeof answered / sizeof *answered; i++)
    result = seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)answered[i].answer), answered[i].call, 0);
  if (result == 0) result = seccomp_load(filter);
  seccomp_release(filter);
  return result < 0 ? -result : result;
}

struct hdr_lockdown hdr_lock_down(void) {
  struct hdr_lockdown done = {0, 0, 0, 0, ""};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    done.error = errno;
    done.what = "no_new_privs";
    return done;
  }
  int number = drop_capabilities();
  if (number) {
    done.error = number;
    done.what = "capabilities";
  }
  number = lock_files(&done.landlock);
  if (number) {
    done.error = number;
    done.what = "Landlock";
  }
  number = lock_calls();
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
