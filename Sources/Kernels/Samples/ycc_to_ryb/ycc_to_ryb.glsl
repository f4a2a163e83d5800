// ycc_to_ryb: the twin of YCCToRYB.
#pragma words LUMA RED_BELOW RED_ABOVE BLUE_BELOW BLUE_ABOVE

vec4 ycc_to_ryb(vec4 p, uint k) {
    float y = p.x * constant_float(LUMA);
    vec4 q;
    q.x = y + (p.z > 0.0 ? constant_float(RED_ABOVE) : constant_float(RED_BELOW)) * p.z;
    q.y = y;
    q.z = y + (p.y > 0.0 ? constant_float(BLUE_ABOVE) : constant_float(BLUE_BELOW)) * p.y;
    q.w = p.w;
    return q;
}
