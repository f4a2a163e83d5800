#pragma once
#include "CPNGShim.h"

/* Reads the pixels of a file whose chunks are checked. 0: the file is not a plain one, or is damaged; `pixels` may then
   hold anything. `first` and `behind`: the place of the IDAT chunks, also if 0 is returned. */
int hdr_png_plain(
    const uint8_t *bytes, size_t count, const hdr_png_layout *layout, uint8_t *pixels, size_t row_bytes, size_t *first,
    size_t *behind);
