/* photo PHOTO OUT.avif: what a photo says of itself, its brightest light, and an HDR AVIF of 1024 pixels. */
#include <hdrbatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints an error, releases it and ends the program. */
static void fail(const char *what, hdrbatch_error *error) {
  fprintf(stderr, "photo: %s: %s [%s, %s]\n", what, hdrbatch_error_message(error), hdrbatch_error_code(error),
          hdrbatch_error_kind(error));
  hdrbatch_release(error);
  exit(1);
}

/* Returns the value of a half float. */
static float half(uint16_t bits) {
  uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 0 ? fraction / 16777216.0f : (1024 + fraction) / 33554432.0f * (float)(1u << exponent);
  return bits & 0x8000 ? -value : value;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: photo PHOTO OUT.avif\n");
    return 2;
  }
  hdrbatch_error *error;
  printf("libhdrbatch %s\n", hdrbatch_version());

  /* Any GPU, else the CPU: the same bits. Codecs run in processes that can do nothing else. */
  const char *const machine[] = {"isolation=sandbox", NULL};
  hdrbatch_renderer *renderer = hdrbatch_renderer_open(machine, &error);
  if (!renderer) fail("no renderer", error);

  hdrbatch_image *photo = hdrbatch_image_open(renderer, argv[1], &error);
  if (!photo) fail("not opened", error);
  char *info = hdrbatch_image_info(photo, &error);
  if (!info) fail("no facts", error);
  printf("%s\n", info);
  hdrbatch_free(info);

  /* Half a stop brighter, 1024 pixels wide. The first image stays as it is. */
  const char *recipe = "{\"steps\": [{\"exposure\": {\"ev\": 0.5}}, {\"resize\": {\"width\": 1024}}]}";
  hdrbatch_image *edited = hdrbatch_image_apply(photo, recipe, NULL, &error);
  if (!edited) fail("no recipe", error);

  /* Linear light for a display of four times reference white. */
  hdrbatch_pixels *pixels = hdrbatch_render(renderer, edited, 4, NULL, &error);
  if (!pixels) fail("not rendered", error);
  hdrbatch_layout layout = {.size = sizeof layout};
  if (!hdrbatch_pixels_layout(pixels, &layout, &error)) fail("no layout", error);
  float brightest = 0;
  for (size_t y = 0; y < layout.height; y++) {
    const uint16_t *row = (const uint16_t *)((const char *)layout.data + y * layout.row_bytes);
    for (size_t i = 0; i < 4 * layout.width; i++) {
      float light = i % 4 == 3 ? 0 : half(row[i]);
      if (light > brightest) brightest = light;
    }
  }
  printf("%zux%zu, primaries %d, brightest %.3f\n", layout.width, layout.height, layout.primaries, brightest);
  hdrbatch_release(pixels);

  const char *const options[] = {"quality=85", "on-existing=replace", NULL};
  char *report = hdrbatch_write(renderer, edited, argv[2], "pq-avif", options, &error);
  if (!report) fail("not written", error);
  printf("%s\n", report);
  hdrbatch_free(report);

  hdrbatch_release(edited);
  hdrbatch_release(photo);
  hdrbatch_release(renderer);
  return 0;
}
