/* Samples of JPEG XR code streams by libjxr, from memory. Nothing is linked with it: libjxrglue.so.0 and libjpegxr.so.0
   are opened at run time. The library sees a container that the caller has made, of fields that the caller has checked;
   never a file. Damaged code streams can still make it crash: it runs where that costs one picture. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the library's interface, "1.1"; it states no other. NULL: the library is missing, see
   hdr_jxr_missing. It is opened once in a process. */
const char *_Nullable hdr_jxr_version(void);
/* Returns the reason in one line; it is never empty when hdr_jxr_version gives NULL. */
const char *_Nonnull hdr_jxr_missing(void);

/* The places of alpha: none, in the same code stream, in one of its own. */
enum { HDR_JXR_OPAQUE, HDR_JXR_INTERLEAVED, HDR_JXR_PLANAR };

struct hdr_jxr_request {
  /* The container: one IFD with the format, the size and the places of code streams. */
  const uint8_t *_Nonnull bytes;
  size_t count;
  /* The size as coded, before the orientation, which is not applied. */
  uint32_t width, height;
  /* The bytes of a pixel by its format. */
  uint32_t pixel_bytes;
  int alpha;
};

/* Decodes all samples. Returns rows of `stride` bytes, which hdr_jxr_free frees; NULL: `message` has the reason, and
   `code` the library's number, 0 without one. Rows are zero before they are decoded. */
uint8_t *_Nullable hdr_jxr_decode(
    const struct hdr_jxr_request *_Nonnull request, size_t *_Nonnull stride, long *_Nonnull code,
    char message[_Nonnull 160]);
void hdr_jxr_free(uint8_t *_Nullable samples);

#ifdef __cplusplus
}
#endif
