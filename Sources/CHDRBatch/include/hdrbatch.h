/* libhdrbatch: HDR photos in, pixels and files out. docs/c.md has the same in an example.
 *
 * Handles. Renderers, images, pixels and errors are numbers in the form of pointers: never follow one. A handle that is
 * NULL, released, of another kind or made up is found out: the call fails with the code "argument". Each handle that a
 * function returns is the caller's, until hdrbatch_release. What was made of a handle does not need it any more: an
 * image may be released while pixels of it are in use, and a renderer before its images.
 *
 * Texts. Those that go in are UTF-8 and end with a zero; they are read before the call returns. Paths are bytes as the
 * kernel has them. A `char *` that comes back is the caller's, until hdrbatch_free. A `const char *` that comes back is
 * the library's: that of an error until the error is released, the version's for ever.
 *
 * Errors. A function that fails returns NULL or 0. Its last parameter may be NULL; else `*error` is set to NULL at the
 * start, and to an error, which is the caller's, on failure. Nothing is printed, and no bad argument ends the process. A
 * codec that crashes on a damaged file does, unless the renderer has a sandbox.
 *
 * Options. A list of "name=value" that ends with NULL, or NULL for none. Names are those of the program's options
 * without dashes: {"tone-map=bt2390", "primaries=p3", NULL}. A flag is "strict=true". A name that takes a list may stand
 * several times. An unknown name or value is an error, which names the nearest.
 *
 * Threads. Any thread may call any function at any time, with the same handles too; calls on one renderer run at once.
 * Release a handle while another thread uses it: the call ends as if it were not. After fork() the child must not call
 * the library.
 *
 * Light. Pixels are linear light in the primaries that the layout states (by default BT.2020), 1.0 = reference white,
 * 203 cd/m2. A headroom is the peak over reference white, as a factor: 1 is SDR, 4 is a display of 812 cd/m2. Sizes are
 * in pixels, in viewing orientation, rows from the top; bytes are counted in size_t.
 *
 * The version of the symbols is HDRBATCH_0_1. The API is 0.1 and may change with the next.
 */
#ifndef HDRBATCH_H
#define HDRBATCH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens devices and codecs, which takes time: make one and keep it. */
typedef struct hdrbatch_renderer hdrbatch_renderer;
/* A file or bytes, and the edits to it; no pixels. It never changes. */
typedef struct hdrbatch_image hdrbatch_image;
/* A rendered picture. It never changes. */
typedef struct hdrbatch_pixels hdrbatch_pixels;
/* Why a call failed. */
typedef struct hdrbatch_error hdrbatch_error;

/* The place of pixels in memory: R, G, B, A half floats (IEEE binary16, the machine's order of bytes), straight alpha. */
typedef struct hdrbatch_layout {
  /* Set by the caller: sizeof(hdrbatch_layout). Later versions have more fields and accept this size. */
  size_t size;
  size_t width, height;
  /* From one row to the next; a row has 8 * width bytes of pixels. */
  size_t row_bytes;
  /* The first row. The memory is that of the pixels, and must not be written to. */
  const void *data;
  /* The code of ITU-T H.273: 9 BT.2020, 12 Display P3, 1 BT.709. */
  int primaries;
  /* 1 if alpha can be other than 1. */
  int has_alpha;
} hdrbatch_layout;

/* Returns the version of the library, as "0.1.0". */
const char *hdrbatch_version(void);

/* Opens a renderer. Options: backend (auto, gpu, cpu), device, threads, isolation (none, sandbox, rlimit, fresh),
 * codec-program, require-sandbox, max-seconds, max-worker-memory, max-crashes, max-pixels, max-side, max-file-bytes,
 * unsafe-codecs, hevc-decoder. Without `isolation` codecs run in this process; files of others want "isolation=sandbox",
 * which starts hdrbatch-codec: codec-program, else HDRBATCH_CODEC, else the one beside this library, else the one beside
 * the program. */
hdrbatch_renderer *hdrbatch_renderer_open(const char *const *options, hdrbatch_error **error);

/* Returns JSON: version, device, fallback (why no GPU renders; else null), isolation. */
char *hdrbatch_renderer_info(const hdrbatch_renderer *renderer, hdrbatch_error **error);

