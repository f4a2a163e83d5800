#define _GNU_SOURCE
#include "CForbidden.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Every machine has it. A call for the parent's number would end this process before the one that is tried. */
static const pid_t other = 1;

/* Ends the child where there is one. */
static int parent_of(long child) {
  if (child == 0) _exit(0);
  return (int)child;
}

int try_forbidden(int what) {
  int result = -1;
  struct stat status;
  struct rlimit limit = {16, 16};
  struct sched_param parameter;
  cpu_set_t processors;
  struct clone_args arguments = {.exit_signal = SIGCHLD};
  switch (what) {
  case 0: result = open("/etc/passwd", O_RDONLY); break;
  case 1: result = open("/", O_RDONLY | O_DIRECTORY); break;
  case 2: result = socket(AF_INET, SOCK_STREAM, 0); break;
  case 3: result = parent_of(syscall(SYS_fork)); break;
  case 4: result = execl("/bin/true", "true", (char *)NULL); break;
  case 5: result = (int)ptrace(PTRACE_ATTACH, other, NULL, NULL); break;
  case 6: result = ftruncate(4, 0); break;
  case 7: result = open("/tmp/hdrbatch-forbidden", O_WRONLY | O_CREAT, 0600); break;
  case 8: result = kill(other, 0); break;
  case 9: result = ftruncate(4, (off_t)1 << 50); break;
  case 10: result = parent_of(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); break;
  /* What vfork(3) asks for, with memory of its own so that the child may end. */
  case 11: result = parent_of(syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0)); break;
  case 12: result = parent_of(syscall(SYS_clone3, &arguments, sizeof arguments)); break;
  case 13: result = parent_of(vfork()); break;
  case 14: result = prlimit(other, RLIMIT_NOFILE, NULL, &limit); break;
  case 15: result = prlimit(other, RLIMIT_NOFILE, &limit, NULL); break;
  case 16: result = prlimit(0, RLIMIT_NOFILE, &limit, NULL); break;
  case 17: result = sched_getaffinity(other, sizeof processors, &processors); break;
  case 18: result = sched_getparam(other, &parameter); break;
  case 19: result = sched_getscheduler(other); break;
  case 20: result = sched_setaffinity(other, sizeof processors, &processors); break;
  case 21: result = (int)syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &status, 0); break;
  case 22:
    result = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
    break;
  case 23: result = (int)syscall(SYS_tgkill, other, other, 0); break;
  case 24: result = unlink("/tmp/hdrbatch-forbidden"); break;
  default: return -1;
  }
  return result >= 0 ? 0 : errno;
}
