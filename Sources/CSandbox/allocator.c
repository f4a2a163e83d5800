/* The allocator of libc with a memory for what it could not give. A refused request ends a Swift program with a signal
   that says nothing, and a C library with an error that may say anything; this is how either is known for what it was.
   Only hdrbatch-codec is linked with this. */
#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static unsigned long long refused;
static unsigned long long *report;

static void *note(void *block, size_t size) {
  if (__builtin_expect(!block && size > 0, 0)) {
    if (size > refused) refused = size;
    if (report) *report = refused;
  }
  return block;
}

unsigned long long hdr_refused_bytes(void) { return refused; }

void hdr_forget_refused_bytes(void) {
  refused = 0;
  if (report) *report = 0;
}

void hdr_report_refused_bytes(unsigned long long *place) { report = place; }

void *malloc(size_t size) { return note(__libc_malloc(size), size); }
void *calloc(size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) all = SIZE_MAX;
  return note(__libc_calloc(count, size), all);
}
void *realloc(void *block, size_t size) { return note(__libc_realloc(block, size), size); }
void *memalign(size_t alignment, size_t size) { return note(__libc_memalign(alignment, size), size); }
void *aligned_alloc(size_t alignment, size_t size) { return note(__libc_memalign(alignment, size), size); }
int posix_memalign(void **place, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  void *block = note(__libc_memalign(alignment, size), size);
  if (!block) return ENOMEM;
  *place = block;
  return 0;
}
