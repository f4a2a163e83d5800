#pragma once
#include <stddef.h>
#include <stdint.h>

/// OpenEXR's library decodes chunks of PIZ, PXR24, B44, B44A. It is opened at run time (libOpenEXRCore-3_1.so.30) and
/// sees a header that the caller has made, and one chunk at a time; never a file.

/// Returns the reason why the library is missing, in one line; NULL: it is there. It is opened once.
const char *hdr_exr_missing(void);

/// Gets the library's version, three numbers; zeros if it is missing.
void hdr_exr_version(int numbers[3]);

/// A decoder of one part. For one thread.
typedef struct hdr_exr_part hdr_exr_part;

/// The place of a chunk in its part.
typedef struct {
  /// The column and row of a tile, or, for scan lines, the first row `y`.
  int is_tile;
  int32_t x, y;
  /// The size in pixels.
  int32_t width, height;
  int compression;
} hdr_exr_chunk;

/// Opens a part.
/// - Parameters:
///   - header: a file without pixels: magic number, version, attributes, one zero byte; valid until `hdr_exr_close`.
///   - most_memory: the bytes that the library may allocate.
///   - message: gets the reason if NULL is returned.
hdr_exr_part *hdr_exr_open(const uint8_t *header, size_t count, size_t most_memory, char message[160]);

/// Decodes a compressed chunk, smaller than `size`, to `size` bytes: row by row, in each row all channels, as stored.
/// - Returns: 0, or the library's code, with `message`.
int hdr_exr_unpack(
    hdr_exr_part *part, const hdr_exr_chunk *chunk, const uint8_t *bytes, size_t count, uint8_t *out, size_t size,
    char message[160]);

void hdr_exr_close(hdr_exr_part *part);

/// ZIP and RLE store all even bytes, then all odd ones, each as its difference from the one before, plus 128.

/// Restores the original bytes; `count` is even. `bytes` is overwritten.
void hdr_exr_merge(uint8_t *bytes, size_t count, uint8_t *out);
/// Joins even and odd bytes in their original order.
void hdr_exr_join(const uint8_t *bytes, size_t count, uint8_t *out);
/// Splits bytes into even and odd ones; `count` is even.
void hdr_exr_split(const uint8_t *bytes, size_t count, uint8_t *out);
/// Makes the differences without reordering.
void hdr_exr_differences(const uint8_t *bytes, size_t count, uint8_t *out);

/// Expands runs of RLE: n >= 0: a byte repeated n + 1 times; n < 0: -n bytes.
/// - Returns: the number of bytes; `SIZE_MAX` if it is not `room`.
size_t hdr_exr_runs_read(const uint8_t *bytes, size_t count, uint8_t *out, size_t room);
/// Makes runs of RLE.
/// - Returns: the number of bytes; 0: they do not fit into `room`.
size_t hdr_exr_runs(const uint8_t *bytes, size_t count, uint8_t *out, size_t room);

/// Splits a row of halves R, G, B, A: low bytes go to `low` and high ones to `high`, as planes A, B, G, R (B, G, R
/// without alpha) of `count` bytes each.
void hdr_exr_take_rgba(const uint16_t *pixels, size_t count, int has_alpha, uint8_t *low, uint8_t *high);

/// Copies a row of halves of one channel to places `step` bytes apart.
void hdr_exr_halves(const uint8_t *from, size_t count, uint8_t *out, size_t step);
/// Interleaves four channels of a row.
void hdr_exr_rgba(
    const uint8_t *r, const uint8_t *g, const uint8_t *b, const uint8_t *a, size_t count, uint8_t *out);
/// Converts integers (`type` 0), halves (1) or binary32 (2) to finite binary32: NaN becomes 0, magnitudes are at most
/// 2^20 (halves 65504), and those below 2^-30 become 0. Returns the number of those that were NaN or infinite.
size_t hdr_exr_floats(const uint8_t *from, int type, size_t count, float *out);

/// libzstd decodes frames of ZSTD chunks. It is opened at run time, once.

/// Returns the reason why libzstd is missing, in one line; NULL: it is there.
const char *hdr_exr_zstd_missing(void);
const char *hdr_exr_zstd_version(void);

/// Decodes a frame.
/// - Returns: the number of bytes; `SIZE_MAX` if it is damaged or takes more than `room`.
size_t hdr_exr_zstd(const uint8_t *bytes, size_t count, uint8_t *out, size_t room);

/// Sums differences of neighbours up to `count` samples of 2 or 4 bytes.
/// - Parameter planes: the lowest bytes of all differences; the next bytes follow `stride` bytes later.
void hdr_exr_sums(const uint8_t *planes, size_t stride, size_t count, int bytes, uint8_t *out);

/// Decodes Huffman codes of 16-bit words, as in PIZ and DWA.
/// - Returns: 1, or 0 if they are damaged or not `room` words.
int hdr_exr_huffman(const uint8_t *bytes, size_t count, uint16_t *out, size_t room);

/// Decodes DWA's 8x8 blocks to planes of halves: one, or R, G and B from Y', Cb, Cr of BT.709.
/// - Parameters:
///   - ac, ac_count: the coefficients after the first of each block; 0xff00 ends a block, 0xffnn are nn zeros.
///   - dc: the first coefficients of all blocks of a component, then those of the next component.
///   - linear: a table of 65 536 halves from the blocks' codes to light; NULL: the codes are light.
/// - Returns: the number of coefficients of `ac` that were used.
size_t hdr_exr_blocks(
    const uint16_t *ac, size_t ac_count, const uint16_t *dc, size_t width, size_t height, int components,
    const uint16_t *linear, uint16_t *const planes[3]);

void hdr_exr_limit_alpha(float *alpha, size_t count);

/// The chroma RY and BY of the rows around a row, for every second column or (`shift` 0) for all.
typedef struct {
  const float *above[2], *below[2];
  size_t samples;
  int shift;
  /// The weights of luminance.
  float red, blue, green_inverse;
} hdr_exr_chroma;

/// Converts `count` pixels of a row of Y from `first` on: R = (RY + 1) Y, B = (BY + 1) Y,
/// G = (Y - red R - blue B) / green.
void hdr_exr_of_luma(const hdr_exr_chroma *chroma, const float *luma, size_t first, size_t count, float *rgb[3]);

/// Set colour to 0 where alpha is not above 0; halves are interleaved, alpha last.
void hdr_exr_clear_halves(uint16_t *pixels, size_t count, size_t channels);
void hdr_exr_clear_floats(float *color, const float *alpha, size_t count);
