// blend_mode: the twin of BlendMode.
#pragma words MODE SOURCE X Y WIDTH HEIGHT DOWN UP WEIGHTS_R WEIGHTS_G WEIGHTS_B ROOT_TABLE ROOT_MIN_BITS ROOT_MAX_BITS
#pragma words ROOT_K
#pragma values MODE MULTIPLY SCREEN OVERLAY SOFT_LIGHT HARD_LIGHT COLOR_DODGE COLOR_BURN DARKEN LIGHTEN DIFFERENCE
#pragma values MODE EXCLUSION DIVIDE SUBTRACT LINEAR_DODGE LINEAR_BURN LINEAR_LIGHT VIVID_LIGHT PIN_LIGHT HUE SATURATION
#pragma values MODE COLOR LUMINOSITY

float blend_unit(float x) {
    float low = x > 0.0 ? x : 0.0;
    return low < 1.0 ? low : 1.0;
}

float blend_screen(float b, float t) { return (b + t) - b * t; }

float blend_hard_light(float b, float t) {
    float twice = 2.0 * t;
    return t > 0.5 ? blend_screen(b, twice - 1.0) : b * twice;
}

float blend_tiny() { return uintBitsToFloat(0x2b800000u); }

float blend_quotient(float a, float d) {
    float safe = d > blend_tiny() ? d : 1.0;
    float q = a * e32_reciprocal(safe);
    return q < 1.0 ? q : 1.0;
}

float blend_color_dodge(float b, float t) {
    float d = 1.0 - t;
    float q = blend_quotient(b, d);
    float r = b < d ? q : 1.0;
    return b > 0.0 ? r : 0.0;
}

float blend_color_burn(float b, float t) {
    float a = 1.0 - b;
    float q = blend_quotient(a, t);
    float r = a < t ? 1.0 - q : 0.0;
    return b < 1.0 ? r : 1.0;
}

float blend_divide(float b, float t) {
    float q = blend_quotient(b, t);
    float r = b < t ? q : 1.0;
    return b > 0.0 ? r : 0.0;
}

float blend_pin_light(float b, float t) {
    float twice = 2.0 * t;
    float above = twice - 1.0;
    float low = b < twice ? b : twice;
    float high = b > above ? b : above;
    return t > 0.5 ? high : low;
}

float blend_soft_light(float b, float t, uint k) {
    float root = curve_lookup(
        constant(ROOT_TABLE), floatBitsToUint(b) & 0x7fffffffu, constant(ROOT_MIN_BITS), constant(ROOT_MAX_BITS),
        constant(ROOT_K));
    float steep = ((16.0 * b - 12.0) * b + 4.0) * b;
    float d = b > 0.25 ? root : steep;
    float up = 2.0 * t - 1.0;
    return t > 0.5 ? b + up * (d - b) : b + (up * b) * (1.0 - b);
}

float blend_channel(uint mode, float b, float t, uint k) {
    if (mode == MODE_MULTIPLY) return b * t;
    if (mode == MODE_SCREEN) return blend_screen(b, t);
    if (mode == MODE_OVERLAY) return blend_hard_light(t, b);
    if (mode == MODE_SOFT_LIGHT) return blend_soft_light(b, t, k);
    if (mode == MODE_HARD_LIGHT) return blend_hard_light(b, t);
    if (mode == MODE_COLOR_DODGE) return blend_color_dodge(b, t);
    if (mode == MODE_COLOR_BURN) return blend_color_burn(b, t);
    if (mode == MODE_DARKEN) return b < t ? b : t;
    if (mode == MODE_LIGHTEN) return b > t ? b : t;
    if (mode == MODE_DIFFERENCE) return b > t ? b - t : t - b;
    if (mode == MODE_EXCLUSION) return (b + t) - 2.0 * (b * t);
    if (mode == MODE_DIVIDE) return blend_divide(b, t);
    if (mode == MODE_SUBTRACT) return blend_unit(b - t);
    if (mode == MODE_LINEAR_DODGE) return blend_unit(b + t);
    if (mode == MODE_LINEAR_BURN) return blend_unit((b + t) - 1.0);
    if (mode == MODE_LINEAR_LIGHT) return blend_unit((b + 2.0 * t) - 1.0);
    if (mode == MODE_VIVID_LIGHT) return t > 0.5 ? blend_color_dodge(b, 2.0 * t - 1.0) : blend_color_burn(b, 2.0 * t);
    return blend_pin_light(b, t);
}

