#pragma once
#include "CPNGShim.h"

/* Reads the pixels of a file whose chunks have been looked through. 0: not a plain one, or something is wrong with it;
   `pixels` may hold anything then. `first` and `behind`: the place of the IDAT chunks, also when `pixels` is not done. */
int hdr_png_plain(
    const uint8_t *bytes, size_t count, const hdr_png_layout *layout, uint8_t *pixels, size_t row_bytes, size_t *first,
    size_t *behind);
