/* libhdrbatch-avcodec.so: one HEVC still by libavcodec, all or nothing. Compiled by scripts/avcodec in the source tree of
   FFmpeg 5.1, whose decoder's own state it looks at: libavcodec shows pictures with holes, and only that state tells.
   Not part of the Swift package. */
#include "CAVCodec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "libavcodec/avcodec.h"
#include "libavcodec/codec_internal.h"
#include "libavcodec/hevcdec.h"
#include "libavutil/avutil.h"
#include "libavutil/ffversion.h"
#include "libavutil/intreadwrite.h"
#include "libavutil/log.h"
#include "libavutil/mem.h"
#include "libavutil/pixdesc.h"

#if LIBAVCODEC_VERSION_MAJOR != 59
#error "written for the decoder of FFmpeg 5.1"
#endif

extern const FFCodec ff_hevc_decoder;

struct decoder {
  AVCodecContext *context;
  AVPacket *packet;
  AVFrame *frame;
  /* Slice segments that were begun. */
  int slices;
  /* The first complaint. */
  char message[200];
};

/* Where complaints of this thread's decoder go. */
static __thread struct decoder *current;

static void take_message(void *object, int level, const char *format, va_list arguments) {
  (void)object;
  if (level > AV_LOG_ERROR || !current || current->message[0]) return;
  vsnprintf(current->message, sizeof current->message, format, arguments);
  current->message[strcspn(current->message, "\n")] = 0;
}

static void close_decoder(void *object) {
  struct decoder *d = object;
  avcodec_free_context(&d->context);
  av_packet_free(&d->packet);
  av_frame_free(&d->frame);
  av_free(d);
}

static int refuse(struct decoder *d, int code, const char *why) {
  if (!d->message[0]) snprintf(d->message, sizeof d->message, "%s", why);
  return code;
}

/* Residuals of luma that chroma takes, which only 4:4:4 may have (H.265 clause 7.4.3.3.2). In 4:2:2 libavcodec then leaves out
   the lower half of chroma blocks. */
static int takes_luma_wrongly(const HEVCParamSets *sets) {
  return sets->pps->cross_component_prediction_enabled_flag && sets->sps->chroma_format_idc != 3;
}

/* Decodes a slice segment, in place of avcodec_default_execute. One that is cut short goes on in zeros until the picture
   is full; then its last bin was not end_of_slice_segment_flag (H.265 clause 9.3.4.3.5: the arithmetic decoder's offset
   stays at or above its range only when terminating). */
static int run(AVCodecContext *context, int (*work)(AVCodecContext *, void *), void *arguments, int *results, int count,
               int size) {
  const HEVCContext *state = context->priv_data;
  for (int i = 0; i < count; i++) {
    current->slices++;
    int result = takes_luma_wrongly(&state->ps)
                     ? refuse(current, AVERROR_INVALIDDATA, "cross-component prediction without 4:4:4")
                     : work(context, (char *)arguments + i * size);
    const CABACContext *cabac = &state->HEVClc->cc;
    if (result >= 0 && cabac->low < cabac->range << (CABAC_BITS + 1))
      result = refuse(current, AVERROR_INVALIDDATA, "a slice ends too early");
    if (results) results[i] = result;
  }
  return 0;
}

static void *open_decoder(int64_t most_pixels) {
  av_log_set_callback(take_message);
  struct decoder *d = av_mallocz(sizeof *d);
  if (!d) return NULL;
  d->context = avcodec_alloc_context3(&ff_hevc_decoder.p);
  d->packet = av_packet_alloc();
  d->frame = av_frame_alloc();
  if (!d->context || !d->packet || !d->frame) {
    close_decoder(d);
    return NULL;
  }
  /* In the calling thread; the first error ends it, a wrong checksum too; the window to the sample. */
  d->context->thread_count = 1;
  d->context->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
  d->context->flags = AV_CODEC_FLAG_UNALIGNED;
  d->context->max_pixels = most_pixels;
  if (avcodec_open2(d->context, &ff_hevc_decoder.p, NULL) < 0) {
    close_decoder(d);
    return NULL;
  }
  d->context->execute = run;
  return d;
}

/* Zeros behind a slice, which count as padding (H.265 clause B.2.1): what one that is cut short goes on in. */
enum { ZEROS = 8 };

static uint32_t zeros_behind(const uint8_t *unit, uint32_t size) { return size > 0 && unit[0] >> 1 < 32 ? ZEROS : 0; }

