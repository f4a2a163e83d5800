/* misuse PHOTO FOLDER: calls every function of libhdrbatch in wrong ways, and from several threads. Built with the
   sanitizers: whatever it does, the library answers with an error, and no memory is lost or touched twice. */
#include <fcntl.h>
#include <hdrbatch.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int checks, failures;
static hdrbatch_error *error;

static void check(int holds, const char *what, int line) {
  checks++;
  if (holds) return;
  failures++;
  printf("misuse.c:%d: %s; the error is \"%s\" [%s]\n", line, what, hdrbatch_error_message(error),
         hdrbatch_error_code(error));
}
#define CHECK(condition) check((condition) ? 1 : 0, #condition, __LINE__)

/* A call that must fail with this code and kind. */
#define FAILS(call, code, kind)                                          \
  do {                                                                   \
    error = (hdrbatch_error *)0x1234;                                    \
    check(!(call), #call, __LINE__);                                     \
    check(!strcmp(hdrbatch_error_code(error), code), #call " has another code than " code, __LINE__); \
    check(!strcmp(hdrbatch_error_kind(error), kind), #call " has another kind than " kind, __LINE__); \
    check(*hdrbatch_error_message(error) != 0, #call " says nothing", __LINE__); \
    hdrbatch_release(error);                                             \
    error = NULL;                                                        \
  } while (0)
#define REFUSES(call) FAILS(call, "argument", "request")

/* Reads a whole file. */
static char *contents(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file) abort();
  fseek(file, 0, SEEK_END);
  *count = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*count);
  if (!bytes || fread(bytes, 1, *count, file) != *count) abort();
  fclose(file);
  return bytes;
}

static hdrbatch_renderer *shared_renderer;
static hdrbatch_image *shared_image;
static const char *const kind = "sdr-jpeg";

/* Encodes the shared picture; returns the sum of the bytes. */
static void *encode_shared(void *unused) {
  (void)unused;
  size_t count = 0;
  unsigned char *bytes = hdrbatch_encode(shared_renderer, shared_image, kind, NULL, &count, NULL);
  uintptr_t sum = 0;
  for (size_t i = 0; i < count; i++) sum = sum * 31 + bytes[i];
  hdrbatch_free(bytes);
  return (void *)sum;
}

/* Renders while another thread releases: a picture or an error, never anything else. */
static void *render_released(void *image) {
  hdrbatch_error *own = NULL;
  hdrbatch_pixels *pixels = hdrbatch_render(shared_renderer, image, 1, NULL, &own);
  int holds = pixels ? !own : !strcmp(hdrbatch_error_code(own), "argument");
  hdrbatch_release(pixels);
  hdrbatch_release(own);
  return (void *)(uintptr_t)holds;
}

int main(int argc, char **argv) {
  if (argc != 3 || chdir(argv[2])) return 2;
  const char *photo = argv[1];
  const char *const cpu[] = {"backend=cpu", "threads=2", NULL};
  const char *long_text = memset(calloc(2 << 20, 1), 'x', (2 << 20) - 1);

  /* Options of renderers. */
  FAILS(hdrbatch_renderer_open((const char *const[]){"backend=tpu", NULL}, &error), "option.value", "request");
  FAILS(hdrbatch_renderer_open((const char *const[]){"backends=cpu", NULL}, &error), "option.name", "request");
  FAILS(hdrbatch_renderer_open((const char *const[]){"backend=cpu", "backend=cpu", NULL}, &error), "option.value", "request");
  FAILS(hdrbatch_renderer_open((const char *const[]){"threads=0", NULL}, &error), "option.value", "request");
  FAILS(hdrbatch_renderer_open((const char *const[]){"threads=99999999999999999999", NULL}, &error), "option.value", "request");
  REFUSES(hdrbatch_renderer_open((const char *const[]){"backend", NULL}, &error));
  REFUSES(hdrbatch_renderer_open((const char *const[]){"=cpu", NULL}, &error));
  REFUSES(hdrbatch_renderer_open((const char *const[]){"\xff=1", NULL}, &error));
  REFUSES(hdrbatch_renderer_open((const char *const[]){long_text, NULL}, &error));
  FAILS(hdrbatch_renderer_open((const char *const[]){"isolation=sandbox", "codec-program=/none", NULL}, &error),
        "codec.missing", "unavailable");
  CHECK(!hdrbatch_renderer_open((const char *const[]){"backend", NULL}, NULL));

  hdrbatch_renderer *renderer = shared_renderer = hdrbatch_renderer_open(cpu, &error);
  CHECK(renderer && !error);
  char *text = hdrbatch_renderer_info(renderer, &error);
  CHECK(text && strstr(text, "\"isolation\":\"none\""));
  hdrbatch_free(text);

  /* Handles that are none, or of another kind. */
  hdrbatch_image *image = shared_image = hdrbatch_image_open(renderer, photo, &error);
  CHECK(image && !error);
  const void *wrong[] = {NULL, renderer, (void *)1, (void *)(uintptr_t)-1, (void *)0x10000, &error};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const hdrbatch_image *none = wrong[i];
    REFUSES(hdrbatch_image_info(none, &error));
    REFUSES(hdrbatch_image_filter(none, "exposure=1", &error));
    REFUSES(hdrbatch_image_apply(none, "steps: []", NULL, &error));
    REFUSES(hdrbatch_render(renderer, none, 1, NULL, &error));
    REFUSES(hdrbatch_write(renderer, none, "out", kind, NULL, &error));
    size_t count = 77;
    REFUSES(hdrbatch_encode(renderer, none, kind, NULL, &count, &error));
    CHECK(count == 77);
    REFUSES(hdrbatch_compare(renderer, none, image, NULL, &error));
    REFUSES(hdrbatch_compare(renderer, image, none, NULL, &error));
    hdrbatch_layout layout = {.size = sizeof layout};
    REFUSES(hdrbatch_pixels_layout((const hdrbatch_pixels *)none, &layout, &error));
    REFUSES(hdrbatch_pixels_report((const hdrbatch_pixels *)none, &error));
    CHECK(!*hdrbatch_error_code((const hdrbatch_error *)none) && !*hdrbatch_error_kind((const hdrbatch_error *)none) &&
          !*hdrbatch_error_message((const hdrbatch_error *)none));
    if (none == (const void *)renderer) continue;
    hdrbatch_release(none);
    REFUSES(hdrbatch_renderer_info((const hdrbatch_renderer *)none, &error));
    REFUSES(hdrbatch_image_open((const hdrbatch_renderer *)none, photo, &error));
    REFUSES(hdrbatch_image_open_bytes((const hdrbatch_renderer *)none, "", 0, NULL, &error));
    REFUSES(hdrbatch_image_open_fd((const hdrbatch_renderer *)none, 0, NULL, &error));
  }
  REFUSES(hdrbatch_render((const hdrbatch_renderer *)image, image, 1, NULL, &error));

  /* Files. */
  size_t size;
  char *bytes = contents(photo, &size);
  REFUSES(hdrbatch_image_open(renderer, NULL, &error));
  REFUSES(hdrbatch_image_open(renderer, long_text, &error));
  FAILS(hdrbatch_image_open(renderer, "", &error), "io.read", "input");
  FAILS(hdrbatch_image_open(renderer, "none.jpg", &error), "io.read", "input");
  FAILS(hdrbatch_image_open(renderer, "\xff\n", &error), "io.read", "input");
  FAILS(hdrbatch_image_open(renderer, ".", &error), "io.read", "input");
  REFUSES(hdrbatch_image_open_bytes(renderer, NULL, 1, NULL, &error));
  REFUSES(hdrbatch_image_open_bytes(renderer, bytes, SIZE_MAX, NULL, &error));
  FAILS(hdrbatch_image_open_bytes(renderer, bytes, SIZE_MAX / 2, NULL, &error), "decode.limit", "source");
  REFUSES(hdrbatch_image_open_bytes(renderer, bytes, size, "\xff", &error));
  FAILS(hdrbatch_image_open_bytes(renderer, "no photo", 8, NULL, &error), "decode.unsupported", "source");
  CHECK(!hdrbatch_image_open_bytes(renderer, NULL, 0, NULL, &error) && error);
  hdrbatch_release(error);
  hdrbatch_image *cut = hdrbatch_image_open_bytes(renderer, bytes, size / 3, NULL, NULL);
  CHECK(!hdrbatch_render(renderer, cut, 1, NULL, &error) && error);
  hdrbatch_release(error);
  hdrbatch_release(cut);
  FAILS(hdrbatch_image_open_fd(renderer, -1, NULL, &error), "io.read", "input");
  FAILS(hdrbatch_image_open_fd(renderer, 99999, NULL, &error), "io.read", "input");
  int ends[2];
  CHECK(!pipe(ends));
  FAILS(hdrbatch_image_open_fd(renderer, ends[0], NULL, &error), "io.read", "input");
  close(ends[0]);
  close(ends[1]);

  /* The bytes and the descriptor are the caller's, and may go at once. */
  int descriptor = open(photo, O_RDONLY);
  lseek(descriptor, 100, SEEK_SET);
  hdrbatch_image *of_descriptor = hdrbatch_image_open_fd(renderer, descriptor, "a name", &error);
  hdrbatch_image *of_bytes = hdrbatch_image_open_bytes(renderer, bytes, size, NULL, &error);
  CHECK(of_descriptor && of_bytes && lseek(descriptor, 0, SEEK_CUR) == 100);
  close(descriptor);
  free(bytes);
  char *difference = hdrbatch_compare(renderer, of_descriptor, of_bytes, NULL, &error);
  CHECK(difference && strstr(difference, "\"verdict\":\"equal\""));
  hdrbatch_free(difference);
  FAILS(hdrbatch_compare(renderer, of_bytes, of_bytes, "p95(", &error), "option.value", "request");
  hdrbatch_release(of_descriptor);
  REFUSES(hdrbatch_image_info(of_descriptor, &error));
  hdrbatch_release(of_descriptor);
  hdrbatch_release(of_bytes);

  /* Edits. */
  REFUSES(hdrbatch_image_filter(image, NULL, &error));
  FAILS(hdrbatch_image_filter(image, "gausian-blur=3", &error), "filter.words", "request");
  REFUSES(hdrbatch_image_apply(image, NULL, NULL, &error));
  FAILS(hdrbatch_image_apply(image, "steps: [", NULL, &error), "recipe", "request");
  REFUSES(hdrbatch_image_apply(image, "steps: []", "\xff", &error));
  hdrbatch_image *small = hdrbatch_image_filter(image, "scale=factor:0.1", &error);
  CHECK(small);
  FAILS(hdrbatch_compare(renderer, small, image, NULL, &error), "compare.edited", "request");

  /* Pixels. */
  const double none[] = {-1, 0.5, 1e9, 1.0 / 0.0, 0.0 / 0.0};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) REFUSES(hdrbatch_render(renderer, small, none[i], NULL, &error));
  FAILS(hdrbatch_render(renderer, small, 1, (const char *const[]){"primaries=red", NULL}, &error), "option.value", "request");
  FAILS(hdrbatch_render(renderer, small, 1, (const char *const[]){"quality=80", NULL}, &error), "recipe", "request");
  hdrbatch_pixels *pixels = hdrbatch_render(renderer, small, 0, NULL, &error);
  CHECK(pixels && !error);
  hdrbatch_layout layout = {.size = sizeof layout - 1};
  REFUSES(hdrbatch_pixels_layout(pixels, &layout, &error));
  REFUSES(hdrbatch_pixels_layout(pixels, NULL, &error));
  layout.size = sizeof layout;
  CHECK(hdrbatch_pixels_layout(pixels, &layout, &error) == 1 && layout.row_bytes >= 8 * layout.width);
  hdrbatch_layout *longer = calloc(1, sizeof layout + 64);
  longer->size = sizeof layout + 64;
  CHECK(hdrbatch_pixels_layout(pixels, longer, &error) == 1 && longer->data == layout.data);
  free(longer);
  uint64_t sum = 0;
  for (size_t y = 0; y < layout.height; y++) {
    const uint16_t *row = (const uint16_t *)((const char *)layout.data + y * layout.row_bytes);
    for (size_t i = 0; i < 4 * layout.width; i++) sum += row[i];
  }
  CHECK(sum > 0);

  /* Files that are written. */
  REFUSES(hdrbatch_write(renderer, small, NULL, kind, NULL, &error));
  REFUSES(hdrbatch_write(renderer, small, "out.jpg", NULL, NULL, &error));
  FAILS(hdrbatch_write(renderer, small, "out.jpg", "sdr-jpg-of-mine", NULL, &error), "format.name", "request");
  FAILS(hdrbatch_write(renderer, small, "none/out.jpg", kind, NULL, &error), "io.write", "output");
  FAILS(hdrbatch_write(renderer, small, "out.jpg", kind, (const char *const[]){"on-existing=ask", NULL}, &error),
        "option.value", "request");
  text = hdrbatch_write(renderer, small, "out.jpg", kind, NULL, &error);
  CHECK(text && !error);
  hdrbatch_free(text);
  FAILS(hdrbatch_write(renderer, small, "out.jpg", kind, NULL, &error), "output.exists", "exists");
  size_t written, encoded = 0;
  char *on_disk = contents("out.jpg", &written);
  REFUSES(hdrbatch_encode(renderer, small, kind, NULL, NULL, &error));
  FAILS(hdrbatch_encode(renderer, small, kind, (const char *const[]){"max-bytes=20k", NULL}, &encoded, &error), "option.value",
        "request");
  char *in_memory = hdrbatch_encode(renderer, small, kind, NULL, &encoded, &error);
  CHECK(in_memory && encoded == written && !memcmp(in_memory, on_disk, written));
  hdrbatch_free(in_memory);
  free(on_disk);

  /* What was made stays when its makers go. */
  hdrbatch_release(image);
  shared_image = small;
  pthread_t threads[4];
  void *sums[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, encode_shared, NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], &sums[i]);
  CHECK(sums[0] && sums[0] == sums[1] && sums[1] == sums[2] && sums[2] == sums[3]);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, render_released, small);
  hdrbatch_release(small);
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], &sums[i]);
    CHECK(sums[i] == (void *)1);
  }
  hdrbatch_release(renderer);
  hdrbatch_release(renderer);
  for (size_t y = 0; y < layout.height; y++) sum -= *((const uint8_t *)layout.data + y * layout.row_bytes);
  text = hdrbatch_pixels_report(pixels, &error);
  CHECK(text && strstr(text, "\"displayHeadroom\""));
  hdrbatch_free(text);
  hdrbatch_release(pixels);
  hdrbatch_release(pixels);
  hdrbatch_free(NULL);
  free((void *)long_text);
  printf("misuse: %d checks, %d failures\n", checks, failures);
  return failures != 0;
}
