#include "COpenEXR.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

void hdr_exr_join(const uint8_t *bytes, size_t count, uint8_t *out) {
  const size_t half = count / 2;
  size_t i = 0;
#if defined(__SSE2__)
  for (; i + 16 <= half; i += 16) {
    __m128i low = _mm_loadu_si128((const __m128i *)(bytes + i));
    __m128i high = _mm_loadu_si128((const __m128i *)(bytes + half + i));
    _mm_storeu_si128((__m128i *)(out + 2 * i), _mm_unpacklo_epi8(low, high));
    _mm_storeu_si128((__m128i *)(out + 2 * i + 16), _mm_unpackhi_epi8(low, high));
  }
#endif
  for (; i < half; i++) {
    out[2 * i] = bytes[i];
    out[2 * i + 1] = bytes[half + i];
  }
}

void hdr_exr_merge(uint8_t *bytes, size_t count, uint8_t *out) {
  size_t i = 0;
  uint8_t last = 128;
#if defined(__SSE2__)
  // Sums over 16 bytes in four steps; the sum so far comes on top.
  const __m128i middle = _mm_set1_epi8((char)128);
  __m128i sum = middle;
  for (; i + 16 <= count; i += 16) {
    __m128i v = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(bytes + i)), middle);
    v = _mm_add_epi8(v, _mm_slli_si128(v, 1));
    v = _mm_add_epi8(v, _mm_slli_si128(v, 2));
    v = _mm_add_epi8(v, _mm_slli_si128(v, 4));
    v = _mm_add_epi8(v, _mm_slli_si128(v, 8));
    v = _mm_add_epi8(v, sum);
    _mm_storeu_si128((__m128i *)(bytes + i), v);
    sum = _mm_set1_epi8((char)bytes[i + 15]);
  }
  if (i > 0) last = bytes[i - 1];
#endif
  for (; i < count; i++) bytes[i] = last = (uint8_t)(last + bytes[i] - 128);
  hdr_exr_join(bytes, count, out);
}

void hdr_exr_split(const uint8_t *restrict bytes, size_t count, uint8_t *restrict out) {
  const size_t half = count / 2;
  for (size_t i = 0; i < half; i++) {
    out[i] = bytes[2 * i];
    out[half + i] = bytes[2 * i + 1];
  }
}

void hdr_exr_differences(const uint8_t *restrict bytes, size_t count, uint8_t *restrict out) {
  if (count == 0) return;
  out[0] = bytes[0];
  for (size_t i = 1; i < count; i++) out[i] = (uint8_t)(bytes[i] - bytes[i - 1] + 128);
}

size_t hdr_exr_runs_read(const uint8_t *bytes, size_t count, uint8_t *out, size_t room) {
  size_t made = 0;
  for (size_t at = 0; at < count;) {
    const int n = (int8_t)bytes[at++];
    if (n < 0) {
      const size_t length = (size_t)-n;
      if (length > count - at || length > room - made) return SIZE_MAX;
      memcpy(out + made, bytes + at, length);
      at += length;
      made += length;
    } else {
      const size_t length = (size_t)n + 1;
      if (at == count || length > room - made) return SIZE_MAX;
      memset(out + made, bytes[at++], length);
      made += length;
    }
  }
  return made;
}

size_t hdr_exr_runs(const uint8_t *bytes, size_t count, uint8_t *out, size_t room) {
  size_t made = 0;
  for (size_t at = 0; at < count;) {
    size_t length = 1;
    while (length < 128 && at + length < count && bytes[at + length] == bytes[at]) length++;
    if (length >= 3) {
      if (room - made < 2) return 0;
      out[made++] = (uint8_t)(length - 1);
      out[made++] = bytes[at];
      at += length;
      continue;
    }
    // Bytes up to the next run of three.
    size_t end = at + length;
    while (end < count && end - at < 127
           && !(end + 2 < count && bytes[end] == bytes[end + 1] && bytes[end] == bytes[end + 2]))
      end++;
    if (end - at > 127) end = at + 127;
    length = end - at;
    if (room - made < length + 1) return 0;
    out[made++] = (uint8_t)-(int)length;
    memcpy(out + made, bytes + at, length);
    made += length;
    at = end;
  }
  return made;
}

