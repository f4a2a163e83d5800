// chromaticity: the twin of ChromaticityStage.
#pragma words MODEL DIRECTION
#pragma values MODEL XY_Y UV_Y LUV
#pragma values DIRECTION FORWARD INVERSE

// Returns 1/x; 0 for magnitudes up to 2^-30.
float chromaticity_per(float x) {
    float size = x < 0.0 ? -x : x;
    bool is_some = size > uintBitsToFloat(0x30800000u);
    float inverse = e32_reciprocal(is_some ? size : 1.0), some = is_some ? inverse : 0.0;
    return x < 0.0 ? -some : some;
}

vec4 chromaticity_from_xyz(vec4 p, bool is_xyy, bool is_luv) {
    float y_weight = is_xyy ? 1.0 : 15.0, z_weight = is_xyy ? 1.0 : 3.0;
    float per = chromaticity_per((p.x + y_weight * p.y) + z_weight * p.z);
    float u = ((is_xyy ? 1.0 : 4.0) * p.x) * per, v = ((is_xyy ? 1.0 : 9.0) * p.y) * per;
    float dark = uintBitsToFloat(0x3c111aa7u), some = p.y > dark ? p.y : dark;
    float root = uintBitsToFloat(0x3f947ae1u) * e32_exp2(uintBitsToFloat(0x3eaaaaabu) * e32_log2(some))
        - uintBitsToFloat(0x3e23d70au);
    float lightness = p.y > dark ? root : uintBitsToFloat(0x41108704u) * p.y, size = 13.0 * lightness;
    vec3 luv = vec3(lightness, size * (u - uintBitsToFloat(0x3e4a93f3u)), size * (v - uintBitsToFloat(0x3eefc7a3u)));
    return vec4(is_luv ? luv.x : u, is_luv ? luv.y : v, is_luv ? luv.z : p.y, p.w);
}

vec4 chromaticity_to_xyz(vec4 p, bool is_xyy, bool is_luv) {
    float most = p.x < 1024.0 ? p.x : 1024.0;
    float per = chromaticity_per(13.0 * p.x), t = (most + uintBitsToFloat(0x3e23d70au)) * uintBitsToFloat(0x3f5cb08du);
    float cubed = (t * t) * t, dark = uintBitsToFloat(0x3de2b9a4u) * p.x;
    float lit = p.x > uintBitsToFloat(0x3da3d70au) ? cubed : dark;
    float y = is_luv ? lit : p.z;
    float u = is_luv ? p.y * per + uintBitsToFloat(0x3e4a93f3u) : p.x;
    float v = is_luv ? p.z * per + uintBitsToFloat(0x3eefc7a3u) : p.y;
    float share = y * chromaticity_per(v);
    float x = is_xyy ? u * share : 2.25 * (u * share);
    float z = is_xyy ? ((1.0 - u) - v) * share : 0.25 * (((12.0 - 3.0 * u) - 20.0 * v) * share);
    return vec4(x, y, z, p.w);
}

vec4 chromaticity(vec4 p, uint k) {
    bool is_xyy = constant(MODEL) == MODEL_XY_Y, is_luv = constant(MODEL) == MODEL_LUV;
    if (constant(DIRECTION) == DIRECTION_INVERSE) { return chromaticity_to_xyz(p, is_xyy, is_luv); }
    return chromaticity_from_xyz(p, is_xyy, is_luv);
}
