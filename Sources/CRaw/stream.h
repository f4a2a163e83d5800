/* The bytes of a file as a stream object of LibRaw. */
#pragma once
#include <libraw/libraw.h>
#include <stddef.h>
#include <stdint.h>

struct hdr_block_reader;

/* LibRaw_abstract_datastream in the layout of the Itanium C++ ABI: a pointer to virtual functions and no members. */
struct hdr_stream {
  const void *const *functions;
  const uint8_t *bytes;
  size_t count, position;
  /* The jpeg_mem_src of the libjpeg that LibRaw calls; NULL: there is none. */
  void (*jpeg_source)(void *decoder, const unsigned char *bytes, unsigned long count);
  /* LibRaw's data while samples are unpacked; NULL before and after. */
  libraw_data_t *unpacked;
  /* The place where samples begin. */
  size_t start;
  int has_start;
  /* The decoder's way to read blocks up to the end of the file; NULL: it does not. */
  const struct hdr_block_reader *blocks;
  /* The bytes that samples needed after the end of the file: look-ahead of bit decoders, blocks, all other reads. */
  size_t missing_ahead, missing_blocks, missing;
};

void hdr_stream_open(struct hdr_stream *stream, const uint8_t *bytes, size_t count);
/* Begins the unpacking: up to hdr_stream_end, missing bytes are counted, and memory for samples is cleared first. */
void hdr_stream_begin(struct hdr_stream *stream, libraw_data_t *data, const char *decoder);
/* Ends the unpacking; returns true if samples needed missing bytes. */
int hdr_stream_end(struct hdr_stream *stream);