static int fill(AVPacket *packet, const uint8_t *units, size_t bytes) {
  size_t all = bytes;
  for (size_t at = 0; at < bytes;) {
    if (bytes - at < 4 || bytes - at - 4 < AV_RB32(units + at)) return AVERROR_INVALIDDATA;
    uint32_t size = AV_RB32(units + at);
    all += zeros_behind(units + at + 4, size);
    at += 4 + (size_t)size;
  }
  if (all > INT32_MAX - AV_INPUT_BUFFER_PADDING_SIZE) return AVERROR_INVALIDDATA;
  int result = av_new_packet(packet, (int)all);
  if (result < 0) return result;
  uint8_t *to = packet->data;
  for (size_t at = 0; at < bytes;) {
    const uint8_t *unit = units + at + 4;
    uint32_t size = AV_RB32(units + at), zeros = zeros_behind(unit, size);
    AV_WB32(to, size + zeros);
    memcpy(to + 4, unit, size);
    memset(to + 4 + size, 0, zeros);
    to += 4 + (size_t)size + zeros;
    at += 4 + (size_t)size;
  }
  return 0;
}

/* Tools that this version reads past, or that a profile behind the range extensions brings. */
static int is_beyond(const HEVCSPS *sps) {
  int profile = sps->ptl.general_ptl.profile_idc;
  return profile < 1 || profile > 4 || sps->extended_precision_processing_flag ||
         sps->high_precision_offsets_enabled_flag || sps->cabac_bypass_alignment_enabled_flag;
}

static int decode(void *object, const uint8_t *units, size_t bytes, struct hdr_hevc_picture *picture) {
  struct decoder *d = object;
  HEVCContext *state = d->context->priv_data;
  memset(picture, 0, sizeof *picture);
  d->message[0] = 0;
  d->slices = 0;
  current = d;
  int result = fill(d->packet, units, bytes);
  if (result == 0) {
    state->is_nalff = 1;
    state->nal_length_size = 4;
    result = avcodec_send_packet(d->context, d->packet);
    av_packet_unref(d->packet);
  }
  if (result == 0) result = avcodec_send_packet(d->context, NULL);
  if (result == 0) result = avcodec_receive_frame(d->context, d->frame);
  current = NULL;
  if (state->ps.sps && is_beyond(state->ps.sps)) return refuse(d, HDR_HEVC_UNSUPPORTED, "tools that it does not know");
  if (result == AVERROR(ENOSYS) || result == AVERROR_PATCHWELCOME)
    return refuse(d, HDR_HEVC_UNSUPPORTED, "not implemented");
  /* It wants more of parameter sets than a still picture needs, a VPS for one. */
  if (result < 0 && d->slices == 0) return refuse(d, HDR_HEVC_UNSUPPORTED, "parameter sets that it does not take");
  if (result < 0) {
    char text[AV_ERROR_MAX_STRING_SIZE];
    return refuse(d, result, av_make_error_string(text, sizeof text, result));
  }

  /* Every coding tree block must have come: the buffer of a picture holds whatever was there before. */
  const HEVCSPS *sps = state->ps.sps;
  if (!sps || !state->tab_slice_address) return refuse(d, AVERROR_INVALIDDATA, "no picture");
  for (int block = 0; block < sps->ctb_width * sps->ctb_height; block++)
    if (state->tab_slice_address[block] < 0) return refuse(d, AVERROR_INVALIDDATA, "parts of the picture are missing");
  if (d->frame->decode_error_flags || (d->frame->flags & AV_FRAME_FLAG_CORRUPT))
    return refuse(d, AVERROR_INVALIDDATA, "the picture is damaged");

  picture->width = d->frame->width;
  picture->height = d->frame->height;
  picture->bit_depth = sps->bit_depth;
  picture->chroma_format = sps->chroma_format_idc;
  for (int plane = 0; plane < (sps->chroma_format_idc ? 3 : 1); plane++) {
    picture->planes[plane] = d->frame->data[plane];
    picture->strides[plane] = d->frame->linesize[plane];
  }
  return 0;
}

static const char *message(void *object) { return ((struct decoder *)object)->message; }

__attribute__((visibility("default"))) const struct hdr_avcodec *hdr_avcodec_table(void) {
  static const struct hdr_avcodec table = {
      HDR_AVCODEC_INTERFACE, AV_STRINGIFY(LIBAVCODEC_VERSION) " (FFmpeg " FFMPEG_VERSION ")", open_decoder, decode, message,
      close_decoder};
  return &table;
}
