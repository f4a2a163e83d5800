// vignette: see VignetteGain in HDRPlan/Filters/Vignette.swift.
vec4 vignette(vec4 p, uint k) {
    float scale = constant_float(k + 2u);
    float dx = (float(int(here.x)) + constant_float(k)) * scale, dy = (float(int(here.y)) + constant_float(k + 1u)) * scale;
    float squared = dx * dx + dy * dy;
    float f = curve_lookup(constant(k + 3u), floatBitsToUint(squared), constant(k + 4u), constant(k + 5u), constant(k + 6u));
    return vec4(p.x * f, p.y * f, p.z * f, p.w);
}
