/* A program of others in the place of a codec process: it opens its libraries and the files that it was given, starts
   threads, computes. No other file, no socket, no other program, no other process. */
#define _GNU_SOURCE
#include "CSandbox.h"
#include "locks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
                      executing = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE,
                      writing = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;

/* Folders of libraries, what the dynamic linker and libraries read of the machine, and the linkers themselves. */
static const struct {
  const char *path;
  uint64_t rights;
} always[] = {
    {"/usr/lib", reading}, {"/lib", reading}, {"/lib64", reading}, {"/usr/lib64", reading}, {"/usr/local/lib", reading},
    {"/etc/ld.so.cache", reading}, {"/sys/devices/system/cpu", reading}, {"/sys/devices/system/node", reading},
    {"/dev/null", writing}, {"/lib64/ld-linux-x86-64.so.2", executing}, {"/lib/ld-linux-aarch64.so.1", executing},
};

/* Graphics that decode: their devices, and what drivers and loaders read to find them. */
static const struct {
  const char *path;
  uint64_t rights;
} of_devices[] = {
    {"/dev/dri", writing}, {"/dev/nvidiactl", writing}, {"/dev/nvidia-uvm", writing}, {"/dev/nvidia-uvm-tools", writing},
    {"/dev/nvidia-modeset", writing}, {"/dev/nvidia-caps", writing}, {"/proc/driver/nvidia", reading},
    {"/proc/devices", reading}, {"/sys/dev/char", reading}, {"/sys/devices", reading}, {"/sys/bus/pci/devices", reading},
    {"/usr/share/vulkan", reading}, {"/etc/vulkan", reading}, {"/usr/share/libdrm", reading},
};
/* The most devices of one kind, /dev/nvidia0 and so on. */
static const int most_devices = 16;

static int allow(int ruleset, int file, uint64_t rights) {
  struct stat status;
  if (fstat(file, &status) != 0) return errno;
  /* The right to list folders is none of a file. */
  if (!S_ISDIR(status.st_mode)) rights &= ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR;
  struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
  return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
}

/* What is not there needs no rule. */
static int allow_path(int ruleset, const char *path, uint64_t rights) {
  int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return 0;
  int result = allow(ruleset, file, rights);
  close(file);
  return result;
}

static int allow_folders(int ruleset, const char *folders) {
  char path[4096];
  for (const char *at = folders; at && *at; at += strspn(at, ":")) {
    size_t count = strcspn(at, ":");
    /* An empty or relative one is the folder of the moment, which holds no libraries of a program found by its path. */
    if (count < sizeof path && *at == '/') {
      memcpy(path, at, count);
      path[count] = 0;
      int result = allow_path(ruleset, path, reading);
      if (result) return result;
    }
    at += count;
  }
  return 0;
}

static int allow_devices(int ruleset, int version) {
  uint64_t control = version >= 5 ? 1ULL << 15 /* ioctl on devices */ : 0;
  int result = 0;
  for (size_t i = 0; result == 0 && i < sizeof of_devices / sizeof *of_devices; i++) {
    uint64_t rights = of_devices[i].rights;
    if (rights == writing) rights |= LANDLOCK_ACCESS_FS_READ_DIR | control;
    result = allow_path(ruleset, of_devices[i].path, rights);
  }
  for (int i = 0; result == 0 && i < most_devices; i++) {
    char path[24];
    snprintf(path, sizeof path, "/dev/nvidia%d", i);
    result = allow_path(ruleset, path, writing | control);
  }
  return result;
}

static int lock_files(const struct hdr_program *program) {
  int version, ruleset = hdr_file_rules(&version), result = 0;
  if (ruleset < 0) return errno;
  for (size_t i = 0; result == 0 && i < sizeof always / sizeof *always; i++)
    result = allow_path(ruleset, always[i].path, always[i].rights);
  if (result == 0) result = allow_folders(ruleset, program->libraries);
  if (result == 0) result = allow(ruleset, program->file, executing);
  if (result == 0 && program->input >= 0) result = allow(ruleset, program->input, LANDLOCK_ACCESS_FS_READ_FILE);
  if (result == 0 && program->second_input >= 0)
    result = allow(ruleset, program->second_input, LANDLOCK_ACCESS_FS_READ_FILE);
  if (result == 0 && program->output >= 0)
    result = allow(ruleset, program->output, writing | (version >= 3 ? 1ULL << 14 /* truncate */ : 0));
  if (result == 0 && program->uses_devices) result = allow_devices(ruleset, version);
  if (result) {
    close(ruleset);
    return result;
  }
  return hdr_lock_files(ruleset);
}

/* A file and a network that can be opened now: then something only looks locked. */
static int looks_locked(void) {
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC), net = socket(AF_INET, SOCK_STREAM, 0);
  if (file >= 0) close(file);
  if (net >= 0) close(net);
  return file < 0 && net < 0;
}

int hdr_become(const struct hdr_program *program, const char **what) {
  int result;
  *what = "no_new_privs";
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (program->is_locked) {
    *what = "capabilities";
    if ((result = hdr_drop_capabilities())) return result;
    *what = "Landlock";
    if ((result = lock_files(program))) return result;
    *what = "seccomp";
    if ((result = hdr_lock_calls(program->uses_devices ? 2 : 1))) return result;
    *what = "the refusal of files and sockets";
    if (!looks_locked()) return EBADE;
  }
  *what = "execveat";
  syscall(SYS_execveat, program->file, "", program->arguments, program->environment, AT_EMPTY_PATH);
  return errno;
}
