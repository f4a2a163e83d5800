#include "CRunTime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *hdr_open_library(const char *name, const struct hdr_wanted *wanted, size_t count, char *missing, size_t room) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    snprintf(missing, room, "%s", why ? why : "dlopen failed");
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    void *found = dlsym(library, wanted[i].name);
    memcpy(wanted[i].slot, &found, sizeof found);
    if (!found) {
      snprintf(missing, room, "%s has no %s", name, wanted[i].name);
      return NULL;
    }
  }
  return library;
}
