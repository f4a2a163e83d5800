#pragma once
#include <stddef.h>
#include <stdint.h>

/// Chunks of OpenEXR that the library decodes: PIZ, PXR24, B44, B44A, DWAA, DWAB. It is opened at run time
/// (libOpenEXRCore-3_1.so.30) and sees a header that the caller has made, and one chunk at a time; never a file.

/// Why the library is not there, in one line; NULL: it is. Looked for once.
const char *hdr_exr_missing(void);

/// Its version, three numbers; zeros where it is not there.
void hdr_exr_version(int numbers[3]);

/// A part by its header. For one thread.
typedef struct hdr_exr_part hdr_exr_part;

/// Where a chunk lies in its part.
typedef struct {
  /// Rows from `first` on, or the tile of these numbers.
  int is_tile;
  int32_t x, y;
  /// Pixels.
  int32_t width, height;
  int compression;
} hdr_exr_chunk;

/// - Parameters:
///   - header: a file without pixels: magic number, version, attributes, one zero byte. Must stay until `hdr_exr_close`.
///   - most_memory: what the library may allocate, in bytes.
///   - message: gets the reason for NULL.
hdr_exr_part *hdr_exr_open(const uint8_t *header, size_t count, size_t most_memory, char message[160]);

/// Decodes a compressed chunk, smaller than `size`, to `size` bytes: rows, in each its channels, as stored.
/// - Returns: 0, or the library's code, with `message`.
int hdr_exr_unpack(
    hdr_exr_part *part, const hdr_exr_chunk *chunk, const uint8_t *bytes, size_t count, uint8_t *out, size_t size,
    char message[160]);

void hdr_exr_close(hdr_exr_part *part);

/// Bytes of ZIP and RLE: all even ones, then all odd ones, each as its difference from the one before, plus 128.

/// Back from that; `count` is even. `bytes` is used up.
void hdr_exr_merge(uint8_t *bytes, size_t count, uint8_t *out);
/// Even bytes and odd ones, side by side again.
void hdr_exr_join(const uint8_t *bytes, size_t count, uint8_t *out);
/// The differences alone.
void hdr_exr_differences(const uint8_t *bytes, size_t count, uint8_t *out);

/// Runs of RLE: n >= 0, a byte that comes n + 1 times; n < 0, -n bytes.
/// - Returns: bytes made; `SIZE_MAX`: not `room`.
size_t hdr_exr_runs_read(const uint8_t *bytes, size_t count, uint8_t *out, size_t room);
/// - Returns: bytes made; 0: they do not fit `room`.
size_t hdr_exr_runs(const uint8_t *bytes, size_t count, uint8_t *out, size_t room);

/// A row of halves R, G, B, A, of which the first bytes go to `low` and the second ones to `high`: A, B, G, R (B, G, R
/// without alpha), each `count` bytes.
void hdr_exr_take_rgba(const uint16_t *pixels, size_t count, int has_alpha, uint8_t *low, uint8_t *high);

/// Halves of a row, one channel, to every `step` bytes.
void hdr_exr_halves(const uint8_t *from, size_t count, uint8_t *out, size_t step);
/// Four channels of a row, interleaved.
void hdr_exr_rgba(
    const uint8_t *r, const uint8_t *g, const uint8_t *b, const uint8_t *a, size_t count, uint8_t *out);
/// Halves (`is_half`) or binary32 as finite binary32: NaN is 0, at most 2^20 (halves 65504), magnitudes below
/// 2^-30 are 0.
void hdr_exr_floats(const uint8_t *from, int is_half, size_t count, float *out);

void hdr_exr_limit_alpha(float *alpha, size_t count);

/// Chroma RY and BY around a row, of every second column or (`shift` 0) of all.
typedef struct {
  const float *above[2], *below[2];
  size_t samples;
  int shift;
  /// Weights of luminance.
  float red, blue, green_inverse;
} hdr_exr_chroma;

/// `count` pixels from `first` on of a row of Y: R = (RY + 1) Y, B = (BY + 1) Y, G = (Y - red R - blue B) / green.
void hdr_exr_of_luma(const hdr_exr_chroma *chroma, const float *luma, size_t first, size_t count, float *rgb[3]);

/// Colour is 0 where alpha is not above 0; interleaved halves, alpha last.
void hdr_exr_clear_halves(uint16_t *pixels, size_t count, size_t channels);
void hdr_exr_clear_floats(float *color, const float *alpha, size_t count);
