#include "COpenEXR.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

#include "CRunTime.h"

static struct {
  __typeof__(ZSTD_versionString) *version;
  __typeof__(ZSTD_decompress) *decompress;
  __typeof__(ZSTD_isError) *is_error;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char missing[160];

static void look(void) {
  static const struct hdr_wanted wanted[] = {
      {"ZSTD_versionString", &library.version},
      {"ZSTD_decompress", &library.decompress},
      {"ZSTD_isError", &library.is_error},
  };
  // A bundle has one of its own name, which libtiff uses too.
  static const char *const names[] = {"libhdrbatch-zstd.so.1", "libzstd.so.1"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    missing[0] = 0;
    if (hdr_open_library(names[i], wanted, sizeof wanted / sizeof *wanted, missing, sizeof missing)) return;
  }
}

const char *hdr_exr_zstd_missing(void) {
  pthread_once(&once, look);
  return missing[0] ? missing : NULL;
}

const char *hdr_exr_zstd_version(void) { return hdr_exr_zstd_missing() ? "" : library.version(); }

size_t hdr_exr_zstd(const uint8_t *bytes, size_t count, uint8_t *out, size_t room) {
  if (hdr_exr_zstd_missing()) return SIZE_MAX;
  const size_t made = library.decompress(out, room, bytes, count);
  return library.is_error(made) || made > room ? SIZE_MAX : made;
}

void hdr_exr_sums(const uint8_t *planes, size_t stride, size_t count, int bytes, uint8_t *out) {
  if (bytes == 2) {
    uint16_t sum = 0;
    for (size_t i = 0; i < count; i++) {
      sum = (uint16_t)(sum + (planes[i] | planes[stride + i] << 8));
      memcpy(out + 2 * i, &sum, 2);
    }
  } else {
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
      sum += planes[i] | (uint32_t)planes[stride + i] << 8 | (uint32_t)planes[2 * stride + i] << 16
             | (uint32_t)planes[3 * stride + i] << 24;
      memcpy(out + 4 * i, &sum, 4);
    }
  }
}
