/* A library that is opened at run time, for loaders in other folders: once in a process, by pthread_once. */
#pragma once
#include <stddef.h>

struct hdr_wanted {
  const char *name;
  /* Where the function's address goes. */
  void *slot;
};

/* Opens a library and looks up functions, all of which must be there.
   Its handle; NULL: `missing` says in one line what is. */
void *hdr_open_library(const char *name, const struct hdr_wanted *wanted, size_t count, char *missing, size_t room);

/* An entry of the list, for a table with members of the functions' names. */
#define HDR_WANTED(table, function) {#function, &(table).function},
