#pragma once
/* Lookups of eight lanes. Written in Swift, the optimiser takes their moves apart and does four lanes at a time. */

typedef float hdr_eight __attribute__((ext_vector_type(8)));

/// Returns a + f (b + f c) of eight segments of a table, which are words a, b, c and one that is not used. `offsets` has
/// eight 32-bit numbers of bytes. Each operation rounds once, as in Swift (docs/exact-arithmetic.md#tables).
static inline hdr_eight hdr_segment_values(const void *table, const void *offsets, hdr_eight f) {
#pragma clang fp contract(off)
  typedef float four __attribute__((ext_vector_type(4)));
  typedef float segment __attribute__((ext_vector_type(4), aligned(4)));
  typedef unsigned long long pair __attribute__((aligned(4), may_alias));
  const char *t = (const char *)table;
  const pair *o = (const pair *)offsets;
  /* Segments i and i + 4 share a register: its halves are then transposed by the same instructions. */
#define SEGMENTS(i, j) \
  __builtin_shufflevector((four) * (const segment *)(t + (i)), (four) * (const segment *)(t + (j)), 0, 1, 2, 3, 4, 5, 6, 7)
  pair o01 = o[0], o23 = o[1], o45 = o[2], o67 = o[3];
  hdr_eight s04 = SEGMENTS((unsigned)o01, (unsigned)o45), s15 = SEGMENTS(o01 >> 32, o45 >> 32);
  hdr_eight s26 = SEGMENTS((unsigned)o23, (unsigned)o67), s37 = SEGMENTS(o23 >> 32, o67 >> 32);
#undef SEGMENTS
  hdr_eight ab01 = __builtin_shufflevector(s04, s15, 0, 1, 8, 9, 4, 5, 12, 13);
  hdr_eight ab23 = __builtin_shufflevector(s26, s37, 0, 1, 8, 9, 4, 5, 12, 13);
  hdr_eight c01 = __builtin_shufflevector(s04, s15, 2, 3, 10, 11, 6, 7, 14, 15);
  hdr_eight c23 = __builtin_shufflevector(s26, s37, 2, 3, 10, 11, 6, 7, 14, 15);
  hdr_eight a = __builtin_shufflevector(ab01, ab23, 0, 2, 8, 10, 4, 6, 12, 14);
  hdr_eight b = __builtin_shufflevector(ab01, ab23, 1, 3, 9, 11, 5, 7, 13, 15);
  hdr_eight c = __builtin_shufflevector(c01, c23, 0, 2, 8, 10, 4, 6, 12, 14);
  return a + f * (b + f * c);
}
