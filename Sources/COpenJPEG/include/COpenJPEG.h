/* Code streams of JPEG 2000 and HTJ2K by OpenJPEG, from memory. Nothing is linked with it: libopenjp2.so.7 is opened at run
   time. It sees code streams alone, whose heads the caller has checked. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version, such as "2.5.0"; NULL: OpenJPEG is missing, see hdr_opj_missing. It is opened once in a process. */
const char *_Nullable hdr_opj_version(void);
/* Returns the reason in one line; it is never empty when hdr_opj_version gives NULL. */
const char *_Nonnull hdr_opj_missing(void);

/* What the caller has read of a code stream, and what OpenJPEG must find in it. */
struct hdr_opj_request {
  const uint8_t *_Nonnull bytes;
  size_t count;
  uint32_t width, height;
  int components;
  /* 1 if all samples are signed, else 0. */
  int is_signed;
};

struct hdr_opj_picture;

/* Decodes all samples on this thread, in strict mode. NULL: `message` has the reason. */
struct hdr_opj_picture *_Nullable hdr_opj_decode(
    const struct hdr_opj_request *_Nonnull request, char message[_Nonnull 160]);
/* Returns the samples of a component, row by row, and the bits that each has. */
const int32_t *_Nonnull hdr_opj_samples(
    const struct hdr_opj_picture *_Nonnull picture, int component, uint32_t *_Nonnull bits);
void hdr_opj_close(struct hdr_opj_picture *_Nonnull picture);

#ifdef __cplusplus
}
#endif
