#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int hdr_sealed_memory(const char *name, unsigned long long bytes) {
  int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return -1;
  int resized;
  while ((resized = ftruncate(memory, (off_t)bytes)) != 0 && errno == EINTR) continue;
  if (resized != 0 ||
      fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    int number = errno;
    close(memory);
    errno = number;
    return -1;
  }
  return memory;
}

int hdr_plain_memory(const char *name, int may_be_sealed) {
  return memfd_create(name, MFD_CLOEXEC | (may_be_sealed ? MFD_ALLOW_SEALING : 0));
}

int hdr_seal_memory(int memory) {
  return fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
}

int hdr_forget_memory(int memory, unsigned long long offset, unsigned long long bytes) {
  if (bytes == 0) return 0;
  return fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes) == 0 ? 0 : errno;
}

int hdr_make_pages(int memory, unsigned long long bytes) {
  return fallocate(memory, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes) == 0 ? 0 : errno;
}

/* Spawning: one thread does it for all, because the death of the thread that started a process is what
   PR_SET_PDEATHSIG reports. */

struct request {
  const char *path;
  char *const *arguments;
  char *const *environment;
  /* Those that the program gets, by its numbers; -1: /dev/null. */
  const int *descriptors;
  int descriptor_count;
  int pid, result, is_done;
  const char *failed;
};

static pthread_mutex_t spawn_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t spawn_changed = PTHREAD_COND_INITIALIZER;
static struct request *pending;
static int has_spawner;

enum { most_descriptors = 8 };

/* A duplicate out of the way of the numbers that the child gets. */
static int set_aside(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 16); }

static int spawn_now(struct request *r) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t stops, all;
  int aside[most_descriptors], held = 0, result;
  /* Opened here, so that the child's only failure is that of the program. */
  int opened = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (opened < 0) {
    r->failed = "/dev/null";
    return errno;
  }
  for (; held < r->descriptor_count; held++) {
    aside[held] = set_aside(r->descriptors[held] < 0 ? opened : r->descriptors[held]);
    if (aside[held] >= 0) continue;
    result = errno;
    r->failed = "descriptors";
    goto close_all;
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int i = 0; i < held; i++) posix_spawn_file_actions_adddup2(&actions, aside[i], i);
  /* What others opened without O_CLOEXEC is none of the child's business. */
  posix_spawn_file_actions_addclosefrom_np(&actions, held);
  /* Signals that stop a batch are for its supervisor, which ends its codec processes itself. Schedulers send them to
     every process of a job. */
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGUSR1);
  sigaddset(&stops, SIGHUP);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &stops);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  result = posix_spawn(&r->pid, r->path, &actions, &attributes, r->arguments, r->environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
close_all:
  close(opened);
  while (held > 0) close(aside[--held]);
  return result;
}

static void *spawner(void *unused) {
  (void)unused;
  hdr_name_thread("spawner");
  pthread_mutex_lock(&spawn_lock);
  for (;;) {
    while (!pending || pending->is_done) pthread_cond_wait(&spawn_changed, &spawn_lock);
    pending->result = spawn_now(pending);
    pending->is_done = 1;
    pthread_cond_broadcast(&spawn_changed);
  }
  return NULL;
}

