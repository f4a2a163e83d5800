#include "COpenEXR.h"

#include <OpenEXR/openexr.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CRunTime.h"

static const char name[] = "libOpenEXRCore-3_1.so.30";

static struct {
  __typeof__(exr_get_library_version) *version;
  __typeof__(exr_start_read) *start;
  __typeof__(exr_finish) *finish;
  __typeof__(exr_decoding_initialize) *initialize;
  __typeof__(exr_decoding_choose_default_routines) *choose;
  __typeof__(exr_decoding_run) *run;
  __typeof__(exr_decoding_destroy) *destroy;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char missing[160];

static void look(void) {
  static const struct hdr_wanted wanted[] = {
      {"exr_get_library_version", &library.version},
      {"exr_start_read", &library.start},
      {"exr_finish", &library.finish},
      {"exr_decoding_initialize", &library.initialize},
      {"exr_decoding_choose_default_routines", &library.choose},
      {"exr_decoding_run", &library.run},
      {"exr_decoding_destroy", &library.destroy},
  };
  hdr_open_library(name, wanted, sizeof wanted / sizeof *wanted, missing, sizeof missing);
}

const char *hdr_exr_missing(void) {
  pthread_once(&once, look);
  return missing[0] ? missing : NULL;
}

void hdr_exr_version(int numbers[3]) {
  memset(numbers, 0, 3 * sizeof numbers[0]);
  if (!hdr_exr_missing()) library.version(numbers, numbers + 1, numbers + 2, NULL);
}

/* What the library says and takes, of the part that this thread works on: its callbacks name none. */

static _Thread_local size_t budget;
static _Thread_local char said[160];

static void on_error(exr_const_context_t context, exr_result_t code, const char *text) {
  (void)context;
  (void)code;
  // The first word is the cause, others are of its callers.
  if (!said[0] && text) snprintf(said, sizeof said, "%s", text);
}

/// Blocks begin behind 16 bytes that hold their size.
static void *take(size_t count) {
  if (count > budget) {
    if (!said[0]) snprintf(said, sizeof said, "it asks for %zu bytes more than it may have", count - budget);
    return NULL;
  }
  // Zeroed: what a decoder leaves out must not be other memory.
  char *block = calloc(1, count + 16);
  if (!block) return NULL;
  memcpy(block, &count, sizeof count);
  budget -= count;
  return block + 16;
}

static void give_back(void *memory) {
  if (!memory) return;
  char *block = (char *)memory - 16;
  size_t count;
  memcpy(&count, block, sizeof count);
  budget += count;
  free(block);
}

struct hdr_exr_part {
  exr_context_t context;
  const uint8_t *header;
  size_t count;
  size_t budget;
};

static int64_t read_header(
    exr_const_context_t context, void *data, void *buffer, uint64_t count, uint64_t offset,
    exr_stream_error_func_ptr_t error) {
  (void)context;
  (void)error;
  const struct hdr_exr_part *part = data;
  if (offset >= part->count) return 0;
  const uint64_t rest = part->count - offset;
  if (count > rest) count = rest;
  memcpy(buffer, part->header + offset, count);
  return (int64_t)count;
}

static void tell(char message[160], const char *otherwise) {
  snprintf(message, 160, "%s", said[0] ? said : otherwise);
}

hdr_exr_part *hdr_exr_open(const uint8_t *header, size_t count, size_t most_memory, char message[160]) {
  if (hdr_exr_missing()) {
    tell(message, missing);
    return NULL;
  }
  said[0] = 0;
  budget = most_memory;
  hdr_exr_part *part = calloc(1, sizeof *part);
  if (!part) {
    tell(message, "out of memory");
    return NULL;
  }
  part->header = header;
  part->count = count;
  exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
  how.error_handler_fn = on_error;
  how.alloc_fn = take;
  how.free_fn = give_back;
  how.user_data = part;
  how.read_fn = read_header;
  if (library.start(&part->context, "header", &how) != EXR_ERR_SUCCESS) {
    tell(message, "the header is refused");
    free(part);
    return NULL;
  }
  part->budget = budget;
  return part;
}

static exr_result_t read_nothing(exr_decode_pipeline_t *decode) {
  (void)decode;
  return EXR_ERR_SUCCESS;
}

int hdr_exr_unpack(
    hdr_exr_part *part, const hdr_exr_chunk *chunk, const uint8_t *bytes, size_t count, uint8_t *out, size_t size,
    char message[160]) {
  said[0] = 0;
  budget = part->budget;
  const exr_chunk_info_t info = {
      .start_x = chunk->x,
      .start_y = chunk->y,
      .height = chunk->height,
      .width = chunk->width,
      .type = chunk->is_tile ? EXR_STORAGE_TILED : EXR_STORAGE_SCANLINE,
      .compression = (uint8_t)chunk->compression,
      .packed_size = count,
      .unpacked_size = size,
  };
  exr_decode_pipeline_t decode;
  int code = library.initialize(part->context, 0, &info, &decode);
  if (code == EXR_ERR_SUCCESS) {
    // No channel is asked for, so that no way to unpack them may fit: only the way to decompress is wanted.
    (void)library.choose(part->context, 0, &decode);
    said[0] = 0;
    decode.read_fn = read_nothing;
    decode.unpack_and_convert_fn = NULL;
    // Sizes of 0 say whose memory this is: the library frees none of it.
    decode.packed_buffer = (void *)(uintptr_t)bytes;
    decode.packed_alloc_size = 0;
    decode.unpacked_buffer = out;
    decode.unpacked_alloc_size = size;
    code = decode.decompress_fn && count < size ? library.run(part->context, 0, &decode) : EXR_ERR_INVALID_ARGUMENT;
    if (code == EXR_ERR_SUCCESS && decode.unpacked_buffer != out) code = EXR_ERR_UNKNOWN;
    if (decode.unpacked_buffer == out) {
      decode.unpacked_buffer = NULL;
      decode.unpacked_alloc_size = 0;
    }
    decode.packed_buffer = NULL;
    library.destroy(part->context, &decode);
  }
  if (code != EXR_ERR_SUCCESS) tell(message, "the chunk is refused");
  return code;
}

void hdr_exr_close(hdr_exr_part *part) {
  budget = part->budget;
  library.finish(&part->context);
  free(part);
}
