// clamp_each: see ClampEach in HDRPlan/Filters/ColorClamp.swift.
float clamp_each_channel(float x, uint k) {
    float low = constant_float(k), high = constant_float(k + 4u);
    float a = x > low ? x : low;
    return a < high ? a : high;
}

vec4 clamp_each(vec4 p, uint k) {
    return vec4(clamp_each_channel(p.x, k), clamp_each_channel(p.y, k + 1u), clamp_each_channel(p.z, k + 2u),
                clamp_each_channel(p.w, k + 3u));
}