int hdr_spawn_codec(const char *path, char *const arguments[], char *const environment[], const int *descriptors,
                    int descriptor_count, int *pid, const char **failed) {
  if (descriptor_count > most_descriptors) return EINVAL;
  struct request request = {path, arguments, environment, descriptors, descriptor_count, 0, 0, 0, NULL};
  pthread_mutex_lock(&spawn_lock);
  if (!has_spawner) {
    pthread_t thread;
    sigset_t all, before;
    /* A child must be waited for; a parent that ignores its children would lose how they ended. */
    signal(SIGCHLD, SIG_DFL);
    /* Signals for the process are other threads' business. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(&thread, NULL, spawner, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result) {
      pthread_mutex_unlock(&spawn_lock);
      *failed = "a thread";
      return result;
    }
    pthread_detach(thread);
    has_spawner = 1;
  }
  while (pending) pthread_cond_wait(&spawn_changed, &spawn_lock);
  pending = &request;
  pthread_cond_broadcast(&spawn_changed);
  while (!request.is_done) pthread_cond_wait(&spawn_changed, &spawn_lock);
  pending = NULL;
  pthread_cond_broadcast(&spawn_changed);
  pthread_mutex_unlock(&spawn_lock);
  *pid = request.pid;
  *failed = request.failed;
  return request.result;
}

/* Messages. */

int hdr_socket_pair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Waits for the socket until a time of the clock; no time is never. 0, or ETIMEDOUT. */
static int wait_for(int socket, short what, double end) {
  for (;;) {
    double left = end - now();
    int pause = end <= 0 ? -1 : left <= 0 ? 0 : left < 1e6 ? (int)(left * 1e3) + 1 : 1000000000;
    struct pollfd poller = {socket, what, 0};
    int found = poll(&poller, 1, pause);
    if (found > 0) return 0;
    if (found == 0 && now() >= end) return ETIMEDOUT;
    if (found < 0 && errno != EINTR) return errno;
  }
}

int hdr_pipe(int ends[2], int bytes) {
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  /* A user's pipes may have used what he is given up: then this one is as small as others. */
  (void)fcntl(ends[1], F_SETPIPE_SZ, bytes);
  return 0;
}

void hdr_widen_pipe(int descriptor, int bytes) {
  int now = fcntl(descriptor, F_GETPIPE_SZ);
  if (now >= 0 && now < bytes) (void)fcntl(descriptor, F_SETPIPE_SZ, bytes);
}

long hdr_move_pages(int from, int to, unsigned long bytes, int waits) {
  ssize_t moved = splice(from, NULL, to, NULL, bytes, SPLICE_F_MOVE | (waits ? 0 : SPLICE_F_NONBLOCK));
  return moved >= 0 ? moved : -errno;
}

int hdr_wait_for(int descriptor, int writes, double seconds) {
  return wait_for(descriptor, writes ? POLLOUT : POLLIN, now() + seconds);
}

int hdr_never_block(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 ? 0 : errno;
}

int hdr_send(int socket, struct iovec *pieces, int piece_count, const int *descriptors, int descriptor_count,
             double seconds) {
  double end = seconds > 0 ? now() + seconds : 0;
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(8 * sizeof(int))];
  } control;
  if (descriptor_count > 8) return EINVAL;
  while (piece_count > 0) {
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = piece_count < 64 ? piece_count : 64};
    if (descriptor_count > 0) {
      memset(&control, 0, sizeof control);
      message.msg_control = &control;
      message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
      memcpy(CMSG_DATA(header), descriptors, descriptor_count * sizeof(int));
    }
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL | (end > 0 ? MSG_DONTWAIT : 0));
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && end > 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      int result = wait_for(socket, POLLOUT, end);
      if (result) return result;
      continue;
    }
    if (sent < 0) return errno;
    descriptor_count = 0;
    while (piece_count > 0 && (size_t)sent >= pieces->iov_len) {
      sent -= (ssize_t)pieces->iov_len;
      pieces++;
      piece_count--;
    }
    if (piece_count > 0) {
      pieces->iov_base = (char *)pieces->iov_base + sent;
      pieces->iov_len -= (size_t)sent;
    }
  }
  return 0;
}

int hdr_receive(int socket, void *bytes, unsigned long count, int *descriptors, int capacity, int *descriptor_count,
                double seconds) {
  char *next = bytes;
  double end = seconds > 0 ? now() + seconds : 0;
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(8 * sizeof(int))];
  } control;
  if (descriptor_count) *descriptor_count = 0;
  while (count > 0) {
    struct iovec piece = {next, count};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (capacity > 0) {
      message.msg_control = &control;
      message.msg_controllen = sizeof control.space;
    }
    if (end > 0) {
      int result = wait_for(socket, POLLIN, end);
      if (result) return result;
    }
    ssize_t got = recvmsg(socket, &message, (capacity > 0 ? MSG_CMSG_CLOEXEC : 0) | (end > 0 ? MSG_DONTWAIT : 0));
    if (got < 0 && (errno == EINTR || (end > 0 && (errno == EAGAIN || errno == EWOULDBLOCK)))) continue;
    if (got < 0) return errno;
    if (got == 0) return -1;
    if (capacity > 0) {
      for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        unsigned long held = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (unsigned long i = 0; i < held; i++) {
          int descriptor;
          memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
          if (*descriptor_count < capacity) descriptors[(*descriptor_count)++] = descriptor;
          else close(descriptor);
        }
      }
    }
    next += got;
    count -= (unsigned long)got;
  }
  return 0;
}

