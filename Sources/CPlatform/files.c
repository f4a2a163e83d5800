#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int hdr_syncfs(int descriptor) { return syncfs(descriptor); }

int hdr_rename(int folder, const char *from, const char *to, int replaces) {
  if (replaces) return renameat(folder, from, folder, to) == 0 ? 0 : errno;
  if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  /* A file system without that flag: a second link cannot replace anything. */
  if (linkat(folder, from, folder, to, 0) != 0) return errno;
  return unlinkat(folder, from, 0) == 0 ? 0 : errno;
}

int hdr_open_beneath(int folder, const char *path, int flags) {
  struct open_how how = {.flags = (unsigned long long)(flags | O_CLOEXEC),
                         .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
  /* EAGAIN: something was renamed meanwhile, and the kernel is not sure. */
  for (int attempt = 0; attempt < 64; attempt++) {
    long found = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (found >= 0) return (int)found;
    if (errno == EAGAIN) continue;
    /* EPERM: filters of containers that do not know the call. */
    if (errno == ENOSYS || errno == EPERM) return hdr_walk_beneath(folder, path, flags);
    return -1;
  }
  return -1;
}

/* One name; O_NOFOLLOW alone says ENOTDIR of a link where a folder is wanted. */
static int open_name(int folder, const char *name, int flags) {
  int found = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC);
  if (found >= 0 || errno != ENOTDIR) return found;
  struct stat status;
  int is_link = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
  errno = is_link ? ELOOP : ENOTDIR;
  return -1;
}

int hdr_walk_beneath(int folder, const char *path, int flags) {
  char name[NAME_MAX + 1];
  int here = folder, found = -1;
  if (*path == '/') {
    errno = EXDEV;
    return -1;
  }
  for (;;) {
    while (*path == '/') path++;
    size_t length = strcspn(path, "/");
    if (length == 0 || length > NAME_MAX) {
      errno = length == 0 ? ENOENT : ENAMETOOLONG;
      break;
    }
    memcpy(name, path, length);
    name[length] = 0;
    path += length;
    if (strcmp(name, "..") == 0) {
      errno = EXDEV;
      break;
    }
    if (path[strspn(path, "/")] == 0) {
      found = open_name(here, name, *path ? flags | O_DIRECTORY : flags);
      break;
    }
    int next = open_name(here, name, O_PATH | O_DIRECTORY);
    if (next < 0) break;
    if (here != folder) close(here);
    here = next;
  }
  int number = errno;
  if (here != folder) close(here);
  errno = number;
  return found;
}
