/* The functions of CRaw.h as a table, because there may be two builds of raw.c: in this program, with the headers of the system's
   LibRaw, and in libhdrbatch-raw.so, with those of the LibRaw that scripts/raw puts there. */
#pragma once
#include "CRaw.h"

/* The version of the interface; it changes with every change of the structures and functions of CRaw.h. */
#define HDR_RAW_INTERFACE 1
#define HDR_RAW_OWN_NAME "libhdrbatch-raw.so"

#ifdef HDR_RAW_OWN
#define HDR_RAW_TABLE hdr_raw_own_table
#else
#define HDR_RAW_TABLE hdr_raw_system_table
#endif

struct hdr_raw_table {
  int interface;
  __typeof__(hdr_raw_version) *version;
  __typeof__(hdr_raw_missing) *missing;
  __typeof__(hdr_raw_open) *open;
  __typeof__(hdr_raw_close) *close;
  __typeof__(hdr_raw_status) *status;
  __typeof__(hdr_raw_damage) *damage;
  __typeof__(hdr_raw_error) *error;
  __typeof__(hdr_raw_unpack) *unpack;
  __typeof__(hdr_raw_preview) *preview;
  __typeof__(hdr_raw_describe) *describe;
  __typeof__(hdr_raw_samples) *samples;
};

/* Returns the functions of this build of raw.c. */
const struct hdr_raw_table *HDR_RAW_TABLE(void);
