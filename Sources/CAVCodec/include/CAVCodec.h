/* The interface of libhdrbatch-avcodec.so: FFmpeg's HEVC decoder for one still picture at a time. scripts/avcodec
   builds the library from Debian's source package and library/hevc.c. Nothing is linked with it; it is opened at run
   time. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the interface; it changes with every change of the structures and functions below. */
#define HDR_AVCODEC_INTERFACE 1

struct hdr_hevc_picture {
  /* The size of the conformance window, in luma samples. */
  int width, height;
  int bit_depth;
  /* chroma_format_idc, H.265 clause 6.2. */
  int chroma_format;
  /* The planes Y, Cb, Cr: 8-bit samples, or 16-bit ones for more than 8 bits; strides are in bytes. */
  const void *_Nullable planes[3];
  ptrdiff_t strides[3];
};

struct hdr_avcodec {
  int interface;
  /* The version, such as "59.37.100 (FFmpeg 5.1.9)". */
  const char *_Nonnull version;
  /* Makes a decoder; NULL: no memory. most_pixels: the limit for a coded picture with its padding; more is an error. */
  void *_Nullable (*_Nonnull open)(int64_t most_pixels);
  /* Decodes a picture. units: NAL units, each after its size in four bytes, most significant first: parameter sets,
     then one picture. The samples are valid until close. Returns 0; HDR_HEVC_UNSUPPORTED: this decoder does not support
     the stream, which may be valid or not, and no decoded slice is used; else a negative error number of libavcodec. */
  int (*_Nonnull decode)(void *_Nonnull decoder, const uint8_t *_Nonnull units, size_t bytes, struct hdr_hevc_picture *_Nonnull picture);
  /* Returns the reason why decode failed; it is valid until close. */
  const char *_Nonnull (*_Nonnull message)(void *_Nonnull decoder);
  void (*_Nonnull close)(void *_Nonnull decoder);
};

#define HDR_HEVC_UNSUPPORTED 1

/* Returns the library's functions. The library is opened once in a process: beside the program, in its run path, or in
   the system's folders. NULL: it is missing or unusable, see hdr_avcodec_missing. */
const struct hdr_avcodec *_Nullable hdr_avcodec(void);
/* Returns the reason in one line; it is never empty when hdr_avcodec gives NULL. */
const char *_Nonnull hdr_avcodec_missing(void);

#ifdef __cplusplus
}
#endif
