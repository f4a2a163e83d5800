#include "CBuiltinConfigs.h"

// The built-in configs of OpenColorIO 2.6 as it writes them (configs/LICENSE: BSD-3-Clause).
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char cg_2_2_0[] = {
#embed "configs/cg-config-v2.2.0_aces-v1.3_ocio-v2.4.ocio"
};
static const unsigned char cg_4_0_0[] = {
#embed "configs/cg-config-v4.0.0_aces-v2.0_ocio-v2.5.ocio"
};
static const unsigned char cg_5_0_0[] = {
#embed "configs/cg-config-v5.0.0_aces-v2.1_ocio-v2.6.ocio"
};
static const unsigned char studio_2_2_0[] = {
#embed "configs/studio-config-v2.2.0_aces-v1.3_ocio-v2.4.ocio"
};
static const unsigned char studio_4_0_0[] = {
#embed "configs/studio-config-v4.0.0_aces-v2.0_ocio-v2.5.ocio"
};
static const unsigned char studio_5_0_0[] = {
#embed "configs/studio-config-v5.0.0_aces-v2.1_ocio-v2.6.ocio"
};

static const struct hdr_builtin_config configs[] = {
  {"cg-config-v2.2.0_aces-v1.3_ocio-v2.4", cg_2_2_0, sizeof cg_2_2_0},
  {"cg-config-v4.0.0_aces-v2.0_ocio-v2.5", cg_4_0_0, sizeof cg_4_0_0},
  {"cg-config-v5.0.0_aces-v2.1_ocio-v2.6", cg_5_0_0, sizeof cg_5_0_0},
  {"studio-config-v2.2.0_aces-v1.3_ocio-v2.4", studio_2_2_0, sizeof studio_2_2_0},
  {"studio-config-v4.0.0_aces-v2.0_ocio-v2.5", studio_4_0_0, sizeof studio_4_0_0},
  {"studio-config-v5.0.0_aces-v2.1_ocio-v2.6", studio_5_0_0, sizeof studio_5_0_0},
};

const struct hdr_builtin_config *hdr_builtin_config(int index) {
  return index >= 0 && index < (int)(sizeof configs / sizeof configs[0]) ? &configs[index] : NULL;
}
