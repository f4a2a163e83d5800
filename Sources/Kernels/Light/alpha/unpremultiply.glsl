// unpremultiply: the twin of Unpremultiply.
vec4 unpremultiply(vec4 p, uint k) {
    float least = uintBitsToFloat(0x37000000u);
    float solid = p.w > least ? p.w : 1.0;
    float inverse = e32_reciprocal(solid);
    float factor = p.w > least ? (p.w < 1.0 ? inverse : 1.0) : 0.0;
    return vec4(p.x * factor, p.y * factor, p.z * factor, p.w);
}
