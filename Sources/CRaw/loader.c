/* Chooses a LibRaw: libhdrbatch-raw.so of scripts/raw, else the system's. */
#include <pthread.h>
#include <stdio.h>

#include "CRunTime.h"
#include "raw.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct hdr_raw_table *chosen;
static char missing[256];

static void look(void) {
  const struct hdr_raw_table *(*table)(void), *own;
  const struct hdr_wanted wanted[] = {{"hdr_raw_own_table", &table}};
  char why[128];
  chosen = hdr_raw_system_table();
  if (hdr_open_library(HDR_RAW_OWN_NAME, wanted, 1, why, sizeof why) && (own = table()) &&
      own->interface == HDR_RAW_INTERFACE && own->version())
    chosen = own;
  if (!chosen->version())
    snprintf(missing, sizeof missing, "neither %s (scripts/raw) nor %.160s", HDR_RAW_OWN_NAME, chosen->missing());
}

static const struct hdr_raw_table *raw(void) {
  pthread_once(&once, look);
  return chosen;
}

const char *hdr_raw_version(void) { return raw()->version(); }

const char *hdr_raw_missing(void) {
  raw();
  return missing;
}

struct hdr_raw *hdr_raw_open(const uint8_t *bytes, size_t count, unsigned memory_mb) {
  return raw()->open(bytes, count, memory_mb);
}
void hdr_raw_close(struct hdr_raw *file) { chosen->close(file); }
int hdr_raw_status(const struct hdr_raw *file) { return chosen->status(file); }
int hdr_raw_damage(const struct hdr_raw *file) { return chosen->damage(file); }
const char *hdr_raw_error(const struct hdr_raw *file) { return chosen->error(file); }
int hdr_raw_unpack(struct hdr_raw *file) { return chosen->unpack(file); }
const void *hdr_raw_preview(struct hdr_raw *file, size_t *bytes) { return chosen->preview(file, bytes); }
void hdr_raw_describe(struct hdr_raw *file, struct hdr_raw_facts *facts) { chosen->describe(file, facts); }
const void *hdr_raw_samples(const struct hdr_raw *file, int *kind, size_t *pitch) {
  return chosen->samples(file, kind, pitch);
}
