#include "CJXL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct hdr_jxl table;
static const struct hdr_jxl *found;
static char missing[256];

/* ABI of the version that is there. */
typedef JxlDecoderStatus encoded_profile_7(const JxlDecoder *, const JxlPixelFormat *, JxlColorProfileTarget,
                                           JxlColorEncoding *);
typedef JxlDecoderStatus encoded_profile_9(const JxlDecoder *, JxlColorProfileTarget, JxlColorEncoding *);
typedef JxlDecoderStatus icc_size_7(const JxlDecoder *, const JxlPixelFormat *, JxlColorProfileTarget, size_t *);
typedef JxlDecoderStatus icc_size_9(const JxlDecoder *, JxlColorProfileTarget, size_t *);
typedef JxlDecoderStatus icc_7(const JxlDecoder *, const JxlPixelFormat *, JxlColorProfileTarget, uint8_t *, size_t);
typedef JxlDecoderStatus icc_9(const JxlDecoder *, JxlColorProfileTarget, uint8_t *, size_t);
static void *encoded_profile, *icc_size, *icc;
static int has_format_argument;

static void *need(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function && !missing[0]) snprintf(missing, sizeof missing, "libjxl has no %s", name);
  return function;
}

static void look(void) {
  static const char *const names[][2] = {
      {"libhdrbatch-jxl.so", "libhdrbatch-jxl.so"},
      {"libjxl.so.0.7", "libjxl_threads.so.0.7"},
      {"libjxl.so.0.11", "libjxl_threads.so.0.11"},
  };
  void *library = NULL, *threads = NULL;
  const char *threads_name = "";
  for (size_t index = 0; !library && index < sizeof names / sizeof *names; index++) {
    library = dlopen(names[index][0], RTLD_NOW | RTLD_LOCAL);
    /* A library that is there and lacks another one says which. */
    const char *why = library ? NULL : dlerror();
    if (why && strncmp(why, names[index][0], strlen(names[index][0])) && !missing[0])
      snprintf(missing, sizeof missing, "%s", why);
    if (library) threads = dlopen(threads_name = names[index][1], RTLD_NOW | RTLD_LOCAL);
  }
  if (library) missing[0] = 0;
  if (!library) {
    if (missing[0]) return;
    snprintf(missing, sizeof missing, "neither libhdrbatch-jxl.so nor libjxl.so.0.7: apt-get install libjxl0.7, or scripts/jxl");
    return;
  }
#define HDR_JXL_FIND(name) table.name = (__typeof__(table.name))need(library, #name);
  HDR_JXL_FUNCTIONS(HDR_JXL_FIND)
#undef HDR_JXL_FIND
  encoded_profile = need(library, "JxlDecoderGetColorAsEncodedProfile");
  icc_size = need(library, "JxlDecoderGetICCProfileSize");
  icc = need(library, "JxlDecoderGetColorAsICCProfile");
  if (missing[0]) return;
  has_format_argument = table.JxlDecoderVersion() < 9000;
  table.decode_icc = (__typeof__(table.decode_icc))dlsym(library, "JxlICCProfileDecode");
  if (threads) {
    JxlParallelRunner runner = (JxlParallelRunner)dlsym(threads, "JxlThreadParallelRunner");
    table.create_runner = (__typeof__(table.create_runner))dlsym(threads, "JxlThreadParallelRunnerCreate");
    table.destroy_runner = (__typeof__(table.destroy_runner))dlsym(threads, "JxlThreadParallelRunnerDestroy");
    if (table.create_runner && table.destroy_runner) table.runner = runner;
  }
  if (!table.runner) snprintf(missing, sizeof missing, "%s", threads_name);
  found = &table;
}

const struct hdr_jxl *hdr_jxl(void) {
  pthread_once(&once, look);
  return found;
}

const char *hdr_jxl_missing(void) {
  pthread_once(&once, look);
  return missing;
}

JxlDecoderStatus hdr_jxl_encoded_profile(const JxlDecoder *decoder, JxlColorProfileTarget target,
                                         JxlColorEncoding *encoding) {
  return has_format_argument ? ((encoded_profile_7 *)encoded_profile)(decoder, NULL, target, encoding)
                             : ((encoded_profile_9 *)encoded_profile)(decoder, target, encoding);
}

JxlDecoderStatus hdr_jxl_icc_profile(const JxlDecoder *decoder, JxlColorProfileTarget target, uint8_t *profile,
                                     size_t *bytes) {
  if (!profile)
    return has_format_argument ? ((icc_size_7 *)icc_size)(decoder, NULL, target, bytes)
                               : ((icc_size_9 *)icc_size)(decoder, target, bytes);
  return has_format_argument ? ((icc_7 *)icc)(decoder, NULL, target, profile, *bytes)
                             : ((icc_9 *)icc)(decoder, target, profile, *bytes);
}

/* Each block has its size in front, at a distance that keeps it aligned. */
enum { front = 64 };

static void *take(void *opaque, size_t size) {
  struct hdr_jxl_memory *memory = opaque;
  size_t held = __atomic_load_n(&memory->held, __ATOMIC_RELAXED);
  char *block = NULL;
  if (size <= memory->limit && held <= memory->limit - size && !posix_memalign((void **)&block, front, size + front)) {
    memcpy(block, &size, sizeof size);
    __atomic_add_fetch(&memory->held, size, __ATOMIC_RELAXED);
    return block + front;
  }
  __atomic_store_n(&memory->refused, size, __ATOMIC_RELAXED);
  return NULL;
}

static void give_back(void *opaque, void *address) {
  struct hdr_jxl_memory *memory = opaque;
  if (!address) return;
  size_t size;
  memcpy(&size, (char *)address - front, sizeof size);
  __atomic_sub_fetch(&memory->held, size, __ATOMIC_RELAXED);
  free((char *)address - front);
}

JxlMemoryManager hdr_jxl_manager(struct hdr_jxl_memory *memory) {
  return (JxlMemoryManager){.opaque = memory, .alloc = take, .free = give_back};
}