void hdr_exr_take_rgba(const uint16_t *pixels, size_t count, int has_alpha, uint8_t *low, uint8_t *high) {
  // Channel c of a pixel goes to row 3 - c; without alpha to 2 - c.
  const size_t top = has_alpha ? 3 : 2;
  size_t x = 0;
#if defined(__SSE2__)
  const __m128i byte = _mm_set1_epi16(0xff);
  for (; x + 8 <= count; x += 8) {
    const __m128i *p = (const __m128i *)(pixels + 4 * x);
    __m128i a = _mm_loadu_si128(p), b = _mm_loadu_si128(p + 1), c = _mm_loadu_si128(p + 2), d = _mm_loadu_si128(p + 3);
    __m128i e = _mm_unpacklo_epi16(a, b), f = _mm_unpackhi_epi16(a, b);
    __m128i g = _mm_unpacklo_epi16(c, d), h = _mm_unpackhi_epi16(c, d);
    __m128i i = _mm_unpacklo_epi16(e, f), j = _mm_unpackhi_epi16(e, f);
    __m128i k = _mm_unpacklo_epi16(g, h), l = _mm_unpackhi_epi16(g, h);
    __m128i planes[4] = {
        _mm_unpacklo_epi64(i, k), _mm_unpackhi_epi64(i, k), _mm_unpacklo_epi64(j, l), _mm_unpackhi_epi64(j, l)};
    for (size_t channel = 0; channel <= top; channel++) {
      const size_t to = (top - channel) * count + x;
      __m128i v = planes[channel];
      _mm_storel_epi64((__m128i *)(low + to), _mm_packus_epi16(_mm_and_si128(v, byte), byte));
      _mm_storel_epi64((__m128i *)(high + to), _mm_packus_epi16(_mm_srli_epi16(v, 8), byte));
    }
  }
#endif
  for (; x < count; x++) {
    for (size_t channel = 0; channel <= top; channel++) {
      const uint16_t word = pixels[4 * x + channel];
      low[(top - channel) * count + x] = (uint8_t)word;
      high[(top - channel) * count + x] = (uint8_t)(word >> 8);
    }
  }
}

void hdr_exr_halves(const uint8_t *from, size_t count, uint8_t *out, size_t step) {
  for (size_t i = 0; i < count; i++) memcpy(out + i * step, from + 2 * i, 2);
}

void hdr_exr_rgba(
    const uint8_t *r, const uint8_t *g, const uint8_t *b, const uint8_t *a, size_t count, uint8_t *out) {
  size_t i = 0;
#if defined(__SSE2__)
  for (; i + 8 <= count; i += 8) {
    __m128i R = _mm_loadu_si128((const __m128i *)(r + 2 * i)), G = _mm_loadu_si128((const __m128i *)(g + 2 * i));
    __m128i B = _mm_loadu_si128((const __m128i *)(b + 2 * i)), A = _mm_loadu_si128((const __m128i *)(a + 2 * i));
    __m128i low = _mm_unpacklo_epi16(R, G), high = _mm_unpacklo_epi16(B, A);
    __m128i *to = (__m128i *)(out + 8 * i);
    _mm_storeu_si128(to, _mm_unpacklo_epi32(low, high));
    _mm_storeu_si128(to + 1, _mm_unpackhi_epi32(low, high));
    low = _mm_unpackhi_epi16(R, G);
    high = _mm_unpackhi_epi16(B, A);
    _mm_storeu_si128(to + 2, _mm_unpacklo_epi32(low, high));
    _mm_storeu_si128(to + 3, _mm_unpackhi_epi32(low, high));
  }
#endif
  for (; i < count; i++) {
    memcpy(out + 8 * i, r + 2 * i, 2);
    memcpy(out + 8 * i + 2, g + 2 * i, 2);
    memcpy(out + 8 * i + 4, b + 2 * i, 2);
    memcpy(out + 8 * i + 6, a + 2 * i, 2);
  }
}

