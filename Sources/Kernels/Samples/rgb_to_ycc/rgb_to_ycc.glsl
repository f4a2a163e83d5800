// rgb_to_ycc: the twin of RGBToYCC.
#pragma words KR KG KB LUMA_SCALE LUMA_OFFSET CB_SCALE CR_SCALE CHROMA_OFFSET

float nominal(float x) {
    float low = x > 0.0 ? x : 0.0;
    return low < 1.0 ? low : 1.0;
}

vec4 rgb_to_ycc(vec4 p, uint k) {
    float r = nominal(p.x), g = nominal(p.y), b = nominal(p.z);
    float y = (constant_float(KR) * r + constant_float(KG) * g) + constant_float(KB) * b;
    return vec4(y * constant_float(LUMA_SCALE) + constant_float(LUMA_OFFSET),
                (b - y) * constant_float(CB_SCALE) + constant_float(CHROMA_OFFSET),
                (r - y) * constant_float(CR_SCALE) + constant_float(CHROMA_OFFSET), p.w);
}
