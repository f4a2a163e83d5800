#define _GNU_SOURCE
#include "CSandbox.h"
#include "locks.h"

#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

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

/* A program that has yet to start needs these besides; Landlock refuses what they may not open. Of all others it is told
   that they are not permitted: what those it lacks are, no list of ours knows for every build. */
static const int of_programs[] = {
    SCMP_SYS(execveat), SCMP_SYS(arch_prctl), SCMP_SYS(set_tid_address), SCMP_SYS(open), SCMP_SYS(openat),
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
    SCMP_SYS(newfstatat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(statx), SCMP_SYS(statfs), SCMP_SYS(fstatfs),
    SCMP_SYS(getdents64), SCMP_SYS(fcntl), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(ftruncate),
    SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(fallocate), SCMP_SYS(fadvise64), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(uname), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(membarrier), SCMP_SYS(mlock), SCMP_SYS(munlock),
    SCMP_SYS(get_mempolicy), SCMP_SYS(set_mempolicy), SCMP_SYS(mbind), SCMP_SYS(sched_setaffinity),
};

/* A program that decodes on graphics speaks with their devices. */
static const int of_devices[] = {SCMP_SYS(ioctl), SCMP_SYS(eventfd2), SCMP_SYS(mincore)};

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

int hdr_lock_calls(int is_for_program) {
  struct sigaction end = {.sa_sigaction = end_for_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
  if (!is_for_program) sigaction(SIGSYS, &end, NULL);
  scmp_filter_ctx filter = seccomp_init(is_for_program ? SCMP_ACT_ERRNO(EACCES) : SCMP_ACT_TRAP);
  if (!filter) return ENOMEM;
  int result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  for (size_t i = 0; result == 0 && i < sizeof allowed / sizeof *allowed; i++) {
    /* Threads yes, processes no: the flags of clone are an argument; those of clone3 are in memory, where a filter
       cannot look, so that libc is told there is none and takes clone. */
    if (allowed[i] == SCMP_SYS(clone3)) result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), allowed[i], 0);
    else if (allowed[i] == SCMP_SYS(clone))
      result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 1,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, 0x00010000 /* CLONE_THREAD */, 0x00010000));
    else if (!is_for_program && (allowed[i] == SCMP_SYS(mmap) || allowed[i] == SCMP_SYS(mprotect)))
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
  for (size_t i = 0; !is_for_program && result == 0 && i < sizeof answered / sizeof *answered; i++)
    result = seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)answered[i].answer), answered[i].call, 0);
  for (size_t i = 0; is_for_program && result == 0 && i < sizeof of_programs / sizeof *of_programs; i++)
    result = of_programs[i] == SCMP_SYS(sched_setaffinity)
                 ? seccomp_rule_add(filter, SCMP_ACT_ALLOW, of_programs[i], 1, SCMP_A0(SCMP_CMP_EQ, 0))
                 : seccomp_rule_add(filter, SCMP_ACT_ALLOW, of_programs[i], 0);
  for (size_t i = 0; is_for_program == 2 && result == 0 && i < sizeof of_devices / sizeof *of_devices; i++)
    result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, of_devices[i], 0);
  if (result == 0) result = seccomp_load(filter);
  seccomp_release(filter);
  return result < 0 ? -result : result;
}
