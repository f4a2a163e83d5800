/* Strips and tiles of TIFF files by libtiff, from memory. Nothing is linked with it: libtiff.so.6 (4.5 or newer) is
   looked for at run time. Directories are checked by the caller before a handle is opened. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Such as "4.5.0"; NULL: libtiff is not there, and hdr_tiff_missing says why. Looked for once in a process. */
const char *_Nullable hdr_tiff_version(void);
/* One line; never empty when hdr_tiff_version gives NULL. */
const char *_Nonnull hdr_tiff_missing(void);

struct hdr_tiff;

/* A file in memory, which must live until hdr_tiff_close, at the directory with this position in the file. libtiff
   allocates at most `most` bytes at once, and prints nothing. NULL: no memory, or no such library. A handle whose
   directory libtiff refuses is there all the same, for its message; hdr_tiff_is_ready says which. */
struct hdr_tiff *_Nullable hdr_tiff_open(const uint8_t *_Nonnull bytes, size_t count, uint64_t directory, int64_t most);
void hdr_tiff_close(struct hdr_tiff *_Nonnull file);
int hdr_tiff_is_ready(const struct hdr_tiff *_Nonnull file);
/* First error and first warning so far; "" without one. They live until the handle is closed. */
const char *_Nonnull hdr_tiff_error(const struct hdr_tiff *_Nonnull file);
const char *_Nonnull hdr_tiff_warning(const struct hdr_tiff *_Nonnull file);

/* Whether this build of libtiff decodes a compression. */
int hdr_tiff_decodes(uint16_t compression);
/* JPEG in Y'CbCr comes out as R'G'B'. 0 when libtiff refuses. */
int hdr_tiff_want_rgb(struct hdr_tiff *_Nonnull file);
/* Bytes of a decoded strip or tile as libtiff sees them; 0 on overflow. */
int64_t hdr_tiff_block_bytes(struct hdr_tiff *_Nonnull file, int is_tiled);
/* Decodes a strip or tile into `out` and gives its bytes, at most `capacity`; -1 with hdr_tiff_error. */
int64_t hdr_tiff_read(struct hdr_tiff *_Nonnull file, int is_tiled, uint32_t index, void *_Nonnull out, int64_t capacity);

#ifdef __cplusplus
}
#endif
