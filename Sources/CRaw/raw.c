#include "CRaw.h"

#include <dlfcn.h>
#include <libraw/libraw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CRunTime.h"
#include "raw.h"
#include "stream.h"

#define FUNCTIONS(each)                                                                                             \
  each(libraw_version) each(libraw_versionNumber) each(libraw_init) each(libraw_close)                              \
      each(libraw_unpack) each(libraw_unpack_thumb) each(libraw_strerror) each(libraw_set_dataerror_handler) each(libraw_COLOR)               \
          each(libraw_get_decoder_info)

static struct {
#define MEMBER(name) __typeof__(name) *name;
  FUNCTIONS(MEMBER)
#undef MEMBER
  /* LibRaw::open_datastream, which the interface for C has not. */
  int (*open_stream)(void *library, struct hdr_stream *stream);
  /* Of the libjpeg that LibRaw calls. */
  void (*jpeg_source)(void *decoder, const unsigned char *bytes, unsigned long count);
  /* Of OpenMP, which LibRaw may be built with: threads of its own are no use in a codec process. */
  void (*set_threads)(int);
} raw;

#define TEXT(number) #number
#define NAME(number) "libraw_r.so." TEXT(number)
#ifdef HDR_RAW_OWN
/* In scripts/raw: this file is inside the library that it opens. */
static const char name[] = HDR_RAW_OWN_NAME;
#else
static const char name[] = NAME(LIBRAW_SHLIB_CURRENT);
#endif
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char version[32], missing[256];

static void look(void) {
#define WANTED(function) HDR_WANTED(raw, function)
  static const struct hdr_wanted wanted[] = {
      FUNCTIONS(WANTED){"_ZN6LibRaw15open_datastreamEP26LibRaw_abstract_datastream", &raw.open_stream}};
#undef WANTED
  void *library = hdr_open_library(name, wanted, sizeof wanted / sizeof *wanted, missing, sizeof missing);
  if (!library) return;
  if (raw.libraw_versionNumber() >> 8 != LIBRAW_VERSION >> 8) {
    snprintf(missing, sizeof missing, "%s is version %s; this build needs %d.%d", name, raw.libraw_version(),
             LIBRAW_MAJOR_VERSION, LIBRAW_MINOR_VERSION);
    return;
  }
  *(void **)&raw.jpeg_source = dlsym(library, "jpeg_mem_src");
  raw.set_threads = (void (*)(int))dlsym(library, "omp_set_num_threads");
  snprintf(version, sizeof version, "%s", raw.libraw_version());
}

static const char *raw_version(void) {
  pthread_once(&once, look);
  return version[0] ? version : NULL;
}

static const char *raw_missing(void) {
  pthread_once(&once, look);
  return missing;
}

struct hdr_raw {
  libraw_data_t *data;
  struct hdr_stream stream;
  int status, damage;
};

/* Printed to the terminal otherwise; the constants' names changed their spelling. */
enum { no_messages = 1 | 2 };

static void on_damage(void *user, const char *file, const int offset) {
  (void)file, (void)offset;
  ((struct hdr_raw *)user)->damage++;
}

static struct hdr_raw *raw_open(const uint8_t *bytes, size_t count, unsigned memory_mb) {
  if (!raw_version()) return NULL;
  struct hdr_raw *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  file->data = raw.libraw_init(no_messages);
  if (!file->data) {
    free(file);
    return NULL;
  }
  raw.libraw_set_dataerror_handler(file->data, (data_callback)on_damage, file);
#if LIBRAW_MINOR_VERSION < 21
  libraw_output_params_t *options = &file->data->params;
  options->raw_processing_options &= ~(unsigned)LIBRAW_PROCESSING_CONVERTFLOAT_TO_INT;
#else
  libraw_raw_unpack_params_t *options = &file->data->rawparams;
  options->options &= ~(unsigned)LIBRAW_RAWOPTIONS_CONVERTFLOAT_TO_INT;
#endif
  options->use_rawspeed = 0;
  options->use_dngsdk = 0;
  options->max_raw_memory_mb = memory_mb;
  if (raw.set_threads) raw.set_threads(1);
  hdr_stream_open(&file->stream, bytes, count);
  file->stream.jpeg_source = raw.jpeg_source;
  file->status = raw.open_stream(file->data->parent_class, &file->stream);
  return file;
}

static void raw_close(struct hdr_raw *file) {
  raw.libraw_close(file->data);
  free(file);
}

static int raw_status(const struct hdr_raw *file) { return file->status; }
static int raw_damage(const struct hdr_raw *file) { return file->damage; }

static const char *raw_error(const struct hdr_raw *file) {
  const char *text = raw.libraw_strerror(file->status);
  return text ? text : "no reason given";
}

static int raw_unpack(struct hdr_raw *file) {
  if (raw.set_threads) raw.set_threads(1);
  libraw_decoder_info_t decoder = {0};
  raw.libraw_get_decoder_info(file->data, &decoder);
  hdr_stream_begin(&file->stream, file->data, decoder.decoder_name);
  file->status = raw.libraw_unpack(file->data);
  if (hdr_stream_end(&file->stream) && file->status == LIBRAW_SUCCESS) file->status = LIBRAW_IO_ERROR;
  return file->status;
}

