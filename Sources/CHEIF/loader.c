#include "CHEIF.h"

#include <dlfcn.h>
#include <pthread.h>

#include "CRunTime.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct hdr_heif table;
static const struct hdr_heif *found;
static char missing[256];

static void look(void) {
#define WANTED(name) HDR_WANTED(table, name)
  static const struct hdr_wanted wanted[] = {HDR_HEIF_FUNCTIONS(WANTED)};
#undef WANTED
  void *library = hdr_open_library("libheif.so.1", wanted, sizeof wanted / sizeof *wanted, missing, sizeof missing);
  if (!library) return;
  table.is_without_x265 = dlsym(library, "hdrbatch_without_x265") != NULL;
  found = &table;
}

const struct hdr_heif *hdr_heif(void) {
  pthread_once(&once, look);
  return found;
}

const char *hdr_heif_missing(void) {
  pthread_once(&once, look);
  return missing;
}
