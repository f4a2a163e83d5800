/* Strips and tiles of TIFF files by libtiff, from memory. Nothing is linked with it: libtiff.so.6 (4.5 or newer) is
   opened at run time. Directories are checked by the caller before a handle is opened. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version, such as "4.5.0"; NULL: libtiff is missing, see hdr_tiff_missing. It is opened once in a
   process. */
const char *_Nullable hdr_tiff_version(void);
/* Returns the reason in one line; it is never empty when hdr_tiff_version gives NULL. */
const char *_Nonnull hdr_tiff_missing(void);

struct hdr_tiff;

/* Opens a file in memory, which must be valid until hdr_tiff_close, at the directory with this position in the file.
   libtiff allocates at most `most` bytes at once, and prints nothing. NULL: no memory, or the library is missing. A
   directory that libtiff refuses also gives a handle, for its message; hdr_tiff_is_ready is then 0. */
struct hdr_tiff *_Nullable hdr_tiff_open(const uint8_t *_Nonnull bytes, size_t count, uint64_t directory, int64_t most);
void hdr_tiff_close(struct hdr_tiff *_Nonnull file);
int hdr_tiff_is_ready(const struct hdr_tiff *_Nonnull file);
/* Return the first error, and the first warning, so far; "" without one. They are valid until the handle is closed. */
const char *_Nonnull hdr_tiff_error(const struct hdr_tiff *_Nonnull file);
const char *_Nonnull hdr_tiff_warning(const struct hdr_tiff *_Nonnull file);

/* Returns 1 if this build of libtiff decodes a compression. */
int hdr_tiff_decodes(uint16_t compression);
/* Makes libtiff convert JPEG in Y'CbCr to R'G'B'. 0 when libtiff refuses. */
int hdr_tiff_want_rgb(struct hdr_tiff *_Nonnull file);
/* Makes libtiff convert LogL to floats Y, LogLuv to floats X, Y, Z. 0 when libtiff refuses. */
int hdr_tiff_want_floats(struct hdr_tiff *_Nonnull file);
/* Gives the luma columns and rows of a chroma sample; of old JPEG as the JPEG says. 0 when libtiff refuses. */
int hdr_tiff_chroma(struct hdr_tiff *_Nonnull file, uint16_t *_Nonnull horizontal, uint16_t *_Nonnull vertical);
/* Returns the bytes of a decoded strip or tile by libtiff's calculation; 0 on overflow. */
int64_t hdr_tiff_block_bytes(struct hdr_tiff *_Nonnull file, int is_tiled);
/* Decodes a strip or tile into `out` and returns its bytes, at most `capacity`; -1 with hdr_tiff_error. */
int64_t hdr_tiff_read(struct hdr_tiff *_Nonnull file, int is_tiled, uint32_t index, void *_Nonnull out, int64_t capacity);

#ifdef __cplusplus
}
#endif
