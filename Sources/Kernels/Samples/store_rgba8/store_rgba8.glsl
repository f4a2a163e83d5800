// store_rgba8: one pixel an invocation; the twin of StoreRGBA8.
#pragma words DITHER

void store_rgba8(uvec2 block, uint k) {
    uvec2 xy = uvec2(block.x, block.y + frame(FRAME_FIRST_ROW));
    if (xy.x >= frame(FRAME_WIDTH) || block.y >= frame(FRAME_ROW_COUNT)) return;
    vec4 p = program(xy);
    float amplitude = constant_float(DITHER);
    put(output_byte(0u, xy.y, xy.x * 4u),
        (dither_quantize(p.x, 255.0, amplitude, 0u) | dither_quantize(p.y, 255.0, amplitude, 1u) << 8)
        | (dither_quantize(p.z, 255.0, amplitude, 2u) << 16 | e32_quantize(p.w, 255.0) << 24));
}
