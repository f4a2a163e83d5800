#include "CTIFF.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#include "CRunTime.h"

#define FUNCTIONS(each)                                                                                             \
  each(TIFFGetVersion) each(TIFFOpenOptionsAlloc) each(TIFFOpenOptionsFree)                                         \
      each(TIFFOpenOptionsSetMaxSingleMemAlloc) each(TIFFOpenOptionsSetErrorHandlerExtR)                            \
          each(TIFFOpenOptionsSetWarningHandlerExtR) each(TIFFClientOpenExt) each(TIFFClose)                        \
              each(TIFFSetSubDirectory) each(TIFFIsCODECConfigured) each(TIFFSetField) each(TIFFStripSize64)        \
                  each(TIFFTileSize64) each(TIFFReadEncodedStrip) each(TIFFReadEncodedTile)                         \
                      each(TIFFSetErrorHandler) each(TIFFSetWarningHandler)             \
                          each(TIFFGetFieldDefaulted)

static struct {
#define MEMBER(name) __typeof__(name) *name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} tiff;

static const char name[] = "libtiff.so.6";
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char version[32], missing[256];

static void look(void) {
#define WANTED(function) HDR_WANTED(tiff, function)
  static const struct hdr_wanted wanted[] = {FUNCTIONS(WANTED)};
#undef WANTED
  if (!hdr_open_library(name, wanted, sizeof wanted / sizeof *wanted, missing, sizeof missing)) return;
  /* Codecs that know no handle speak to these. */
  tiff.TIFFSetErrorHandler(NULL);
  tiff.TIFFSetWarningHandler(NULL);
  /* "LIBTIFF, Version 4.5.0\nCopyright ..." */
  const char *text = tiff.TIFFGetVersion(), *number = strstr(text, "Version ");
  number = number ? number + 8 : text;
  snprintf(version, sizeof version, "%.*s", (int)strcspn(number, "\n"), number);
}

const char *hdr_tiff_version(void) {
  pthread_once(&once, look);
  return version[0] ? version : NULL;
}

const char *hdr_tiff_missing(void) {
  pthread_once(&once, look);
  return missing;
}

struct hdr_tiff {
  TIFF *handle;
  const uint8_t *bytes;
  uint64_t count, position;
  int is_ready;
  char error[256], warning[256];
};

static void keep(char *place, size_t size, const char *module, const char *format, va_list arguments) {
  if (place[0]) return;
  int used = module && module[0] ? snprintf(place, size, "%s: ", module) : 0;
  if (used < 0 || (size_t)used >= size) used = 0;
  vsnprintf(place + used, size - (size_t)used, format, arguments);
  /* Texts of the file may be in it. */
  for (char *at = place; *at; at++)
    if ((unsigned char)*at < 32 || (unsigned char)*at > 126) *at = '?';
}

static int on_error(TIFF *handle, void *user, const char *module, const char *format, va_list arguments) {
  (void)handle;
  struct hdr_tiff *file = user;
  keep(file->error, sizeof file->error, module, format, arguments);
  return 1;
}

static int on_warning(TIFF *handle, void *user, const char *module, const char *format, va_list arguments) {
  (void)handle;
  struct hdr_tiff *file = user;
  keep(file->warning, sizeof file->warning, module, format, arguments);
  return 1;
}

static tmsize_t on_read(thandle_t user, void *out, tmsize_t wanted) {
  struct hdr_tiff *file = user;
  if (wanted < 0 || file->position >= file->count) return 0;
  uint64_t left = file->count - file->position, taken = (uint64_t)wanted < left ? (uint64_t)wanted : left;
  memcpy(out, file->bytes + file->position, taken);
  file->position += taken;
  return (tmsize_t)taken;
}

static tmsize_t on_write(thandle_t user, void *bytes, tmsize_t count) {
  (void)user, (void)bytes, (void)count;
  return 0;
}

static toff_t on_seek(thandle_t user, toff_t offset, int whence) {
  struct hdr_tiff *file = user;
  if (whence == SEEK_CUR) offset += file->position;
  if (whence == SEEK_END) offset += file->count;
  return file->position = offset;
}

static int on_close(thandle_t user) {
  (void)user;
  return 0;
}

static toff_t on_size(thandle_t user) { return ((struct hdr_tiff *)user)->count; }

struct hdr_tiff *hdr_tiff_open(const uint8_t *bytes, size_t count, uint64_t directory, int64_t most) {
  if (!hdr_tiff_version()) return NULL;
  struct hdr_tiff *file = calloc(1, sizeof *file);
  TIFFOpenOptions *options = tiff.TIFFOpenOptionsAlloc();
  if (file && options) {
    file->bytes = bytes;
    file->count = count;
    tiff.TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)most);
    tiff.TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, file);
    tiff.TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, file);
    /* m: nothing is mapped. h: the header alone; the directory is chosen below. c: no strips cut into smaller ones. */
    file->handle = tiff.TIFFClientOpenExt(
        "TIFF", "rmhc", file, on_read, on_write, on_seek, on_close, on_size, NULL, NULL, options);
    file->is_ready = file->handle && tiff.TIFFSetSubDirectory(file->handle, directory) == 1;
  } else {
    free(file);
    file = NULL;
  }
  if (options) tiff.TIFFOpenOptionsFree(options);
  return file;
}

void hdr_tiff_close(struct hdr_tiff *file) {
  if (file->handle) tiff.TIFFClose(file->handle);
  free(file);
}

int hdr_tiff_is_ready(const struct hdr_tiff *file) { return file->is_ready; }
const char *hdr_tiff_error(const struct hdr_tiff *file) { return file->error; }
const char *hdr_tiff_warning(const struct hdr_tiff *file) { return file->warning; }

int hdr_tiff_decodes(uint16_t compression) {
  return hdr_tiff_version() && tiff.TIFFIsCODECConfigured(compression) == 1;
}

int hdr_tiff_want_rgb(struct hdr_tiff *file) {
  return tiff.TIFFSetField(file->handle, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB) == 1;
}

int hdr_tiff_want_floats(struct hdr_tiff *file) {
  return tiff.TIFFSetField(file->handle, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT) == 1;
}

int hdr_tiff_chroma(struct hdr_tiff *file, uint16_t *horizontal, uint16_t *vertical) {
  return tiff.TIFFGetFieldDefaulted(file->handle, TIFFTAG_YCBCRSUBSAMPLING, horizontal, vertical) == 1;
}

int64_t hdr_tiff_block_bytes(struct hdr_tiff *file, int is_tiled) {
  uint64_t bytes = is_tiled ? tiff.TIFFTileSize64(file->handle) : tiff.TIFFStripSize64(file->handle);
  return bytes > INT64_MAX ? 0 : (int64_t)bytes;
}

int64_t hdr_tiff_read(struct hdr_tiff *file, int is_tiled, uint32_t index, void *out, int64_t capacity) {
  return is_tiled ? tiff.TIFFReadEncodedTile(file->handle, index, out, (tmsize_t)capacity)
                  : tiff.TIFFReadEncodedStrip(file->handle, index, out, (tmsize_t)capacity);
}
