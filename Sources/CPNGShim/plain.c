// This file decodes common PNGs faster than libpng, which works row by row: pictures of whole bytes that are not
// interlaced and need no expansion. ISA-L inflates them, and rows are unfiltered while they are in the cache. Everything
// else goes to libpng, which also decides whether a damaged file is refused. One difference remains: incomplete Huffman
// codes, which zlib refuses, are read here if the checksums fit.
#include "plain.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static uint32_t big_endian(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int is_data(const uint8_t *chunk) { return memcmp(chunk + 4, "IDAT", 4) == 0; }

/* Filters of W3C PNG clause 9.2, in place. `above` is the row before, unfiltered. */

static uint8_t paeth(int a, int b, int c) {
  int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
  return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

static void unfilter_bytes(int filter, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
  for (size_t i = 0; i < count; i++) {
    int a = i < step ? 0 : row[i - step], b = above[i], c = i < step ? 0 : above[i - step];
    row[i] = (uint8_t)(row[i] + (filter == 1 ? a : filter == 3 ? (a + b) / 2 : paeth(a, b, c)));
  }
}

#if defined(__SSE2__)
static inline __m128i load(const uint8_t *p, size_t step) {
  uint64_t word = 0;
  memcpy(&word, p, step);
  return _mm_cvtsi64_si128((long long)word);
}

static inline void store(uint8_t *p, __m128i v, size_t step) {
  uint64_t word = (uint64_t)_mm_cvtsi128_si64(v);
  memcpy(p, &word, step);
}

static inline __m128i select16(__m128i mask, __m128i yes, __m128i no) {
  return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

static inline __m128i magnitude16(__m128i v) { return _mm_max_epi16(v, _mm_sub_epi16(_mm_setzero_si128(), v)); }

/* A pixel at a time: each needs the one on its left. `step` is a constant wherever this is inlined. */
static inline void unfilter_pixels(int filter, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
  const __m128i zero = _mm_setzero_si128(), one = _mm_set1_epi8(1);
  __m128i left = zero, corner = zero;
  if (filter == 1) {
    for (size_t i = 0; i < count; i += step) {
      left = _mm_add_epi8(left, load(row + i, step));
      store(row + i, left, step);
    }
  } else if (filter == 3) {
    for (size_t i = 0; i < count; i += step) {
      __m128i up = load(above + i, step);
      // avg rounds up; the filter rounds down.
      __m128i mean = _mm_sub_epi8(_mm_avg_epu8(left, up), _mm_and_si128(_mm_xor_si128(left, up), one));
      left = _mm_add_epi8(mean, load(row + i, step));
      store(row + i, left, step);
    }
  } else {
    // In 16-bit lanes.
    for (size_t i = 0; i < count; i += step) {
      __m128i up = _mm_unpacklo_epi8(load(above + i, step), zero);
      __m128i a = _mm_sub_epi16(up, corner), b = _mm_sub_epi16(left, corner), c = _mm_add_epi16(a, b);
      a = magnitude16(a);
      b = magnitude16(b);
      c = magnitude16(c);
      __m128i least = _mm_min_epi16(c, _mm_min_epi16(a, b));
      __m128i nearest = select16(
          _mm_cmpeq_epi16(least, a), left, select16(_mm_cmpeq_epi16(least, b), up, corner));
      __m128i value = _mm_add_epi8(load(row + i, step), _mm_packus_epi16(nearest, nearest));
      store(row + i, value, step);
      corner = up;
      left = _mm_unpacklo_epi8(value, zero);
    }
  }
}
#endif

static int unfilter(int filter, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
  if (filter == 0) return 1;
  if (filter == 2) {
    for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(row[i] + above[i]);
    return 1;
  }
  if (filter > 4) return 0;
#if defined(__SSE2__)
  switch (step) {
  case 1: unfilter_pixels(filter, row, above, count, 1); return 1;
  case 2: unfilter_pixels(filter, row, above, count, 2); return 1;
  case 3: unfilter_pixels(filter, row, above, count, 3); return 1;
  case 4: unfilter_pixels(filter, row, above, count, 4); return 1;
  case 6: unfilter_pixels(filter, row, above, count, 6); return 1;
  case 8: unfilter_pixels(filter, row, above, count, 8); return 1;
  }
#endif
  unfilter_bytes(filter, row, above, count, step);
  return 1;
}

static void swap16(uint8_t *out, const uint8_t *in, size_t count) {
  for (size_t i = 0; i + 1 < count; i += 2) {
    uint16_t value;
    memcpy(&value, in + i, 2);
    value = (uint16_t)(value << 8 | value >> 8);
    memcpy(out + i, &value, 2);
  }
}

/* The next IDAT's payload into the inflater, when its checksum is right. */
static int feed(struct inflate_state *inflate, const uint8_t **next, const uint8_t *end) {
  if (*next == end) return 0;
  const uint8_t *chunk = *next;
  uint32_t length = big_endian(chunk);
  if (crc32_gzip_refl(0, chunk + 4, length + 4ull) != big_endian(chunk + 8 + length)) return 0;
  inflate->next_in = (uint8_t *)chunk + 8;
  inflate->avail_in = length;
  *next = chunk + 12 + length;
  return 1;
}

static int pixels_of(
    const uint8_t *data, const uint8_t *end, size_t rows, size_t row, size_t step, int is_wide, uint8_t *pixels,
    size_t row_bytes, struct inflate_state *inflate, uint8_t *memory, size_t piece_rows) {
  isal_inflate_init(inflate);
  inflate->crc_flag = ISAL_ZLIB;
  const size_t line = row + 1;
  /* The last row of the piece before, then the piece. */
  uint8_t *above = memory + 1, *piece = memory + line;
  memset(memory, 0, line);
  for (size_t y = 0; y < rows;) {
    size_t count = rows - y < piece_rows ? rows - y : piece_rows;
    inflate->next_out = piece;
    inflate->avail_out = (uint32_t)(count * line);
    while (inflate->avail_out > 0) {
      if (inflate->avail_in == 0 && !feed(inflate, &data, end)) return 0;
      uint32_t in = inflate->avail_in, out = inflate->avail_out;
      if (isal_inflate(inflate) != ISAL_DECOMP_OK) return 0;
      if (in == inflate->avail_in && out == inflate->avail_out) return 0;
    }
    for (size_t k = 0; k < count; k++, y++) {
      uint8_t *current = piece + k * line;
      if (!unfilter(current[0], current + 1, above, row, step)) return 0;
      above = current + 1;
      if (is_wide) swap16(pixels + y * row_bytes, above, row);
      else memcpy(pixels + y * row_bytes, above, row);
    }
    memcpy(memory + 1, above, row);
    above = memory + 1;
  }
  /* The stream ends here, with its checksum, and so do the chunks. */
  uint8_t rest;
  while (inflate->block_state != ISAL_BLOCK_FINISH) {
    inflate->next_out = &rest;
    inflate->avail_out = 1;
    if (inflate->avail_in == 0 && !feed(inflate, &data, end)) return 0;
    uint32_t in = inflate->avail_in;
    if (isal_inflate(inflate) != ISAL_DECOMP_OK || inflate->avail_out == 0) return 0;
    if (in == inflate->avail_in && inflate->block_state != ISAL_BLOCK_FINISH) return 0;
  }
  /* Bytes behind the checksum may lie in ISA-L's own register, where it keeps up to eight. */
  return inflate->avail_in == 0 && inflate->read_in_length < 8 && data == end;
}

int hdr_png_plain(
    const uint8_t *bytes, size_t count, const hdr_png_layout *layout, uint8_t *pixels, size_t row_bytes, size_t *first,
    size_t *behind) {
  /* Signature, IHDR and the first chunk's head. */
  if (count < 8 + 25 + 12 || big_endian(bytes + 8) != 13) return 0;
  const uint8_t *header = bytes + 16;
  uint32_t depth = header[8], color = header[9];
  uint32_t channels = color == 0 ? 1 : color == 2 ? 3 : color == 4 ? 2 : color == 6 ? 4 : 0;
  if (big_endian(header) != layout->width || big_endian(header + 4) != layout->height || depth != layout->bit_depth ||
      channels != layout->channels || (depth != 8 && depth != 16) || header[10] || header[11] || header[12])
    return 0;
  const size_t step = channels * depth / 8, row = layout->width * step, line = row + 1;
  if (row > row_bytes || row > 1u << 30 || layout->height == 0) return 0;

  /* The run of IDAT chunks; another one behind it is libpng's to judge. */
  size_t at = 8, start = 0, end = 0;
  while (count - at >= 12) {
    size_t length = big_endian(bytes + at);
    if (length > count - at - 12) return 0;
    if (is_data(bytes + at)) {
      if (end > 0 && end != at) return 0;
      if (start == 0) start = at;
      end = at + 12 + length;
    }
    at += 12 + length;
    if (memcmp(bytes + at - 8 - length, "IEND", 4) == 0) break;
  }
  /* A window of 32 KiB, no dictionary: what both inflaters read alike. */
  if (start == 0 || big_endian(bytes + start) < 2 || bytes[start + 8] != 0x78 || bytes[start + 9] & 0x20) return 0;

  /* Pieces fit into the second cache. */
  size_t piece_rows = ((size_t)256 << 10) / line;
  if (piece_rows == 0) piece_rows = 1;
  struct inflate_state *inflate = malloc(sizeof *inflate);
  uint8_t *memory = malloc((piece_rows + 1) * line);
  int done = inflate && memory &&
             pixels_of(bytes + start, bytes + end, layout->height, row, step, depth == 16, pixels, row_bytes, inflate,
                       memory, piece_rows);
  free(memory);
  free(inflate);
  *first = start;
  *behind = end;
  return done;
}