/// The patterns of halves are those of binary32 but for the exponent's bias; a product with 2^112 moves it, and makes
/// subnormal halves normal.
static inline float of_half(uint16_t half) {
  uint32_t magnitude = half & 0x7fff;
  if (magnitude > 0x7c00) magnitude = 0;
  if (magnitude > 0x7bff) magnitude = 0x7bff;
  const uint32_t bits = magnitude << 13;
  float value;
  memcpy(&value, &bits, 4);
  value *= 0x1p112f;
  return half & 0x8000 && magnitude ? -value : value;
}

static inline float clean(uint32_t bits) {
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude < 0x30800000 || magnitude > 0x7f800000) return 0;
  // 2^20, the largest light.
  if (magnitude > 0x49800000) magnitude = 0x49800000;
  magnitude |= bits & 0x80000000;
  float value;
  memcpy(&value, &magnitude, 4);
  return value;
}

size_t hdr_exr_floats(const uint8_t *from, int type, size_t count, float *out) {
  // As wide as the samples, so that the loops take as many at a time.
  uint32_t found = 0;
  if (type == 0) {
    for (size_t i = 0; i < count; i++) {
      uint32_t value;
      memcpy(&value, from + 4 * i, 4);
      out[i] = value < 1u << 20 ? (float)value : 0x1p20f;
    }
  } else if (type == 1) {
    for (size_t i = 0; i < count; i++) {
      uint16_t half;
      memcpy(&half, from + 2 * i, 2);
      out[i] = of_half(half);
      found += (half & 0x7c00) == 0x7c00;
    }
  } else {
    for (size_t i = 0; i < count; i++) {
      uint32_t bits;
      memcpy(&bits, from + 4 * i, 4);
      out[i] = clean(bits);
      found += (bits & 0x7f800000) == 0x7f800000;
    }
  }
  return found;
}

/// A sample between those of even places; the last one stands for what would follow.
static inline float between(const float *row, size_t samples, size_t x, int shift) {
  const size_t left = x >> shift < samples ? x >> shift : samples - 1;
  if ((x & ((1u << shift) - 1)) == 0) return row[left];
  return (row[left] + row[left + 1 < samples ? left + 1 : left]) * 0.5f;
}

static inline float bounded(float value) {
  const float low = value > -0x1p20f ? value : -0x1p20f;
  return low < 0x1p20f ? low : 0x1p20f;
}

void hdr_exr_of_luma(const hdr_exr_chroma *chroma, const float *luma, size_t first, size_t count, float *rgb[3]) {
  for (size_t i = 0; i < count; i++) {
    const size_t x = first + i;
    const float y = luma[x];
    float difference[2];
    for (int c = 0; c < 2; c++) {
      const float above = between(chroma->above[c], chroma->samples, x, chroma->shift);
      const float below = between(chroma->below[c], chroma->samples, x, chroma->shift);
      difference[c] = (above + below) * 0.5f;
    }
    const float r = (difference[0] + 1) * y, b = (difference[1] + 1) * y;
    rgb[0][i] = bounded(r);
    rgb[1][i] = bounded((y - chroma->red * r - chroma->blue * b) * chroma->green_inverse);
    rgb[2][i] = bounded(b);
  }
}

void hdr_exr_clear_halves(uint16_t *pixels, size_t count, size_t channels) {
  for (size_t i = 0; i < count; i++) {
    uint16_t *pixel = pixels + i * channels;
    const uint16_t alpha = pixel[channels - 1];
    // Above 0 are the patterns from the smallest number to infinity.
    if (alpha == 0 || alpha > 0x7c00)
      for (size_t channel = 0; channel + 1 < channels; channel++) pixel[channel] = 0;
  }
}

void hdr_exr_limit_alpha(float *alpha, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float low = alpha[i] > 0 ? alpha[i] : 0;
    alpha[i] = low < 1 ? low : 1;
  }
}

void hdr_exr_clear_floats(float *color, const float *alpha, size_t count) {
  for (size_t i = 0; i < count; i++) color[i] = alpha[i] > 0 ? color[i] : 0;
}
