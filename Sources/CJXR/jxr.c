/* The library's headers want this where there is no Windows. */
#define __ANSI__
#include <JXRGlue.h>

#include "CJXR.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CRunTime.h"

static struct {
  __typeof__(PKCreateFactory) *PKCreateFactory;
  __typeof__(PKImageDecode_Create_WMP) *PKImageDecode_Create_WMP;
} glue;

static struct {
  __typeof__(CreateWS_Memory) *CreateWS_Memory;
} streams;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char missing[256];
static int is_there;

static void look(void) {
  static const struct hdr_wanted in_streams[] = {HDR_WANTED(streams, CreateWS_Memory)};
  static const struct hdr_wanted in_glue[] = {HDR_WANTED(glue, PKCreateFactory) HDR_WANTED(glue, PKImageDecode_Create_WMP)};
  if (!hdr_open_library("libjpegxr.so.0", in_streams, 1, missing, sizeof missing)) return;
  if (!hdr_open_library("libjxrglue.so.0", in_glue, 2, missing, sizeof missing)) return;
  /* The structures of the headers are those of one version, which the library is asked for. */
  PKFactory *factory = NULL;
  if (Failed(glue.PKCreateFactory(&factory, PK_SDK_VERSION)) || !factory) {
    snprintf(missing, sizeof missing, "libjxrglue.so.0 has not the interface of version 1.1");
    return;
  }
  factory->Release(&factory);
  is_there = 1;
}

const char *hdr_jxr_version(void) {
  pthread_once(&once, look);
  return is_there ? "1.1" : NULL;
}

const char *hdr_jxr_missing(void) {
  pthread_once(&once, look);
  return missing;
}

static void tell(char message[160], const char *text) { snprintf(message, 160, "%s", text); }

/* Rows begin where the library's own are fastest. It writes whole macroblocks of 16 rows into the last rows, and reads
   128 bytes beyond them. */
enum { alignment = 128, macroblock = 16 };

static uint8_t *room(const struct hdr_jxr_request *request, size_t *stride) {
  size_t rows = ((size_t)request->height + macroblock - 1) / macroblock * macroblock, bytes;
  size_t columns = ((size_t)request->width + macroblock - 1) / macroblock * macroblock;
  if (__builtin_mul_overflow(columns, (size_t)request->pixel_bytes, stride)) return NULL;
  *stride = (*stride + alignment - 1) / alignment * alignment;
  if (*stride > UINT32_MAX || __builtin_mul_overflow(*stride, rows, &bytes)) return NULL;
  void *memory = NULL;
  if (__builtin_add_overflow(bytes, (size_t)alignment, &bytes) || posix_memalign(&memory, alignment, bytes)) return NULL;
  memset(memory, 0, bytes);
  return memory;
}

static long run(PKImageDecode *decoder, struct WMPStream *stream, const struct hdr_jxr_request *request, uint8_t *out,
                size_t stride, char message[160]) {
  long code = decoder->Initialize(decoder, stream);
  if (Failed(code)) {
    tell(message, "the head of the code stream is refused");
    return code;
  }
  if (decoder->uWidth != request->width || decoder->uHeight != request->height) {
    tell(message, "it takes the picture for one of another size");
    return WMP_errInvalidParameter;
  }
  /* Whole rows in the order of the code stream: the library cannot turn pictures. */
  decoder->WMP.wmiI.oOrientation = O_NONE;
  /* Its own flag means a code stream of its own; interleaved alpha comes with the colours. */
  decoder->WMP.bHasAlpha = request->alpha == HDR_JXR_PLANAR;
  decoder->WMP.wmiSCP.uAlphaMode = request->alpha == HDR_JXR_OPAQUE ? 0 : 2;
  const PKRect all = {0, 0, (I32)request->width, (I32)request->height};
  code = decoder->Copy(decoder, &all, out, (U32)stride);
  if (Failed(code)) tell(message, "the code stream is refused");
  return code;
}

uint8_t *hdr_jxr_decode(const struct hdr_jxr_request *request, size_t *stride, long *code, char message[160]) {
  *code = 0;
  message[0] = 0;
  if (!hdr_jxr_version()) {
    tell(message, missing);
    return NULL;
  }
  uint8_t *out = room(request, stride);
  struct WMPStream *stream = NULL;
  PKImageDecode *decoder = NULL;
  if (!out || Failed(streams.CreateWS_Memory(&stream, (void *)(uintptr_t)request->bytes, request->count)) ||
      Failed(glue.PKImageDecode_Create_WMP(&decoder)))
    tell(message, "out of memory");
  else
    *code = run(decoder, stream, request, out, *stride, message);
  if (decoder) decoder->Release(&decoder);
  if (stream) stream->Close(&stream);
  if (message[0]) {
    free(out);
    return NULL;
  }
  return out;
}

void hdr_jxr_free(uint8_t *samples) { free(samples); }
