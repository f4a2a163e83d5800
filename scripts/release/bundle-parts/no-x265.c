/* In the place of libx265 in a bundle made with --without-x265 (docs/bundle.md): libheif asks for an encoder of some bit
   depth and is told that there is none. No code or interface of x265 is in here but the name of that one function,
   which scripts/bundle takes from libheif. */
const void *X265_API_GET(int bit_depth);
const void *X265_API_GET(int bit_depth) {
  (void)bit_depth;
  return 0;
}

/* What HEVCEncoder.isAvailable looks for. */
const int hdrbatch_without_x265 = 1;
