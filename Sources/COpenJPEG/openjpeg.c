#include "COpenJPEG.h"

#include <openjpeg-2.5/openjpeg.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CRunTime.h"

#define FUNCTIONS(each)                                                                                             \
  each(opj_version) each(opj_create_decompress) each(opj_destroy_codec) each(opj_set_default_decoder_parameters)    \
      each(opj_setup_decoder) each(opj_decoder_set_strict_mode) each(opj_set_error_handler)                         \
          each(opj_stream_create) each(opj_stream_destroy) each(opj_stream_set_read_function)                       \
              each(opj_stream_set_skip_function) each(opj_stream_set_seek_function) each(opj_stream_set_user_data)  \
                  each(opj_stream_set_user_data_length) each(opj_read_header) each(opj_decode)                      \
                      each(opj_end_decompress) each(opj_image_destroy)

static struct {
#define MEMBER(name) __typeof__(name) *name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} opj;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char version[16], missing[256];

static void look(void) {
#define WANTED(function) HDR_WANTED(opj, function)
  static const struct hdr_wanted wanted[] = {FUNCTIONS(WANTED)};
#undef WANTED
  if (!hdr_open_library("libopenjp2.so.7", wanted, sizeof wanted / sizeof *wanted, missing, sizeof missing)) return;
  snprintf(version, sizeof version, "%s", opj.opj_version());
}

const char *hdr_opj_version(void) {
  pthread_once(&once, look);
  return version[0] ? version : NULL;
}

const char *hdr_opj_missing(void) {
  pthread_once(&once, look);
  return missing;
}

/* A stream over the caller's memory. */
struct source {
  const uint8_t *bytes;
  size_t count, position;
};

static OPJ_SIZE_T on_read(void *out, OPJ_SIZE_T wanted, void *user) {
  struct source *source = user;
  size_t left = source->count - source->position;
  if (!left) return (OPJ_SIZE_T)-1;
  if (wanted > left) wanted = left;
  memcpy(out, source->bytes + source->position, wanted);
  source->position += wanted;
  return wanted;
}

static OPJ_OFF_T on_skip(OPJ_OFF_T distance, void *user) {
  struct source *source = user;
  if (distance < 0) return -1;
  size_t left = source->count - source->position;
  if ((uint64_t)distance > left) distance = (OPJ_OFF_T)left;
  source->position += (size_t)distance;
  return distance;
}

static OPJ_BOOL on_seek(OPJ_OFF_T place, void *user) {
  struct source *source = user;
  if (place < 0 || (uint64_t)place > source->count) return OPJ_FALSE;
  source->position = (size_t)place;
  return OPJ_TRUE;
}

/* The first word is the cause; texts of the file may be in it. */
static void on_error(const char *text, void *user) {
  char *message = user;
  if (message[0] || !text) return;
  snprintf(message, 160, "%.*s", (int)strcspn(text, "\n"), text);
  for (char *at = message; *at; at++)
    if ((unsigned char)*at < 32 || (unsigned char)*at > 126) *at = '?';
}

struct hdr_opj_picture {
  opj_image_t *image;
};

/* Returns 1 if the picture is the one that the caller has read of, with samples once it is decoded. */
static int fits(const opj_image_t *image, const struct hdr_opj_request *request, int is_decoded) {
  if (!image || (int)image->numcomps != request->components) return 0;
  if (image->x1 - image->x0 != request->width || image->y1 - image->y0 != request->height) return 0;
  for (int index = 0; index < request->components; index++) {
    const opj_image_comp_t *component = &image->comps[index];
    if (component->dx != 1 || component->dy != 1 || component->prec < 1 || component->prec > 16) return 0;
    if ((int)component->sgnd != request->is_signed) return 0;
    if (component->w != request->width || component->h != request->height) return 0;
    if (is_decoded && !component->data) return 0;
  }
  return 1;
}

static int run(opj_codec_t *codec, opj_stream_t *stream, const struct hdr_opj_request *request, opj_image_t **image,
               char message[160]) {
  opj_dparameters_t parameters;
  opj.opj_set_default_decoder_parameters(&parameters);
  if (!opj.opj_setup_decoder(codec, &parameters) || !opj.opj_decoder_set_strict_mode(codec, OPJ_TRUE)) return 0;
  if (!opj.opj_read_header(stream, codec, image)) return 0;
  if (!fits(*image, request, 0)) {
    on_error("it takes the picture for another", message);
    return 0;
  }
  if (!opj.opj_decode(codec, stream, *image) || !opj.opj_end_decompress(codec, stream)) return 0;
  return fits(*image, request, 1);
}

struct hdr_opj_picture *hdr_opj_decode(const struct hdr_opj_request *request, char message[160]) {
  message[0] = 0;
  if (!hdr_opj_version()) {
    snprintf(message, 160, "%.150s", missing);
    return NULL;
  }
  struct source source = {request->bytes, request->count, 0};
  struct hdr_opj_picture *picture = calloc(1, sizeof *picture);
  opj_codec_t *codec = opj.opj_create_decompress(OPJ_CODEC_J2K);
  opj_stream_t *stream = opj.opj_stream_create(1 << 16, OPJ_TRUE);
  int is_done = 0;
  if (picture && codec && stream) {
    opj.opj_set_error_handler(codec, on_error, message);
    opj.opj_stream_set_read_function(stream, on_read);
    opj.opj_stream_set_skip_function(stream, on_skip);
    opj.opj_stream_set_seek_function(stream, on_seek);
    opj.opj_stream_set_user_data(stream, &source, NULL);
    opj.opj_stream_set_user_data_length(stream, request->count);
    is_done = run(codec, stream, request, &picture->image, message);
    if (!is_done) on_error("the code stream is refused", message);
  } else {
    on_error("out of memory", message);
  }
  if (stream) opj.opj_stream_destroy(stream);
  if (codec) opj.opj_destroy_codec(codec);
  if (is_done) return picture;
  if (picture && picture->image) opj.opj_image_destroy(picture->image);
  free(picture);
  return NULL;
}

const int32_t *hdr_opj_samples(const struct hdr_opj_picture *picture, int component, uint32_t *bits) {
  *bits = picture->image->comps[component].prec;
  return picture->image->comps[component].data;
}

void hdr_opj_close(struct hdr_opj_picture *picture) {
  opj.opj_image_destroy(picture->image);
  free(picture);
}
