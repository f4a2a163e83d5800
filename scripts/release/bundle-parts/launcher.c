/* bin/hdrbatch of a bundle (docs/bundle.md): looks whether this system has the libraries that the program shares with
   Vulkan drivers, and starts the program; with the bundle's own ones only where the system has none.

   The system's come first because a driver is loaded into the same process: that of a newer system, or the LLVM in it,
   does not load beside an older libstdc++ that is there already.

   The same holds for the C library: where the system's is older than the program needs, everything is started by the
   dynamic linker in lib/glibc with the C library beside it. So this file itself uses only what glibc 2.28 has, by any
   name: it is linked without the compiler's start files, and what came into libc.so.6 later is weak. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc 2.34 gave these new versions, which no older one has. */
__asm__(".symver old_start_main, __libc_start_main@GLIBC_2.2.5");
__asm__(".symver old_dlopen, dlopen@GLIBC_2.2.5");
__asm__(".symver old_dlvsym, dlvsym@GLIBC_2.2.5");
extern int old_start_main(int (*)(int, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
/* In libdl.so.2 before 2.34: not there, and not called. */
extern void *old_dlopen(const char *, int) __attribute__((weak));
extern void *old_dlvsym(void *, const char *, const char *) __attribute__((weak));

int main(int count, char **arguments);
__attribute__((used)) static void begin(void **stack, void (*end)(void)) {
  old_start_main(main, (int)(long)stack[0], (char **)(stack + 1), NULL, NULL, end, stack);
}
/* The stack as the kernel gives it, aligned for a call. */
__asm__(
    ".globl _start\n_start:\n xor %ebp, %ebp\n mov %rsp, %rdi\n mov %rdx, %rsi\n and $-16, %rsp\n call begin\n hlt\n");

/* What the bundle needs of each: a symbol of the newest version that scripts/release/bundle-check lets pass. */
static const struct {
  const char *folder, *name, *symbol, *version;
} shared[] = {
    {"libgcc_s", "libgcc_s.so.1", "_Unwind_GetIPInfo", "GCC_4.2.0"},
    {"libstdc++", "libstdc++.so.6", "_ZSt21__glibcxx_assert_failPKciS0_S0_", "GLIBCXX_3.4.30"},
    {"libz", "libz.so.1", "inflateValidate", "ZLIB_1.2.9"},
};

#define LINKER "ld-linux-x86-64.so.2"

static int unavailable(const char *what, const char *why) {
  fprintf(stderr, "hdrbatch: error: %s: %s\n", what, why);
  return 69;
}

static int is_new_enough(void) {
  int major = 0, minor = 0;
  if (sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor) != 2) return 0;
  return major > 2 || (major == 2 && minor >= NEEDED_GLIBC);
}

/* Starts a program, by the linker of lib/glibc if that is named. */
static int start(const char *linker, const char *library_path, const char *program, int count, char **arguments) {
  if (!linker) {
    execv(program, arguments);
    return unavailable(program, strerror(errno));
  }
  char **words = calloc((size_t)count + 8, sizeof *words);
  if (!words) return unavailable(program, strerror(errno));
  int used = 0;
  words[used++] = (char *)linker;
  words[used++] = "--library-path";
  words[used++] = (char *)library_path;
  words[used++] = "--argv0";
  words[used++] = count > 0 ? arguments[0] : (char *)program;
  words[used++] = (char *)program;
  for (int i = 1; i < count; i++) words[used++] = arguments[i];
  execv(linker, words);
  return unavailable(linker, strerror(errno));
}

int main(int count, char **arguments) {
  char root[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", root, sizeof root - 1);
  if (length <= 0) return unavailable("/proc/self/exe", "/proc is not mounted here, and libraries are found by it");
  root[length] = 0;
  /* bin/hdrbatch, or lib/glibc/ld-linux-x86-64.so.2 when this is its second start. */
  char *name = strrchr(root, '/');
  int by_own_linker = name && !strcmp(name + 1, LINKER);
  for (int up = 0; up < 2 + by_own_linker; up++) {
    char *slash = strrchr(root, '/');
    if (slash) *slash = 0;
  }

  char glibc[2 * PATH_MAX], linker[2 * PATH_MAX], library_path[8 * PATH_MAX], program[2 * PATH_MAX];
  snprintf(glibc, sizeof glibc, "%s/lib/glibc", root);
  snprintf(linker, sizeof linker, "%s/%s", glibc, LINKER);
  if (!by_own_linker && !is_new_enough()) {
    /* Beside parts of the system's own C library nothing would start, or say why. */
    static const char *const parts[] = {LINKER, "libc.so.6", "libm.so.6"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
      snprintf(program, sizeof program, "%s/%s", glibc, parts[i]);
      if (access(program, R_OK) != 0) return unavailable(program, strerror(errno));
    }
    snprintf(program, sizeof program, "%s/bin/hdrbatch", root);
    return start(linker, glibc, program, count, arguments);
  }

  /* Beside the libraries' own folder, which the program knows. What a person set comes after what was found missing. */
  char path[4 * PATH_MAX] = "", file[2 * PATH_MAX];
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
    void *library = old_dlopen(shared[i].name, RTLD_LAZY | RTLD_LOCAL);
    if (library && old_dlvsym(library, shared[i].symbol, shared[i].version)) continue;
    snprintf(file, sizeof file, "%s/lib/fallback/%s", root, shared[i].folder);
    if (strlen(path) + strlen(file) + 2 > sizeof path) return unavailable(root, "the path is too long");
    if (*path) strcat(path, ":");
    strcat(path, file);
    /* The next one needs this one. */
    strcat(file, "/");
    strcat(file, shared[i].name);
    old_dlopen(file, RTLD_LAZY | RTLD_GLOBAL);
  }
  const char *before = getenv("LD_LIBRARY_PATH");
  if (*path && before && *before) {
    if (strlen(path) + strlen(before) + 2 > sizeof path) return unavailable("LD_LIBRARY_PATH", "it is too long");
    strcat(path, ":");
    strcat(path, before);
  }
  if (*path) setenv("LD_LIBRARY_PATH", path, 1);

  snprintf(program, sizeof program, "%s/libexec/hdrbatch", root);
  if (!by_own_linker) return start(NULL, NULL, program, count, arguments);
  before = getenv("LD_LIBRARY_PATH");
  snprintf(library_path, sizeof library_path, "%s%s%s", glibc, before && *before ? ":" : "", before ? before : "");
  return start(linker, library_path, program, count, arguments);
}