/* Reads structure and metadata of a file. It is opened again when it is rendered. */
hdrbatch_image *hdrbatch_image_open(const hdrbatch_renderer *renderer, const char *path, hdrbatch_error **error);

/* The same of bytes, which are copied. `name` stands for the path in messages; NULL is "data". */
hdrbatch_image *hdrbatch_image_open_bytes(const hdrbatch_renderer *renderer, const void *bytes, size_t count,
                                          const char *name, hdrbatch_error **error);

/* The same of a regular file or a memfd that is open for reading. It is read from its start whatever its offset, and
 * stays the caller's, who may close it at once. NULL as `name` is "descriptor". */
hdrbatch_image *hdrbatch_image_open_fd(const hdrbatch_renderer *renderer, int descriptor, const char *name,
                                       hdrbatch_error **error);

/* Returns the JSON object that `hdrbatch info --json` prints of the file, without edits. */
char *hdrbatch_image_info(const hdrbatch_image *image, hdrbatch_error **error);

/* Returns the image with one more filter, in the words of --filter: "exposure=ev:0.5". Its values are checked when the
 * image is rendered. */
hdrbatch_image *hdrbatch_image_filter(const hdrbatch_image *image, const char *words, hdrbatch_error **error);

/* Returns the image with a recipe's steps, inputs and settings (docs/recipes.md), YAML or JSON. Paths in it are relative
 * to `folder`; NULL is the working folder. Its outputs are not used. */
hdrbatch_image *hdrbatch_image_apply(const hdrbatch_image *image, const char *recipe, const char *folder,
                                     hdrbatch_error **error);

/* Renders into memory, for a display of this headroom, 1 to 65536; 0 is the content's own, without tone mapping. */
hdrbatch_pixels *hdrbatch_render(const hdrbatch_renderer *renderer, const hdrbatch_image *image, double headroom,
                                 const char *const *options, hdrbatch_error **error);

/* Fills the layout. `data` is valid until the pixels are released. Returns 1, or 0 on failure. */
int hdrbatch_pixels_layout(const hdrbatch_pixels *pixels, hdrbatch_layout *layout, hdrbatch_error **error);

/* Returns what was decided on the way, as the JSON object that `hdrbatch render --record` writes for a picture. */
char *hdrbatch_pixels_report(const hdrbatch_pixels *pixels, hdrbatch_error **error);

/* Renders into a file. `format` is a word of --to: "adaptive-jpeg", "pq-avif". The file gets its name when it is whole,
 * checked and on the disk; one of that name is an error of kind "exists" without the option "on-existing=replace".
 * Returns the report, as above. */
char *hdrbatch_write(const hdrbatch_renderer *renderer, const hdrbatch_image *image, const char *path,
                     const char *format, const char *const *options, hdrbatch_error **error);

/* The same into memory: returns the bytes of the file, which are the caller's until hdrbatch_free, and their number in
 * `*count`. A sidecar is not made; options that search for a quality are refused. */
void *hdrbatch_encode(const hdrbatch_renderer *renderer, const hdrbatch_image *image, const char *format,
                      const char *const *options, size_t *count, hdrbatch_error **error);

/* Compares an image with a reference, `a`; neither may have edits. `accept` is a preset or a condition
 * (docs/compare.md), NULL for none. Returns the JSON object that `hdrbatch compare --json` writes for a pair; its
 * `verdict` says whether `b` is accepted. */
char *hdrbatch_compare(const hdrbatch_renderer *renderer, const hdrbatch_image *a, const hdrbatch_image *b,
                       const char *accept, hdrbatch_error **error);

/* Return what an error says; "" for anything but an error. `code` is a stable word, as "decode.truncated"; `kind` is one
 * of source, request, input, output, exists, encoder, rejected, codec, device, wrongDevice, unavailable, cancelled;
 * `message` is one line: the file, the problem, the fix. */
const char *hdrbatch_error_code(const hdrbatch_error *error);
const char *hdrbatch_error_kind(const hdrbatch_error *error);
const char *hdrbatch_error_message(const hdrbatch_error *error);

/* Releases a renderer, an image, pixels or an error; anything else has no effect. */
void hdrbatch_release(const void *handle);

/* Frees a text or bytes that a function returned; NULL has no effect. */
void hdrbatch_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
