/* The bytes of a file as an object that LibRaw reads through. */
#pragma once
#include <libraw/libraw.h>
#include <stddef.h>
#include <stdint.h>

struct hdr_block_reader;

/* LibRaw_abstract_datastream as the Itanium C++ ABI lays it out: a pointer to virtual functions and no members. */
struct hdr_stream {
  const void *const *functions;
  const uint8_t *bytes;
  size_t count, position;
  /* jpeg_mem_src of the libjpeg that LibRaw calls; NULL: there is none. */
  void (*jpeg_source)(void *decoder, const unsigned char *bytes, unsigned long count);
  /* While samples are unpacked; NULL before and after. */
  libraw_data_t *unpacked;
  /* Where samples begin. */
  size_t start;
  int has_start;
  /* How the decoder reads on to the end of the file; NULL: it does not. */
  const struct hdr_block_reader *blocks;
  /* What samples needed and the file does not have: bytes that decoders of bits look ahead by, blocks, all other reads. */
  size_t missing_ahead, missing_blocks, missing;
};

void hdr_stream_open(struct hdr_stream *stream, const uint8_t *bytes, size_t count);
/* From here to hdr_stream_end, missing bytes are counted, and memory for samples is cleared before they are read. */
void hdr_stream_begin(struct hdr_stream *stream, libraw_data_t *data, const char *decoder);
/* Whether samples needed bytes that are not there. */
int hdr_stream_end(struct hdr_stream *stream);
