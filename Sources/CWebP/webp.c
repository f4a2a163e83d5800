#include "CWebP.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <webp/decode.h>

#include "CRunTime.h"

#define FUNCTIONS(each)                                                                                             \
  each(WebPGetDecoderVersion) each(WebPGetFeaturesInternal) each(WebPInitDecoderConfigInternal) each(WebPDecode)    \
      each(WebPFreeDecBuffer)

static struct {
#define MEMBER(name) __typeof__(name) *name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} webp;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char version[16], missing[256];

static void look(void) {
#define WANTED(function) HDR_WANTED(webp, function)
  static const struct hdr_wanted wanted[] = {FUNCTIONS(WANTED)};
#undef WANTED
  if (!hdr_open_library("libwebp.so.7", wanted, sizeof wanted / sizeof *wanted, missing, sizeof missing)) return;
  int number = webp.WebPGetDecoderVersion();
  snprintf(version, sizeof version, "%d.%d.%d", number >> 16 & 255, number >> 8 & 255, number & 255);
}

const char *hdr_webp_version(void) {
  pthread_once(&once, look);
  return version[0] ? version : NULL;
}

const char *hdr_webp_missing(void) {
  pthread_once(&once, look);
  return missing;
}

int hdr_webp_decode(
    const uint8_t *bytes, size_t count, int width, int height, int has_alpha, uint8_t *out, size_t stride, size_t room) {
  if (!hdr_webp_version()) return HDR_WEBP_MISSING;
  WebPDecoderConfig config;
  if (!webp.WebPInitDecoderConfigInternal(&config, WEBP_DECODER_ABI_VERSION)) return VP8_STATUS_UNSUPPORTED_FEATURE;
  int code = webp.WebPGetFeaturesInternal(bytes, count, &config.input, WEBP_DECODER_ABI_VERSION);
  if (code != VP8_STATUS_OK) return code;
  if (config.input.width != width || config.input.height != height || stride > INT_MAX) return HDR_WEBP_OTHER_SIZE;
  config.options.use_threads = 0;
  config.output.colorspace = has_alpha ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = (WebPRGBABuffer){.rgba = out, .stride = (int)stride, .size = room};
  code = webp.WebPDecode(bytes, count, &config);
  webp.WebPFreeDecBuffer(&config.output);
  return code;
}

const char *hdr_webp_message(int code) {
  switch (code) {
    case HDR_WEBP_OTHER_SIZE: return "it takes the picture for one of another size";
    case VP8_STATUS_OUT_OF_MEMORY: return "out of memory";
    case VP8_STATUS_BITSTREAM_ERROR: return "the bit stream is damaged";
    case VP8_STATUS_NOT_ENOUGH_DATA: return "the bit stream ends too early";
    case VP8_STATUS_UNSUPPORTED_FEATURE: return "a feature that it does not support";
    default: return "no reason given";
  }
}
