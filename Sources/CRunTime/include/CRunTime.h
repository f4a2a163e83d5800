/* Opens libraries at run time, for the loaders in other folders, which use pthread_once to do so once in a process. */
#pragma once
#include <stddef.h>

struct hdr_wanted {
  const char *name;
  /* The place for the function's address. */
  void *slot;
};

/* Opens a library and looks up functions, all of which must be there. Returns its handle; NULL: `missing` gets the
   reason in one line. */
void *hdr_open_library(const char *name, const struct hdr_wanted *wanted, size_t count, char *missing, size_t room);

/* An entry of the list, for a table whose members have the functions' names. */
#define HDR_WANTED(table, function) {#function, &(table).function},
