/* Pictures of WebP files by libwebp, from memory. Nothing is linked with it: libwebp.so.7 is opened at run time. The
   library sees a file of one picture that the caller has made of checked parts. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version, such as "1.2.4"; NULL: libwebp is missing, see hdr_webp_missing. It is opened once in a process. */
const char *_Nullable hdr_webp_version(void);
/* Returns the reason in one line; it is never empty when hdr_webp_version gives NULL. */
const char *_Nonnull hdr_webp_missing(void);

/* The results beside libwebp's own codes, which are above 0. */
enum { HDR_WEBP_OK = 0, HDR_WEBP_OTHER_SIZE = -1, HDR_WEBP_MISSING = -2 };

/* Decodes a file of one picture into rows of R, G, B and, with `has_alpha`, straight alpha, on this thread.
   HDR_WEBP_OTHER_SIZE: it is not of this size. */
int hdr_webp_decode(
    const uint8_t *_Nonnull bytes, size_t count, int width, int height, int has_alpha, uint8_t *_Nonnull out,
    size_t stride, size_t room);
/* Returns a code of libwebp in words. */
const char *_Nonnull hdr_webp_message(int code);

#ifdef __cplusplus
}
#endif
