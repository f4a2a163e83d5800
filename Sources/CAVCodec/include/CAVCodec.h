/* What libhdrbatch-avcodec.so offers: FFmpeg's HEVC decoder for one still picture at a time. scripts/avcodec builds the
   library from Debian's source package and library/hevc.c; nothing is linked with it, it is looked for at run time. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every change of the structures and functions below. */
#define HDR_AVCODEC_INTERFACE 1

struct hdr_hevc_picture {
  /* Inside the conformance window, in luma samples. */
  int width, height;
  int bit_depth;
  /* chroma_format_idc, H.265 clause 6.2. */
  int chroma_format;
  /* Y, Cb, Cr: 8-bit samples, or 16-bit ones for more than 8 bits; bytes from row to row. */
  const void *_Nullable planes[3];
  ptrdiff_t strides[3];
};

struct hdr_avcodec {
  int interface;
  /* Such as "59.37.100 (FFmpeg 5.1.9)". */
  const char *_Nonnull version;
  /* NULL where there is no memory. most_pixels: of a coded picture with its padding; more is an error. */
  void *_Nullable (*_Nonnull open)(int64_t most_pixels);
  /* units: NAL units, each behind its size in four bytes, most significant first: parameter sets, then one picture.
     The samples live until close. 0; HDR_HEVC_UNSUPPORTED: not for this decoder, whether right or wrong, and no slice was
     looked at or none counts; otherwise a negative error number of libavcodec. */
  int (*_Nonnull decode)(void *_Nonnull decoder, const uint8_t *_Nonnull units, size_t bytes, struct hdr_hevc_picture *_Nonnull picture);
  /* Why decode failed; lives until close. */
  const char *_Nonnull (*_Nonnull message)(void *_Nonnull decoder);
  void (*_Nonnull close)(void *_Nonnull decoder);
};

#define HDR_HEVC_UNSUPPORTED 1

/* The library, looked for once in a process: beside the program, where its run path says, and where the system has its
   libraries. NULL: there is none, or hdr_avcodec_missing says what is wrong with it. */
const struct hdr_avcodec *_Nullable hdr_avcodec(void);
/* One line; never empty when hdr_avcodec gives NULL. */
const char *_Nonnull hdr_avcodec_missing(void);

#ifdef __cplusplus
}
#endif
