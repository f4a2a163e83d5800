#pragma once
#include <stddef.h>

/// A config of OpenColorIO that the program carries.
struct hdr_builtin_config {
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
};

/// Returns a config by its place in the order of `configs/`; NULL after the last one.
const struct hdr_builtin_config *_Nullable hdr_builtin_config(int index);
