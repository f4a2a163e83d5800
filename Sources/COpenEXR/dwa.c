// Pieces of DWA, which OpenEXR's C library 3.1 does not decode: Huffman codes as in PIZ, and blocks of an 8x8 cosine
// transform. Everything is bounded by the counts that the caller gives.
#include "COpenEXR.h"

#include <stdlib.h>
#include <string.h>

/// Bits from the first byte's highest on; zeros behind the end.
typedef struct {
  const uint8_t *bytes;
  size_t count, at;
  uint64_t window;
  int filled;
} bit_reader;

static void fill(bit_reader *r) {
  while (r->filled <= 56) {
    r->window |= (uint64_t)(r->at < r->count ? r->bytes[r->at] : 0) << (56 - r->filled);
    r->at++;
    r->filled += 8;
  }
}

static uint64_t take_bits(bit_reader *r, int n) {
  fill(r);
  const uint64_t value = r->window >> (64 - n);
  r->window <<= n;
  r->filled -= n;
  return value;
}

enum { SYMBOLS = 65537, LONGEST = 58, QUICK = 12 };

typedef struct {
  /// Of each length: the smallest code, how many there are, and where their symbols begin in `order`.
  uint64_t first[LONGEST + 1];
  uint32_t number[LONGEST + 1], begin[LONGEST + 1];
  uint32_t order[SYMBOLS];
  /// Symbol << 6 | length of codes that begin with these bits; 0: the code is longer.
  uint32_t quick[1 << QUICK];
  uint8_t length[SYMBOLS];
} code_table;

