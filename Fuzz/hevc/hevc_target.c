/* libFuzzer target "hevc": Sources/CAVCodec/library/hevc.c with FFmpeg's HEVC decoder, both with sanitizers. Built by
   scripts/avcodec --fuzz; scripts/fuzz runs it beside the targets of Fuzz/Sources.

   An input is NAL units, each behind its size in two bytes; behind a first byte with the highest bit, bytes as they are.
   What must hold: a picture that is taken is whole, so memory that was there before is not in it. Every input is decoded
   into memory full of one byte and again into memory full of another, and both must say and show the same. */
#include "hevc.c"

#include <stdlib.h>

enum { MOST_PIXELS = 1 << 16, LONGEST = 1 << 16 };

static int filling;

static void demand(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "hevc: %s\n", what);
  abort();
}

/* In place of the one that libavutil calls (-Wl,--wrap). */
int __real_posix_memalign(void **result, size_t alignment, size_t size);
int __wrap_posix_memalign(void **result, size_t alignment, size_t size) {
  int code = __real_posix_memalign(result, alignment, size);
  if (code == 0) memset(*result, filling, size);
  return code;
}

/* libavcodec gives pictures of zeros. */
static int get_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
  int code = avcodec_default_get_buffer2(context, frame, flags);
  for (int i = 0; code == 0 && i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++)
    memset(frame->buf[i]->data, filling, frame->buf[i]->size);
  return code;
}

struct answer {
  int code;
  char message[200];
  struct hdr_hevc_picture picture;
  uint8_t *samples;
  size_t bytes;
};

/* Rows and columns of a plane; 0 for one that is not there. */
static void plane_size(const struct hdr_hevc_picture *picture, int plane, int *width, int *height) {
  int is_chroma = plane > 0, format = picture->chroma_format;
  int h = is_chroma && (format == 1 || format == 2), v = is_chroma && format == 1;
  *width = is_chroma && format == 0 ? 0 : (picture->width + (1 << h) - 1) >> h;
  *height = is_chroma && format == 0 ? 0 : (picture->height + (1 << v) - 1) >> v;
}

/* What the caller reads of a picture that is taken (AVCodecPicture.swift). */
static void take_samples(struct answer *answer) {
  const struct hdr_hevc_picture *picture = &answer->picture;
  int depth = picture->bit_depth, wide = depth > 8;
  demand(picture->width > 0 && picture->height > 0, "an empty picture");
  demand((int64_t)picture->width * picture->height <= MOST_PIXELS, "more pixels than were allowed");
  demand(depth >= 8 && depth <= 16 && picture->chroma_format >= 0 && picture->chroma_format <= 3, "an odd format");
  answer->samples = malloc((size_t)picture->width * picture->height * 3 << wide);
  for (int plane = 0; plane < 3; plane++) {
    int width, height;
    plane_size(picture, plane, &width, &height);
    if (width > 0) demand(picture->planes[plane] != NULL, "a plane that is not there");
    for (int y = 0; y < height; y++) {
      const uint8_t *row = (const uint8_t *)picture->planes[plane] + y * picture->strides[plane];
      memcpy(answer->samples + answer->bytes, row, (size_t)width << wide);
      if (wide)
        for (int x = 0; x < width; x++) demand(((const uint16_t *)row)[x] >> depth == 0, "a sample above its bits");
      answer->bytes += (size_t)width << wide;
    }
  }
}

static struct answer ask(const uint8_t *units, size_t bytes, int fill) {
  struct answer answer = {0};
  const struct hdr_avcodec *functions = hdr_avcodec_table();
  filling = fill;
  void *decoder = functions->open(MOST_PIXELS);
  demand(decoder != NULL, "no decoder");
  ((struct decoder *)decoder)->context->get_buffer2 = get_buffer;
  answer.code = functions->decode(decoder, units, bytes, &answer.picture);
  snprintf(answer.message, sizeof answer.message, "%s", functions->message(decoder));
  if (answer.code == 0) take_samples(&answer);
  else demand(answer.message[0] != 0, "refused without a word");
  functions->close(decoder);
  return answer;
}

/* The unit at a place of an input: its bytes, and where the next one is. */
static size_t unit_at(const uint8_t *data, size_t size, size_t at, size_t *next) {
  size_t length = AV_RB16(data + at) & 0x7fff;
  if (length > size - at - 2) length = size - at - 2;
  *next = at + 2 + length;
  return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t units[LONGEST];
  size_t bytes = 0;
  if (size > LONGEST / 4) return 0;
  if (size > 0 && data[0] & 0x80) {
    bytes = size - 1;
    memcpy(units, data + 1, bytes);
  } else {
    for (size_t at = 0, next; at + 2 <= size; at = next) {
      size_t length = unit_at(data, size, at, &next);
      AV_WB32(units + bytes, (uint32_t)length);
      memcpy(units + bytes + 4, data + at + 2, length);
      bytes += 4 + length;
    }
  }
  struct answer one = ask(units, bytes, 0x00), other = ask(units, bytes, 0xa5);
  demand(one.code == other.code, "taken or not by what memory held before");
  demand(strcmp(one.message, other.message) == 0, "another reason by what memory held before");
  demand(one.bytes == other.bytes && one.picture.width == other.picture.width, "another size by what memory held before");
  if (one.bytes) demand(memcmp(one.samples, other.samples, one.bytes) == 0, "samples of what memory held before");
  free(one.samples);
  free(other.samples);
  return 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Changes one unit, and its size with it: its bytes, cut short, left out, twice. One time in eight whatever libFuzzer does. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static uint8_t copy[LONGEST];
  if (size < 4 || size > LONGEST / 4 || most > LONGEST / 4 || data[0] & 0x80 || seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, most);
  seed /= 8;
  int count = 0;
  size_t at, next;
  for (at = 0; at + 2 <= size; at = next) {
    unit_at(data, size, at, &next);
    count++;
  }
  int chosen = seed % count, number = 0;
  for (at = 0; number < chosen; number++, at = next) unit_at(data, size, at, &next);
  size_t length = unit_at(data, size, at, &next), rest = size - next, room = most - at - rest;
  memcpy(copy, data + next, rest);
  seed /= count;
  if (seed % 16 == 0) {
    memcpy(data + at, copy, rest);
    return at + rest;
  }
  switch (seed % 16) {
  case 1: length = length ? seed / 16 % length : 0; break;
  case 2:
    if (2 * (2 + length) <= room && length < 0x8000) {
      memcpy(data + at + 2 + length, data + at, 2 + length);
      AV_WB16(data + at, length);
      at += 2 + length;
    }
    break;
  default: length = LLVMFuzzerMutate(data + at + 2, length, room - 2 < 0x7fff ? room - 2 : 0x7fff); break;
  }
  AV_WB16(data + at, length);
  memcpy(data + at + 2 + length, copy, rest);
  return at + 2 + length + rest;
}
