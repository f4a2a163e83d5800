/* libde265, which decodes HEVC where libavcodec cannot. Nothing is linked with it: libde265.so.0 is opened at run time.
   Compiled with the system's headers. */
#pragma once
#include <libde265/de265.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HDR_DE265_FUNCTIONS(F)                                                                                         \
  F(de265_get_version)                                                                                                 \
  F(de265_new_decoder)                                                                                                 \
  F(de265_free_decoder)                                                                                                \
  F(de265_set_parameter_bool)                                                                                          \
  F(de265_push_NAL)                                                                                                    \
  F(de265_flush_data)                                                                                                  \
  F(de265_decode)                                                                                                      \
  F(de265_peek_next_picture)                                                                                           \
  F(de265_get_warning)                                                                                                 \
  F(de265_get_error_text)                                                                                              \
  F(de265_get_chroma_format)                                                                                           \
  F(de265_get_bits_per_pixel)                                                                                          \
  F(de265_get_image_width)                                                                                             \
  F(de265_get_image_height)                                                                                            \
  F(de265_get_image_plane)

struct hdr_de265 {
#define HDR_DE265_FIELD(name) __typeof__(name) *_Nonnull name;
  HDR_DE265_FUNCTIONS(HDR_DE265_FIELD)
#undef HDR_DE265_FIELD
};

/* Returns the library's functions; it is opened once in a process. NULL: it is missing or unusable; hdr_de265_missing
   gives the reason. */
const struct hdr_de265 *_Nullable hdr_de265(void);
/* Returns the reason in one line; it is never empty when hdr_de265 gives NULL. */
const char *_Nonnull hdr_de265_missing(void);

#ifdef __cplusplus
}
#endif