static uint32_t word(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/// Lengths of 6 bits; 59 to 62: 2 to 5 zeros, 63: 6 and as many as the next 8 bits say.
static int read_lengths(bit_reader *r, code_table *t, uint32_t first, uint32_t last) {
  for (uint32_t symbol = first; symbol <= last;) {
    if (r->at > r->count + 16) return 0;
    const uint32_t length = (uint32_t)take_bits(r, 6);
    if (length < 59) {
      t->length[symbol++] = (uint8_t)length;
      continue;
    }
    const uint32_t zeros = length == 63 ? (uint32_t)take_bits(r, 8) + 6 : length - 59 + 2;
    if (zeros > last + 1 - symbol) return 0;
    symbol += zeros;
  }
  return 1;
}

/// Canonical codes: longer ones are smaller numbers, symbols of one length rise.
static void make_codes(code_table *t) {
  for (uint32_t symbol = 0; symbol < SYMBOLS; symbol++)
    if (t->length[symbol]) t->number[t->length[symbol]]++;
  uint64_t code = 0;
  for (int length = LONGEST; length > 0; length--) {
    t->first[length] = code;
    code = (code + t->number[length]) >> 1;
  }
  uint32_t begin = 0, next[LONGEST + 1];
  for (int length = 1; length <= LONGEST; length++) {
    t->begin[length] = next[length] = begin;
    begin += t->number[length];
  }
  for (uint32_t symbol = 0; symbol < SYMBOLS; symbol++) {
    const int length = t->length[symbol];
    if (!length) continue;
    const uint32_t index = next[length]++;
    t->order[index] = symbol;
    if (length > QUICK) continue;
    const uint64_t own = t->first[length] + (index - t->begin[length]);
    const uint64_t from = own << (QUICK - length), to = (own + 1) << (QUICK - length);
    for (uint64_t i = from; i < to && i < 1u << QUICK; i++) t->quick[i] = symbol << 6 | (uint32_t)length;
  }
}

int hdr_exr_huffman(const uint8_t *bytes, size_t count, uint16_t *out, size_t room) {
  if (count < 20) return room == 0;
  const uint32_t first = word(bytes), last = word(bytes + 4), bits = word(bytes + 12);
  if (first >= SYMBOLS || last >= SYMBOLS || first > last) return 0;
  code_table *t = calloc(1, sizeof *t);
  if (!t) return 0;
  int done = 0;
  bit_reader r = {bytes + 20, count - 20, 0, 0, 0};
  if (!read_lengths(&r, t, first, last)) goto end;
  make_codes(t);
  // Codes begin at the next whole byte.
  const size_t used = r.at - (size_t)r.filled / 8;
  if (used > r.count || bits > 8 * (uint64_t)(r.count - used)) goto end;
  r = (bit_reader){bytes + 20 + used, count - 20 - used, 0, 0, 0};
  size_t made = 0;
  uint64_t left = bits;
  while (made < room) {
    fill(&r);
    uint32_t entry = t->quick[r.window >> (64 - QUICK)];
    int length = entry & 63;
    uint32_t symbol = entry >> 6;
    if (!length) {
      for (length = 1; length <= LONGEST; length++) {
        const uint64_t code = r.window >> (64 - length);
        if (code >= t->first[length] && code - t->first[length] < t->number[length]) {
          symbol = t->order[t->begin[length] + (uint32_t)(code - t->first[length])];
          break;
        }
      }
    }
    if (length > LONGEST || (uint64_t)length > left) goto end;
    left -= (uint64_t)length;
    r.window <<= length;
    r.filled -= length;
    if (symbol != last) {
      out[made++] = (uint16_t)symbol;
      continue;
    }
    // The last symbol repeats what came before as often as the next 8 bits say.
    if (left < 8 || made == 0) goto end;
    left -= 8;
    const size_t times = (size_t)take_bits(&r, 8);
    if (times > room - made) goto end;
    for (size_t i = 0; i < times; i++) out[made + i] = out[made - 1];
    made += times;
  }
  done = 1;
end:
  free(t);
  return done;
}

static const uint8_t zigzag[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

/// Half of a number, to nearest even; too large ones are infinite.
static uint16_t to_half(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  const uint32_t magnitude = bits & 0x7fffffff, sign = (bits >> 16) & 0x8000;
  if (magnitude > 0x7f800000) return 0;
  if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7c00);
  if (magnitude < 0x38800000) {
    float positive;
    memcpy(&positive, &magnitude, 4);
    // 1/2 has units of 2^-24.
    positive += 0.5f;
    memcpy(&bits, &positive, 4);
    return (uint16_t)(sign | (bits - 0x3f000000));
  }
  return (uint16_t)(sign | ((magnitude + 0xc8000fff + ((magnitude >> 13) & 1)) >> 13));
}

/// One dimension of the inverse transform, orthonormal: the even half and the odd half of eight values `step` apart.
static void inverse8(float *v, size_t step) {
  // cos(k pi / 16) / 2.
  const float c1 = 0.490392640f, c2 = 0.461939766f, c3 = 0.415734806f, c4 = 0.353553391f, c5 = 0.277785117f,
              c6 = 0.191341716f, c7 = 0.097545161f;
  const float a = v[0], b = v[step], c = v[2 * step], d = v[3 * step], e = v[4 * step], f = v[5 * step],
              g = v[6 * step], h = v[7 * step];
  const float p = (a + e) * c4, q = (a - e) * c4, r = c * c2 + g * c6, s = c * c6 - g * c2;
  const float even[4] = {p + r, q + s, q - s, p - r};
  const float odd[4] = {
      b * c1 + d * c3 + f * c5 + h * c7, b * c3 - d * c7 - f * c1 - h * c5, b * c5 - d * c1 + f * c7 + h * c3,
      b * c7 - d * c5 + f * c3 - h * c1};
  for (int i = 0; i < 4; i++) {
    v[(size_t)i * step] = even[i] + odd[i];
    v[(size_t)(7 - i) * step] = even[i] - odd[i];
  }
}

static void inverse64(float *block) {
  for (int i = 0; i < 8; i++) inverse8(block + 8 * i, 1);
  for (int i = 0; i < 8; i++) inverse8(block + i, 8);
}

size_t hdr_exr_blocks(
    const uint16_t *ac, size_t ac_count, const uint16_t *dc, size_t width, size_t height, int components,
    const uint16_t *linear, uint16_t *const planes[3]) {
  const size_t across = (width + 7) / 8, down = (height + 7) / 8;
  size_t used = 0;
  for (size_t by = 0; by < down; by++) {
    for (size_t bx = 0; bx < across; bx++) {
      float block[3][64];
      for (int c = 0; c < components; c++) {
        uint16_t coded[64] = {0};
        coded[0] = dc[(size_t)c * across * down + by * across + bx];
        int last = 0;
        for (int at = 1; at < 64 && used < ac_count;) {
          const uint16_t value = ac[used++];
          if (value == 0xff00) break;
          if (value >> 8 == 0xff) {
            at += value & 0xff;
          } else {
            coded[at] = value;
            last = at++;
          }
        }
        for (int i = 0; i < 64; i++) {
          uint8_t bytes[2] = {(uint8_t)coded[i], (uint8_t)(coded[i] >> 8)};
          hdr_exr_floats(bytes, 1, 1, &block[c][zigzag[i]]);
          if (i == last) {
            for (i++; i < 64; i++) block[c][zigzag[i]] = 0;
          }
        }
        if (last == 0) {
          const float flat = block[c][0] * 0.125f;
          for (int i = 0; i < 64; i++) block[c][i] = flat;
        } else {
          inverse64(block[c]);
        }
      }
      if (components == 3) {
        for (int i = 0; i < 64; i++) {
          const float y = block[0][i], b = block[1][i], r = block[2][i];
          block[0][i] = y + 1.5747f * r;
          block[1][i] = y - 0.1873f * b - 0.4682f * r;
          block[2][i] = y + 1.8556f * b;
        }
      }
      for (int c = 0; c < components; c++) {
        for (size_t y = 0; y < 8 && 8 * by + y < height; y++) {
          uint16_t *row = planes[c] + (8 * by + y) * width + 8 * bx;
          for (size_t x = 0; x < 8 && 8 * bx + x < width; x++) {
            const uint16_t half = to_half(block[c][8 * y + x]);
            row[x] = linear ? linear[half] : half;
          }
        }
      }
    }
  }
  return used;
}
