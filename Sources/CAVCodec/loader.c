#include "CAVCodec.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static const char name[] = "libhdrbatch-avcodec.so";
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct hdr_avcodec *found;
static char missing[256];

static void look(void) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    snprintf(missing, sizeof missing, "%s", why ? why : "dlopen failed");
    return;
  }
  const struct hdr_avcodec *(*table)(void) = (const struct hdr_avcodec *(*)(void))dlsym(library, "hdr_avcodec_table");
  const struct hdr_avcodec *functions = table ? table() : NULL;
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
