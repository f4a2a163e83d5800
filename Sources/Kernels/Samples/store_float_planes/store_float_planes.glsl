// store_float_planes: one pixel an invocation; the twin of StoreFloatPlanes.
#pragma words CHANNELS

void store_float_planes(uvec2 block, uint k) {
    uvec2 xy = uvec2(block.x, block.y + frame(FRAME_FIRST_ROW));
    if (xy.x >= frame(FRAME_WIDTH) || block.y >= frame(FRAME_ROW_COUNT)) return;
    vec4 p = program(xy);
    put(output_byte(0u, xy.y, xy.x * 4u), floatBitsToUint(p.x));
    if (constant(CHANNELS) >= 3u) {
        put(output_byte(1u, xy.y, xy.x * 4u), floatBitsToUint(p.y));
        put(output_byte(2u, xy.y, xy.x * 4u), floatBitsToUint(p.z));
    }
    if (constant(CHANNELS) == 4u) put(output_byte(3u, xy.y, xy.x * 4u), floatBitsToUint(p.w));
}
