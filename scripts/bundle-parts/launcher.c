/* bin/hdrbatch of a bundle (docs/bundle.md): looks whether this system has the libraries that the program shares with
   Vulkan drivers, and starts the program; with the bundle's own ones only where the system has none.

   The system's come first because a driver is loaded into the same process: that of a newer system, or the LLVM in it,
   does not load beside an older libstdc++ that is there already. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the bundle needs of each: a symbol of the newest version that scripts/bundle-check lets pass. */
static const struct {
  const char *folder, *name, *symbol, *version;
} shared[] = {
    {"libgcc_s", "libgcc_s.so.1", "_Unwind_GetIPInfo", "GCC_4.2.0"},
    {"libstdc++", "libstdc++.so.6", "_ZSt21__glibcxx_assert_failPKciS0_S0_", "GLIBCXX_3.4.30"},
    {"libz", "libz.so.1", "inflateValidate", "ZLIB_1.2.9"},
};

static int unavailable(const char *what, const char *why) {
  fprintf(stderr, "hdrbatch: error: %s: %s\n", what, why);
  return 69;
}

int main(int count, char **arguments) {
  (void)count;
  char root[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", root, sizeof root - 1);
  if (length <= 0) return unavailable("/proc/self/exe", "/proc is not mounted here, and libraries are found by it");
  root[length] = 0;
  for (int up = 0; up < 2; up++) { /* bin/hdrbatch */
    char *slash = strrchr(root, '/');
    if (slash) *slash = 0;
  }

  int major = 0, minor = 0;
  if (sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor) != 2 || major < 2 || (major == 2 && minor < NEEDED_GLIBC)) {
    char text[128];
    snprintf(text, sizeof text, "2.%d or later is needed, this is %s", NEEDED_GLIBC, gnu_get_libc_version());
    return unavailable("glibc", text);
  }

  /* Beside the libraries' own folder, which the program knows. What a person set comes after what was found missing. */
  char path[4 * PATH_MAX] = "", file[2 * PATH_MAX];
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
    void *library = dlopen(shared[i].name, RTLD_LAZY | RTLD_LOCAL);
    if (library && dlvsym(library, shared[i].symbol, shared[i].version)) continue;
    snprintf(file, sizeof file, "%s/lib/fallback/%s", root, shared[i].folder);
    if (strlen(path) + strlen(file) + 2 > sizeof path) return unavailable(root, "the path is too long");
    if (*path) strcat(path, ":");
    strcat(path, file);
    /* The next one needs this one. */
    strcat(file, "/");
    strcat(file, shared[i].name);
    dlopen(file, RTLD_LAZY | RTLD_GLOBAL);
  }
  const char *before = getenv("LD_LIBRARY_PATH");
  if (*path && before && *before) {
    if (strlen(path) + strlen(before) + 2 > sizeof path) return unavailable("LD_LIBRARY_PATH", "it is too long");
    strcat(path, ":");
    strcat(path, before);
  }
  if (*path) setenv("LD_LIBRARY_PATH", path, 1);

  snprintf(file, sizeof file, "%s/libexec/hdrbatch", root);
  execv(file, arguments);
  return unavailable(file, strerror(errno));
}
