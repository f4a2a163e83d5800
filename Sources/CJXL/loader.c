#include "CJXL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CRunTime.h"

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

/* Opens the library, with its functions; NULL: `why` says what is missing, empty where no file has the name. */
static void *open_named(const char *name, char *why, size_t room) {
#define WANTED(name) HDR_WANTED(table, name)
  static const struct hdr_wanted wanted[] = {
      HDR_JXL_FUNCTIONS(WANTED)
      {"JxlDecoderGetColorAsEncodedProfile", &encoded_profile},
      {"JxlDecoderGetICCProfileSize", &icc_size},
      {"JxlDecoderGetColorAsICCProfile", &icc},
  };
#undef WANTED
  void *library = hdr_open_library(name, wanted, sizeof wanted / sizeof *wanted, why, room);
  /* A library that is there and lacks another one names that. */
  size_t length = strlen(name);
  if (!library && !strncmp(why, name, length) && why[length] == ':') why[0] = 0;
  return library;
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
    char why[sizeof missing];
    library = open_named(names[index][0], why, sizeof why);
    if (library) threads = dlopen(threads_name = names[index][1], RTLD_NOW | RTLD_LOCAL);
    else if (!missing[0]) memcpy(missing, why, sizeof why);
  }
  if (!library) {
    if (missing[0]) return;
    snprintf(missing, sizeof missing, "neither libhdrbatch-jxl.so nor libjxl.so.0.7: apt-get install libjxl0.7, or scripts/jxl");
    return;
  }
  missing[0] = 0;
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
