#include "CAVCodec.h"

#include <pthread.h>
#include <stdio.h>

#include "CRunTime.h"

static const char name[] = "libhdrbatch-avcodec.so";
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct hdr_avcodec *found;
static char missing[256];

static void look(void) {
  const struct hdr_avcodec *(*table)(void);
  const struct hdr_wanted wanted[] = {{"hdr_avcodec_table", &table}};
  if (!hdr_open_library(name, wanted, 1, missing, sizeof missing)) return;
  const struct hdr_avcodec *functions = table();
  if (!functions || functions->interface != HDR_AVCODEC_INTERFACE)
    snprintf(missing, sizeof missing, "%s is of another version of hdrbatch; scripts/avcodec builds it anew", name);
  else found = functions;
}

const struct hdr_avcodec *hdr_avcodec(void) {
  pthread_once(&once, look);
  return found;
}

const char *hdr_avcodec_missing(void) {
  pthread_once(&once, look);
  return missing;
}