float blend_least(vec3 c) {
    float m = c.x < c.y ? c.x : c.y;
    return m < c.z ? m : c.z;
}

float blend_most(vec3 c) {
    float m = c.x > c.y ? c.x : c.y;
    return m > c.z ? m : c.z;
}

float blend_luminosity(vec3 c, uint k) {
    return (constant_float(WEIGHTS_R) * c.x + constant_float(WEIGHTS_G) * c.y) + constant_float(WEIGHTS_B) * c.z;
}

vec3 blend_with_saturation(vec3 c, float wanted) {
    float low = blend_least(c);
    float own = blend_most(c) - low;
    float safe = own > blend_tiny() ? own : 1.0;
    float inverse = wanted * e32_reciprocal(safe);
    float f = own > blend_tiny() ? inverse : 0.0;
    return vec3((c.x - low) * f, (c.y - low) * f, (c.z - low) * f);
}

vec3 blend_with_luminosity(vec3 c, float wanted, uint k) {
    float d = wanted - blend_luminosity(c, k);
    vec3 m = vec3(c.x + d, c.y + d, c.z + d);
    float l = blend_luminosity(m, k), low = blend_least(m), high = blend_most(m);
    float below = l - low, above = high - l;
    float safe_below = below > blend_tiny() ? below : 1.0;
    float safe_above = above > blend_tiny() ? above : 1.0;
    float lift = l * e32_reciprocal(safe_below);
    float fall = (1.0 - l) * e32_reciprocal(safe_above);
    float f = low < 0.0 ? lift : (high > 1.0 ? fall : 1.0);
    return vec3(
        blend_unit(l + (m.x - l) * f), blend_unit(l + (m.y - l) * f), blend_unit(l + (m.z - l) * f));
}

vec3 blend_pixel(uint mode, vec3 b, vec3 t, uint k) {
    if (mode < MODE_HUE)
        return vec3(blend_channel(mode, b.x, t.x, k), blend_channel(mode, b.y, t.y, k), blend_channel(mode, b.z, t.z, k));
    if (mode == MODE_HUE) {
        float spread = blend_most(b) - blend_least(b);
        return blend_with_luminosity(blend_with_saturation(t, spread), blend_luminosity(b, k), k);
    }
    if (mode == MODE_SATURATION) {
        float spread = blend_most(t) - blend_least(t);
        return blend_with_luminosity(blend_with_saturation(b, spread), blend_luminosity(b, k), k);
    }
    if (mode == MODE_COLOR) return blend_with_luminosity(t, blend_luminosity(b, k), k);
    return blend_with_luminosity(b, blend_luminosity(t, k), k);
}

float blend_mix(float r, float b, float t, float a, float ta, float up) {
    return (ta * ((1.0 - a) * t + a * r) + ((1.0 - ta) * a) * b) * up;
}

vec4 blend_mode(vec4 p, uint k) {
    vec4 t = foreground_pixel(
        constant(SOURCE), int(here.x) - int(constant(X)), int(here.y) - int(constant(Y)),
        int(constant(WIDTH)), int(constant(HEIGHT)));
    float down = constant_float(DOWN), up = constant_float(UP);
    vec3 b = vec3(blend_unit(p.x * down), blend_unit(p.y * down), blend_unit(p.z * down));
    vec3 s = vec3(blend_unit(t.x * down), blend_unit(t.y * down), blend_unit(t.z * down));
    vec3 r = blend_pixel(constant(MODE), b, s, k);
    vec4 q;
    q.x = blend_mix(r.x, b.x, s.x, p.w, t.w, up);
    q.y = blend_mix(r.y, b.y, s.y, p.w, t.w, up);
    q.z = blend_mix(r.z, b.z, s.z, p.w, t.w, up);
    q.w = limit_alpha(t.w + p.w * (1.0 - t.w));
    return q;
}
