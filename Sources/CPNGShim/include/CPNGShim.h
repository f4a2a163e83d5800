#pragma once
#include <stddef.h>
#include <stdint.h>

/// The expected layout of a PNG's pixels, from IHDR, PLTE and tRNS, which the caller has read.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// The depth after expansion: 8 or 16.
  uint32_t bit_depth;
  /// The channels after expansion of palettes and transparency: 1 grey, 2 grey and alpha, 3 R G B, 4 R G B A.
  uint32_t channels;
  /// 1: libpng decodes all, for comparison. 0: plain pictures are inflated and unfiltered here, with equal results.
  uint32_t by_libpng;
} hdr_png_layout;

enum {
  HDR_PNG_OK = 0,
  /// libpng failed; `message` has the reason.
  HDR_PNG_FAILED = 1,
  /// The file ended too early.
  HDR_PNG_TRUNCATED = 2,
  /// The pixels do not match the layout.
  HDR_PNG_LAYOUT = 3,
  HDR_PNG_NO_MEMORY = 4,
};

typedef struct {
  int status;
  char message[160];
  /// The first warning of libpng, empty for none.
  char warning[160];
} hdr_png_result;

/// Decodes the pixels of a PNG in memory: rows top-down, `row_bytes` apart, 16-bit samples little-endian, palettes and
/// fewer than 8 bits expanded, transparency keys converted to alpha, interlaced pictures joined.
///
/// Ancillary chunks are skipped, with their CRC checked; a wrong CRC anywhere is a failure. `side_limit` limits both
/// sides. No state outlives the call; calls may run on many threads.
void hdr_png_read(
  const uint8_t *bytes, size_t count, const hdr_png_layout *layout, uint32_t side_limit, uint8_t *pixels,
  size_t row_bytes, hdr_png_result *result);

/// Inflates a zlib stream into `out`, at most `capacity` bytes.
///
/// Returns the size, -1 when the stream is damaged or ends early, -2 when it does not fit.
ptrdiff_t hdr_zlib_inflate(const uint8_t *in, size_t in_count, uint8_t *out, size_t capacity);

/// Returns the version of the libpng in use: major * 10000 + minor * 100 + release.
uint32_t hdr_png_version(void);
