/* Samples of camera raw files by LibRaw, from memory: opened and unpacked, never processed. Nothing is linked with it:
   libhdrbatch-raw.so of scripts/raw or the system's libraw_r is opened at run time. The system's must have the version of the
   header at compile time, because its structures are read. Files are checked by the caller before a handle is opened. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version, such as "0.20.2-Release"; NULL: LibRaw is missing, see hdr_raw_missing. It is opened once in a
   process. */
const char *_Nullable hdr_raw_version(void);
/* Returns the reason in one line; it is never empty when hdr_raw_version gives NULL. */
const char *_Nonnull hdr_raw_missing(void);

/* The types of samples, known after hdr_raw_unpack. */
enum { HDR_RAW_NONE, HDR_RAW_U16, HDR_RAW_U16X3, HDR_RAW_U16X4, HDR_RAW_F32, HDR_RAW_F32X3, HDR_RAW_F32X4 };
/* The most rows and columns of a pattern of filters; facts have 0 without one, -1: a pattern that is not read. */
enum { HDR_RAW_PATTERN_ROWS = 8 };

struct hdr_raw_facts {
  /* The size of all samples; the part that the camera shows. */
  int32_t raw_width, raw_height, left, top, width, height;
  /* The flip of dcraw: 1 mirrors rows, 2 columns, 4 exchanges them, in that order. */
  int32_t flip;
  /* The number of the camera's colours: 1 or 3; 4: a pattern of other colours. */
  int32_t colors;
  int32_t pattern_rows, pattern_columns;
  /* The letters of the filters from the corner of the shown part, row by row. */
  char pattern[HDR_RAW_PATTERN_ROWS * HDR_RAW_PATTERN_ROWS];
  /* The black of each place of that pattern, or of each colour without one; and of a second pattern, to be added. */
  uint32_t black[HDR_RAW_PATTERN_ROWS * HDR_RAW_PATTERN_ROWS];
  int32_t more_rows, more_columns;
  uint32_t more_black[64];
  uint32_t white;
  /* The gains of red, green, blue that make the scene's white neutral; 0: not known. */
  float gains[3];
  /* The matrix from XYZ to camera at D65, row by row; 0: not known. */
  float xyz_to_camera[9];
  char make[64], model[64];
  const char *_Nullable decoder;
};

struct hdr_raw;

/* Opens a file in memory, which must be valid until hdr_raw_close; LibRaw takes at most `memory_mb` for samples. A
   refused file also gives a handle, for its message. NULL: no memory, or the library is missing. */
struct hdr_raw *_Nullable hdr_raw_open(const uint8_t *_Nonnull bytes, size_t count, unsigned memory_mb);
void hdr_raw_close(struct hdr_raw *_Nonnull file);
/* Return 0, or LibRaw's number of the last error; and its message. */
int hdr_raw_status(const struct hdr_raw *_Nonnull file);
const char *_Nonnull hdr_raw_error(const struct hdr_raw *_Nonnull file);
void hdr_raw_describe(struct hdr_raw *_Nonnull file, struct hdr_raw_facts *_Nonnull facts);
/* Unpacks the samples and returns hdr_raw_status, which is also LIBRAW_IO_ERROR if samples continue after the end of
   the file. Memory for samples is zero before they are read. */
int hdr_raw_unpack(struct hdr_raw *_Nonnull file);
/* Returns the number of places with damaged samples. */
int hdr_raw_damage(const struct hdr_raw *_Nonnull file);
/* Returns the JPEG that the camera rendered; NULL: there is none. It is valid as long as the handle, and does not need
   unpacked samples. */
const void *_Nullable hdr_raw_preview(struct hdr_raw *_Nonnull file, size_t *_Nonnull bytes);
/* Returns the samples, row after row of `pitch` bytes; NULL with HDR_RAW_NONE. */
const void *_Nullable hdr_raw_samples(const struct hdr_raw *_Nonnull file, int *_Nonnull kind, size_t *_Nonnull pitch);

#ifdef __cplusplus
}
#endif
