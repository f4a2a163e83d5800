// store_rgba16f: one pixel an invocation; the twin of StoreRGBA16F.
void store_rgba16f(uvec2 block, uint k) {
    uvec2 xy = uvec2(block.x, block.y + frame(FRAME_FIRST_ROW));
    if (xy.x >= frame(FRAME_WIDTH) || block.y >= frame(FRAME_ROW_COUNT)) return;
    vec4 p = program(xy);
    imageStore(output_image, ivec2(block), uvec4(e32_half(p.x), e32_half(p.y), e32_half(p.z), e32_half(p.w)));
}
