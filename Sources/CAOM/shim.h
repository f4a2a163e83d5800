#pragma once
#include <aom/aom_encoder.h>
#include <aom/aomcx.h>

// Wrappers of functions that Swift cannot call: a macro that adds the interface version, and a variadic function.
static inline aom_codec_err_t hdr_aom_open(aom_codec_ctx_t *context, const aom_codec_enc_cfg_t *configuration,
                                           aom_codec_flags_t flags) {
  return aom_codec_enc_init(context, aom_codec_av1_cx(), configuration, flags);
}

static inline aom_codec_err_t hdr_aom_set(aom_codec_ctx_t *context, enum aome_enc_control_id control, int value) {
  return aom_codec_control(context, (int)control, value);
}
