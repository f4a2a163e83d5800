#include "CDe265.h"

#include <pthread.h>

#include "CRunTime.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct hdr_de265 table;
static const struct hdr_de265 *found;
static char missing[256];

static void look(void) {
#define WANTED(name) HDR_WANTED(table, name)
  static const struct hdr_wanted wanted[] = {HDR_DE265_FUNCTIONS(WANTED)};
#undef WANTED
  if (hdr_open_library("libde265.so.0", wanted, sizeof wanted / sizeof *wanted, missing, sizeof missing)) found = &table;
}

const struct hdr_de265 *hdr_de265(void) {
  pthread_once(&once, look);
  return found;
}

const char *hdr_de265_missing(void) {
  pthread_once(&once, look);
  return missing;
}
