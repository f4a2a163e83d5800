// store_rgba16: one pixel an invocation; the twin of StoreRGBA16.
#pragma words DITHER

void store_rgba16(uvec2 block, uint k) {
    uvec2 xy = uvec2(block.x, block.y + frame(FRAME_FIRST_ROW));
    if (xy.x >= frame(FRAME_WIDTH) || block.y >= frame(FRAME_ROW_COUNT)) return;
    vec4 p = program(xy);
    float amplitude = constant_float(DITHER);
    uint byte = output_byte(0u, xy.y, xy.x * 8u);
    put(byte, dither_quantize(p.x, 65535.0, amplitude, 0u) | dither_quantize(p.y, 65535.0, amplitude, 1u) << 16);
    put(byte + 4u, dither_quantize(p.z, 65535.0, amplitude, 2u) | e32_quantize(p.w, 65535.0) << 16);
}
