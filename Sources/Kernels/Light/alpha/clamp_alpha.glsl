// clamp_alpha: the twin of ClampAlpha.
vec4 clamp_alpha(vec4 p, uint k) {
    float low = p.w > 0.0 ? p.w : 0.0;
    return vec4(p.x, p.y, p.z, low < 1.0 ? low : 1.0);
}