/* Other processes. */

static int set_soft(int pid, int what, unsigned long long value) {
  struct rlimit limit;
  if (prlimit(pid, what, NULL, &limit) != 0) return errno;
  limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
  return prlimit(pid, what, &limit, NULL) == 0 ? 0 : errno;
}

int hdr_limit_process(int pid, unsigned long long address_space, unsigned long long cpu_seconds,
                      unsigned long long file_bytes) {
  int a = set_soft(pid, RLIMIT_AS, address_space), b = set_soft(pid, RLIMIT_CPU, cpu_seconds),
      c = set_soft(pid, RLIMIT_FSIZE, file_bytes);
  return a ? a : b ? b : c;
}

int hdr_check_limits(int pid, unsigned long long address_space, unsigned long long cpu_seconds,
                     unsigned long long file_bytes) {
  const struct { int what; unsigned long long most; } wanted[] = {
      {RLIMIT_AS, address_space}, {RLIMIT_CPU, cpu_seconds}, {RLIMIT_FSIZE, file_bytes},
      /* By hdr_bound_process. */
      {RLIMIT_CORE, 0}, {RLIMIT_NOFILE, 32}};
  int number = hdr_limit_process(pid, address_space, cpu_seconds, file_bytes);
  for (size_t i = 0; number == 0 && i < sizeof wanted / sizeof *wanted; i++) {
    struct rlimit limit;
    if (prlimit(pid, wanted[i].what, NULL, &limit) != 0) number = errno;
    else if (limit.rlim_cur > wanted[i].most) number = ENOTSUP;
  }
  return number;
}

int hdr_locks_of(int pid, struct hdr_locks *locks) {
  char path[64], line[256];
  int found = 0;
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  FILE *status = fopen(path, "re");
  if (!status) return errno;
  while (fgets(line, sizeof line, status)) {
    if (sscanf(line, "CapEff: %llx", &locks->capabilities) == 1) found |= 1;
    if (sscanf(line, "NoNewPrivs: %d", &locks->no_new_privileges) == 1) found |= 2;
    if (sscanf(line, "Seccomp: %d", &locks->seccomp) == 1) found |= 4;
  }
  fclose(status);
  return found == 7 ? 0 : ENODATA;
}

double hdr_cpu_seconds_of(int pid) {
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Pages: all, resident, shared. */
static int read_statm(int pid, unsigned long long pages[3]) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/%d/statm", pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count > 0 ? count : 0] = 0;
  return sscanf(text, "%llu %llu %llu", &pages[0], &pages[1], &pages[2]) == 3;
}

unsigned long long hdr_address_space_of(int pid) {
  unsigned long long pages[3];
  return read_statm(pid, pages) ? pages[0] * (unsigned long long)sysconf(_SC_PAGESIZE) : 0;
}

unsigned long long hdr_private_bytes_of(int pid, unsigned long long *all) {
  unsigned long long pages[3], page = (unsigned long long)sysconf(_SC_PAGESIZE);
  if (!read_statm(pid, pages)) return *all = 0;
  *all = pages[1] * page;
  return pages[1] > pages[2] ? (pages[1] - pages[2]) * page : 0;
}

int hdr_wait_child(int pid, double seconds, int *exit_code, int *signal_number, double *cpu_seconds,
                   unsigned long long *peak_bytes) {
  double end = now() + seconds;
  long pause = 50000;
  for (;;) {
    int status;
    struct rusage usage;
    pid_t found = wait4(pid, &status, WNOHANG, &usage);
    if (found == pid) {
      *exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      *signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      *cpu_seconds = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6 +
                     (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec * 1e-6;
      *peak_bytes = (unsigned long long)usage.ru_maxrss * 1024ULL;
      return 1;
    }
    if (found < 0 && errno != EINTR) {
      /* Somebody else has waited for it. */
      *exit_code = -1;
      *signal_number = 0;
      *cpu_seconds = 0;
      *peak_bytes = 0;
      return 1;
    }
    if (now() >= end) return 0;
    struct timespec t = {0, pause};
    nanosleep(&t, NULL);
    if (pause < 2000000) pause *= 2;
  }
}