static const void *raw_preview(struct hdr_raw *file, size_t *bytes) {
  *bytes = 0;
  if (raw.libraw_unpack_thumb(file->data) != LIBRAW_SUCCESS) return NULL;
  const libraw_thumbnail_t *preview = &file->data->thumbnail;
  if (preview->tformat != LIBRAW_THUMBNAIL_JPEG || !preview->thumb) return NULL;
  *bytes = preview->tlength;
  return preview->thumb;
}

/* Texts of the file are in it. */
static void copy_text(char *out, size_t size, const char *text, size_t most) {
  size_t count = strnlen(text, most < size - 1 ? most : size - 1);
  for (size_t at = 0; at < count; at++) out[at] = text[at] >= 32 && text[at] < 127 ? text[at] : '?';
  out[count] = 0;
}

static void raw_describe(struct hdr_raw *file, struct hdr_raw_facts *facts) {
  memset(facts, 0, sizeof *facts);
  libraw_data_t *data = file->data;
  facts->raw_width = data->sizes.raw_width;
  facts->raw_height = data->sizes.raw_height;
  facts->left = data->sizes.left_margin;
  facts->top = data->sizes.top_margin;
  facts->width = data->sizes.width;
  facts->height = data->sizes.height;
  facts->flip = data->sizes.flip;
  facts->colors = data->idata.colors;
  unsigned filters = data->idata.filters;
  int side = filters == LIBRAW_XTRANS ? 6 : 8;
  facts->pattern_rows = filters == 0 ? 0 : filters == LIBRAW_XTRANS || filters > 1000 ? side : -1;
  facts->pattern_columns = facts->pattern_rows > 0 ? side : 0;
  for (int row = 0; row < facts->pattern_rows; row++)
    for (int column = 0; column < side; column++) {
      int color = raw.libraw_COLOR(data, row, column) & 3;
      facts->pattern[row * side + column] = data->idata.cdesc[color];
      facts->black[row * side + column] = data->color.black + data->color.cblack[color];
    }
  if (facts->pattern_rows == 0)
    for (int color = 0; color < 4; color++) facts->black[color] = data->color.black + data->color.cblack[color];
  unsigned rows = data->color.cblack[4], columns = data->color.cblack[5];
  if (rows && columns && rows <= 8 && columns <= 8) {
    facts->more_rows = (int32_t)rows;
    facts->more_columns = (int32_t)columns;
    memcpy(facts->more_black, data->color.cblack + 6, rows * columns * sizeof *facts->more_black);
  } else if (rows && columns) {
    facts->more_rows = -1;
  }
  facts->white = data->color.maximum;
  memcpy(facts->gains, data->color.cam_mul, sizeof facts->gains);
  memcpy(facts->xyz_to_camera, data->color.cam_xyz, sizeof facts->xyz_to_camera);
  copy_text(facts->make, sizeof facts->make, data->idata.make, sizeof data->idata.make);
  copy_text(facts->model, sizeof facts->model, data->idata.model, sizeof data->idata.model);
  libraw_decoder_info_t decoder;
  if (raw.libraw_get_decoder_info(data, &decoder) == LIBRAW_SUCCESS) facts->decoder = decoder.decoder_name;
}

static const void *raw_samples(const struct hdr_raw *file, int *kind, size_t *pitch) {
  const libraw_rawdata_t *data = &file->data->rawdata;
  size_t width = file->data->sizes.raw_width;
  const struct {
    int kind;
    const void *samples;
    size_t bytes;
  } all[] = {
      {HDR_RAW_U16, data->raw_image, 2},         {HDR_RAW_U16X3, data->color3_image, 6},
      {HDR_RAW_U16X4, data->color4_image, 8},    {HDR_RAW_F32, data->float_image, 4},
      {HDR_RAW_F32X3, data->float3_image, 12},   {HDR_RAW_F32X4, data->float4_image, 16},
  };
  for (size_t index = 0; index < sizeof all / sizeof *all; index++)
    if (all[index].samples) {
      *kind = all[index].kind;
      *pitch = file->data->sizes.raw_pitch ? file->data->sizes.raw_pitch : width * all[index].bytes;
      /* Not all decoders say it. */
      if (*pitch < width * all[index].bytes) *pitch = width * all[index].bytes;
      return all[index].samples;
    }
  *kind = HDR_RAW_NONE;
  *pitch = 0;
  return NULL;
}

const struct hdr_raw_table *HDR_RAW_TABLE(void) {
  static const struct hdr_raw_table table = {
      HDR_RAW_INTERFACE, raw_version, raw_missing, raw_open,    raw_close,    raw_status,
      raw_damage,        raw_error,   raw_unpack,  raw_preview, raw_describe, raw_samples,
  };
  return &table;
}
