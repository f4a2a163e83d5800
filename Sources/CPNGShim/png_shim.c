// libpng reports errors with longjmp. It must not cross a Swift frame, so the whole decode is one C function.
#include "CPNGShim.h"
#include "plain.h"

#include <limits.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct {
  const uint8_t *bytes;
  size_t count;
  size_t at;
  hdr_png_result *result;
  // Where the IDAT chunks are, when their pixels are had: libpng sees an empty one in their place.
  size_t first;
  size_t behind;
  size_t empty;
} reader;

// An IDAT chunk with a zlib stream of nothing.
static const uint8_t no_pixels[] = {0, 0, 0, 8, 'I', 'D', 'A', 'T', 0x78, 1, 3, 0, 0, 0, 0, 1, 0xC6, 0x19, 0x9E, 0x2E};

static void keep(char *into, size_t size, const char *text) {
  strncpy(into, text ? text : "unknown", size - 1);
  into[size - 1] = 0;
}

static void on_error(png_structp png, png_const_charp text) {
  reader *r = png_get_error_ptr(png);
  if (r->result->status == HDR_PNG_OK) r->result->status = HDR_PNG_FAILED;
  keep(r->result->message, sizeof r->result->message, text);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  reader *r = png_get_error_ptr(png);
  if (r->result->warning[0] == 0) keep(r->result->warning, sizeof r->result->warning, text);
}

static void on_read(png_structp png, png_bytep out, size_t count) {
  reader *r = png_get_io_ptr(png);
  // libpng reads heads, names, payloads and checksums one by one, so that no read reaches over a chunk's end.
  if (r->behind > 0 && r->at == r->first) {
    if (count > sizeof no_pixels - r->empty) png_error(png, "the file ends too early");
    memcpy(out, no_pixels + r->empty, count);
    r->empty += count;
    if (r->empty == sizeof no_pixels) r->at = r->behind;
    return;
  }
  if (count > r->count - r->at) {
    r->result->status = HDR_PNG_TRUNCATED;
    png_error(png, "the file ends too early");
  }
  memcpy(out, r->bytes + r->at, count);
  r->at += count;
}

// With `first` and `behind`: everything but the pixels.
static void read_with_libpng(
  const uint8_t *bytes, size_t count, const hdr_png_layout *layout, uint32_t side_limit, uint8_t *pixels,
  size_t row_bytes, size_t first, size_t behind, hdr_png_result *result) {
  memset(result, 0, sizeof *result);
  reader r = {bytes, count, 0, result, first, behind, 0};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info) {
    if (png) png_destroy_read_struct(&png, NULL, NULL);
    result->status = HDR_PNG_NO_MEMORY;
    return;
  }
  // Neither pointer changes after setjmp, so both may be read in the branch it returns to.
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    return;
  }
  png_set_read_fn(png, &r, on_read);
  png_set_user_limits(png, side_limit, side_limit);
  png_set_chunk_malloc_max(png, 8u << 20);
  png_set_chunk_cache_max(png, 128);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  // Damage at the end of the pixel stream is reported as a warning, which the caller judges.
  png_set_benign_errors(png, 1);
  // Text, profiles and light metadata are read elsewhere, under limits of their own.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);

  png_read_info(png, info);
  int color = png_get_color_type(png, info), depth = png_get_bit_depth(png, info);
  if (color == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (color == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(png);
  if (png_get_valid(png, info, PNG_INFO_tRNS)) png_set_tRNS_to_alpha(png);
  if (depth == 16) png_set_swap(png);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);

  if (png_get_image_width(png, info) != layout->width || png_get_image_height(png, info) != layout->height ||
      png_get_bit_depth(png, info) != layout->bit_depth || png_get_channels(png, info) != layout->channels ||
      png_get_rowbytes(png, info) > row_bytes) {
    result->status = HDR_PNG_LAYOUT;
    png_error(png, "the pixels are not as the header says");
  }
  for (int pass = 0; pass < passes && behind == 0; pass++) {
    for (uint32_t y = 0; y < layout->height; y++) png_read_row(png, pixels + (size_t)y * row_bytes, NULL);
  }
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
}

void hdr_png_read(
  const uint8_t *bytes, size_t count, const hdr_png_layout *layout, uint32_t side_limit, uint8_t *pixels,
  size_t row_bytes, hdr_png_result *result) {
  size_t first, behind;
  if (!layout->by_libpng && hdr_png_plain(bytes, count, layout, pixels, row_bytes, &first, &behind)) {
    // libpng's warnings about the other chunks are still reported.
    read_with_libpng(bytes, count, layout, side_limit, pixels, row_bytes, first, behind, result);
    if (result->status == HDR_PNG_OK) return;
  }
  read_with_libpng(bytes, count, layout, side_limit, pixels, row_bytes, 0, 0, result);
}

ptrdiff_t hdr_zlib_inflate(const uint8_t *in, size_t in_count, uint8_t *out, size_t capacity) {
  if (in_count > UINT_MAX || capacity > UINT_MAX) return -1;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (inflateInit(&stream) != Z_OK) return -1;
  stream.next_in = (Bytef *)in;
  stream.avail_in = (uInt)in_count;
  stream.next_out = out;
  stream.avail_out = (uInt)capacity;
  int status = inflate(&stream, Z_FINISH);
  ptrdiff_t made = (ptrdiff_t)stream.total_out;
  int full = stream.avail_out == 0;
  inflateEnd(&stream);
  if (status == Z_STREAM_END) return made;
  return full ? -2 : -1;
}

uint32_t hdr_png_version(void) { return png_access_version_number(); }
