/* Samples of camera raw files by LibRaw, from memory: opened and unpacked, never processed. Nothing is linked with it:
   libraw_r is looked for at run time, of the version whose header this is compiled with, because its structures are
   read. Files are checked by the caller before a handle is opened. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Such as "0.20.2-Release"; NULL: LibRaw is not there, and hdr_raw_missing says why. Looked for once in a process. */
const char *_Nullable hdr_raw_version(void);
/* One line; never empty when hdr_raw_version gives NULL. */
const char *_Nonnull hdr_raw_missing(void);

/* Types of samples, known after hdr_raw_unpack. */
enum { HDR_RAW_NONE, HDR_RAW_U16, HDR_RAW_U16X3, HDR_RAW_U16X4, HDR_RAW_F32, HDR_RAW_F32X3, HDR_RAW_F32X4 };
/* Rows and columns of the pattern of filters; 0 without one, -1: a pattern that is not read. */
enum { HDR_RAW_PATTERN_ROWS = 8 };

struct hdr_raw_facts {
  /* All samples; what the camera shows of them. */
  int32_t raw_width, raw_height, left, top, width, height;
  /* dcraw's: 1 mirrors rows, 2 columns, 4 exchanges them, in that order. */
  int32_t flip;
  /* Colours of the camera: 1 or 3, 4 are others. */
  int32_t colors;
  int32_t pattern_rows, pattern_columns;
  /* Letters of the filters from the corner of what is shown, row by row. */
  char pattern[HDR_RAW_PATTERN_ROWS * HDR_RAW_PATTERN_ROWS];
  /* Black of each place of that pattern, or of each colour without one; and of a second pattern, to be added. */
  uint32_t black[HDR_RAW_PATTERN_ROWS * HDR_RAW_PATTERN_ROWS];
  int32_t more_rows, more_columns;
  uint32_t more_black[64];
  uint32_t white;
  /* Gains of red, green, blue that make the scene's white neutral; 0: not known. */
  float gains[3];
  /* XYZ to camera at D65, row by row; 0: not known. */
  float xyz_to_camera[9];
  char make[64], model[64];
  const char *_Nullable decoder;
};

struct hdr_raw;

/* A file in memory, which must live until hdr_raw_close; LibRaw takes at most `memory_mb` for samples. A handle whose
   file is refused is there all the same, for its message. NULL: no memory, or no such library. */
struct hdr_raw *_Nullable hdr_raw_open(const uint8_t *_Nonnull bytes, size_t count, unsigned memory_mb);
void hdr_raw_close(struct hdr_raw *_Nonnull file);
/* 0, or LibRaw's number of what went wrong last; and its words. */
int hdr_raw_status(const struct hdr_raw *_Nonnull file);
const char *_Nonnull hdr_raw_error(const struct hdr_raw *_Nonnull file);
void hdr_raw_describe(struct hdr_raw *_Nonnull file, struct hdr_raw_facts *_Nonnull facts);
/* Gives hdr_raw_status: LIBRAW_IO_ERROR too where samples go on beyond the end of the file. Memory for samples is zero
   before they are read. */
int hdr_raw_unpack(struct hdr_raw *_Nonnull file);
/* Places where samples were damaged. */
int hdr_raw_damage(const struct hdr_raw *_Nonnull file);
/* The JPEG that the camera rendered; NULL: there is none. It lives as long as the handle. Samples need not be there. */
const void *_Nullable hdr_raw_preview(struct hdr_raw *_Nonnull file, size_t *_Nonnull bytes);
/* The samples, row after row of `pitch` bytes; NULL with HDR_RAW_NONE. */
const void *_Nullable hdr_raw_samples(const struct hdr_raw *_Nonnull file, int *_Nonnull kind, size_t *_Nonnull pitch);

#ifdef __cplusplus
}
#endif
