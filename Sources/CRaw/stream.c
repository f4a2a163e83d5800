/* LibRaw's own stream of memory leaves the rest of a buffer as it was where the file ends, and decoders take that for
   samples. This one fills the rest with ones, as LibRaw's get2 and get4 do, and counts what is missing. */
#include "stream.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

/* A decoder that reads blocks of one size up to the end of the file, however much of the last one there is. */
static const struct hdr_block_reader {
  const char *decoder;
  size_t block, pixels, bytes;
} block_readers[] = {{"panasonic_load_raw", 0x4000, 14, 16}, {"rollei_load_raw", 10, 8, 10}};

/* A code is looked up by up to 16 bits, at most 16 codes of one bit; words of 32 bits are taken whole. */
enum { most_ahead = 32, word = 4 };

static void count_missing(struct hdr_stream *stream, size_t wanted, size_t missing) {
  if (!stream->unpacked || !missing) return;
  if (wanted <= word)
    stream->missing_ahead += missing;
  else if (stream->blocks && wanted == stream->blocks->block)
    stream->missing_blocks += missing;
  else
    stream->missing += missing;
}

static void destroy(struct hdr_stream *stream) { (void)stream; }
static int valid(struct hdr_stream *stream) { return stream->bytes != NULL; }

static int read_items(struct hdr_stream *stream, void *items, size_t size, size_t number) {
  size_t wanted, there = stream->count - stream->position;
  if (!size || __builtin_mul_overflow(size, number, &wanted)) return 0;
  size_t taken = wanted < there ? wanted : there;
  memcpy(items, stream->bytes + stream->position, taken);
  memset((uint8_t *)items + taken, 0xFF, wanted - taken);
  stream->position += taken;
  count_missing(stream, wanted, wanted - taken);
  return (int)(taken / size);
}

/* The first place that unpacking goes to is where samples begin; memory for them was taken just before. */
static void begin_samples(struct hdr_stream *stream) {
  stream->has_start = 1;
  stream->start = stream->position;
  void *samples = stream->unpacked->rawdata.raw_alloc;
  if (samples) memset(samples, 0, malloc_usable_size(samples));
}

static int seek(struct hdr_stream *stream, INT64 distance, int whence) {
  INT64 from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (INT64)stream->position : (INT64)stream->count, to;
  if (__builtin_add_overflow(from, distance, &to)) to = distance < 0 ? 0 : (INT64)stream->count;
  stream->position = to < 0 ? 0 : (uint64_t)to > stream->count ? stream->count : (size_t)to;
  if (stream->unpacked && !stream->has_start) begin_samples(stream);
  return 0;
}

static INT64 tell(struct hdr_stream *stream) { return (INT64)stream->position; }
static INT64 size(struct hdr_stream *stream) { return (INT64)stream->count; }
static int at_end(struct hdr_stream *stream) { return stream->position >= stream->count; }

static int get_char(struct hdr_stream *stream) {
  if (!at_end(stream)) return stream->bytes[stream->position++];
  count_missing(stream, 1, 1);
  return -1;
}

/* As fgets. */
static char *get_line(struct hdr_stream *stream, char *line, int room) {
  if (at_end(stream) || room < 1) return NULL;
  int length = 0;
  while (length < room - 1 && !at_end(stream)) {
    char found = (char)stream->bytes[stream->position++];
    line[length++] = found;
    if (found == '\n') break;
  }
  line[length] = 0;
  return line;
}

static int scan(struct hdr_stream *stream, const char *format, void *value) {
  char text[64] = {0};
  size_t there = stream->count - stream->position, most = sizeof text - 1;
  memcpy(text, stream->bytes + stream->position, there < most ? there : most);
  int found = sscanf(text, format, value);
  if (found > 0)
    for (int step = 0; step < 25 && !at_end(stream); step++) {
      stream->position++;
      if (at_end(stream) || memchr(" \t\n", stream->bytes[stream->position], 4)) break;
    }
  return found;
}

/* Of JPEG 2000, which only RED's files hold, and those are refused. */
static void *jasper(struct hdr_stream *stream) {
  (void)stream;
  return NULL;
}

static int jpeg_source(struct hdr_stream *stream, void *decoder) {
  if (!stream->jpeg_source) return -1;
  stream->jpeg_source(decoder, stream->bytes + stream->position, stream->count - stream->position);
  return 0;
}

static void nothing(struct hdr_stream *stream) { (void)stream; }
static int lock(struct hdr_stream *stream) { return stream != NULL; }
static const char *name(struct hdr_stream *stream) {
  (void)stream;
  return NULL;
}

/* In the order of libraw_datastream.h. A destructor has two places: with and without freeing its memory. */
static const void *const functions[] = {
    destroy, destroy, valid, read_items, seek, tell, size, get_char, get_line, scan, at_end,
#if LIBRAW_MINOR_VERSION < 21 || defined(LIBRAW_OLD_VIDEO_SUPPORT)
    jasper,
#endif
    jpeg_source, nothing, lock, nothing, name,
};

void hdr_stream_open(struct hdr_stream *stream, const uint8_t *bytes, size_t count) {
  *stream = (struct hdr_stream){.functions = functions, .bytes = bytes, .count = count};
}

void hdr_stream_begin(struct hdr_stream *stream, libraw_data_t *data, const char *decoder) {
  stream->unpacked = data;
  for (size_t row = 0; row < sizeof block_readers / sizeof *block_readers; row++)
    if (decoder && !strncmp(decoder, block_readers[row].decoder, strlen(block_readers[row].decoder)))
      stream->blocks = &block_readers[row];
}

int hdr_stream_end(struct hdr_stream *stream) {
  const libraw_image_sizes_t *sizes = &stream->unpacked->sizes;
  const struct hdr_block_reader *blocks = stream->blocks;
  stream->unpacked = NULL;
  if (blocks && stream->missing_blocks) {
    size_t groups = ((size_t)sizes->raw_width * sizes->raw_height + blocks->pixels - 1) / blocks->pixels;
    if (stream->count - stream->start < groups * blocks->bytes) return 1;
  }
  return stream->missing || stream->missing_ahead > most_ahead;
}
