/* libheif, for its HEVC encoder (x265). Nothing is linked with it: libheif.so.1 is opened when a picture is encoded, as
   opening it and its own libraries takes milliseconds. Compiled with the system's headers. */
#pragma once
#include <libheif/heif.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HDR_HEIF_FUNCTIONS(F)                                                                                          \
  F(heif_get_version)                                                                                                  \
  F(heif_context_alloc)                                                                                                \
  F(heif_context_free)                                                                                                 \
  F(heif_context_get_encoder_descriptors)                                                                              \
  F(heif_context_get_encoder_for_format)                                                                               \
  F(heif_context_encode_image)                                                                                         \
  F(heif_context_write)                                                                                                \
  F(heif_encoder_descriptor_get_name)                                                                                  \
  F(heif_encoder_release)                                                                                              \
  F(heif_encoder_set_parameter_string)                                                                                 \
  F(heif_encoding_options_alloc)                                                                                       \
  F(heif_encoding_options_free)                                                                                        \
  F(heif_image_create)                                                                                                 \
  F(heif_image_release)                                                                                                \
  F(heif_image_add_plane)                                                                                              \
  F(heif_image_get_plane)                                                                                              \
  F(heif_image_set_nclx_color_profile)                                                                                 \
  F(heif_nclx_color_profile_alloc)                                                                                     \
  F(heif_nclx_color_profile_free)                                                                                      \
  F(heif_nclx_color_profile_set_color_primaries)                                                                       \
  F(heif_nclx_color_profile_set_transfer_characteristics)                                                              \
  F(heif_nclx_color_profile_set_matrix_coefficients)

struct hdr_heif {
#define HDR_HEIF_FIELD(name) __typeof__(name) *_Nonnull name;
  HDR_HEIF_FUNCTIONS(HDR_HEIF_FIELD)
#undef HDR_HEIF_FIELD
  /* True if x265 is missing: a bundle made without it has a replacement library that encodes nothing and marks itself
     by a symbol (scripts/bundle). */
  bool is_without_x265;
};

/* Returns the library's functions; it is opened once in a process. NULL: it is missing or unusable; hdr_heif_missing
   gives the reason. */
const struct hdr_heif *_Nullable hdr_heif(void);
/* Returns the reason in one line; it is never empty when hdr_heif gives NULL. */
const char *_Nonnull hdr_heif_missing(void);

#ifdef __cplusplus
}
#endif
