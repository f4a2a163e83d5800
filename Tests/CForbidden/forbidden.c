#define _GNU_SOURCE
#include "CForbidden.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int try_forbidden(int what) {
  int result = -1;
  switch (what) {
  case 0: result = open("/etc/passwd", O_RDONLY); break;
  case 1: result = open("/", O_RDONLY | O_DIRECTORY); break;
  case 2: result = socket(AF_INET, SOCK_STREAM, 0); break;
  case 3: result = (int)syscall(SYS_fork); break;
  case 4: result = execl("/bin/true", "true", (char *)NULL); break;
  case 5: result = (int)ptrace(PTRACE_ATTACH, getppid(), NULL, NULL); break;
  case 6: result = ftruncate(4, 0); break;
  case 7: result = open("/tmp/hdrbatch-forbidden", O_WRONLY | O_CREAT, 0600); break;
  case 8: result = kill(getppid(), 0); break;
  case 9: result = ftruncate(4, (off_t)1 << 50); break;
  default: errno = EINVAL;
  }
  return result >= 0 ? 0 : errno;
}
