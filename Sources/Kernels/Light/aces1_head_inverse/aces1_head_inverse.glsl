// aces1_head_inverse: the twin of ACES1HeadInverse. Its words are the first of those of aces1_head.
#pragma words REDS_TABLE REDS_MIN_BITS REDS_MAX_BITS REDS_K GLOW MIDDLE FULL_END END REDNESS

// Returns the red that becomes v.x, by secants.
float aces1_unchanged(vec3 v, uint k) {
    float now = v.x, before = 0.0, error = -v.x, slope = 1.0, most = 1.25 * v.x;
    float y = uintBitsToFloat(0x3fddb3d7u) * (v.y - v.z), redness = constant_float(REDNESS);
    for (uint turn = 0u; turn < 6u; ++turn) {
        float share = aces1_red_share((now - v.y) - (v.z - now), y, k);
        float saturation = aces1_saturation(vec3(now, v.y, v.z));
        float changed = now + ((share * saturation) * (uintBitsToFloat(0x3cf5c28fu) - now)) * redness;
        float miss = changed - v.x, away = now - before, rise = miss - error;
        float run = away < 0.0 ? -away : away, size = rise < 0.0 ? -rise : rise;
        bool is_clear = size > uintBitsToFloat(0x38800000u) * v.x + uintBitsToFloat(0x21800000u);
        float ratio = run * e32_reciprocal(is_clear ? size : 1.0), found = is_clear ? ratio : slope;
        float factor = found < 4.0 ? found : 4.0;
        float next = now - factor * miss, low = next > 0.0 ? next : 0.0;
        before = now;
        error = miss;
        slope = factor;
        now = low < most ? low : most;
    }
    return now;
}

// Returns the factor that undoes the glow of a colour: its luminance is that with glow, its components without.
float aces1_dimmed(float light, vec3 v, uint k) {
    float amount = aces1_amount(v, k), whole = 1.0 + amount;
    float divisor = light > uintBitsToFloat(0x3c23d70au) ? light : uintBitsToFloat(0x3c23d70au);
    float fading = (light - constant_float(MIDDLE) * amount) * e32_reciprocal((1.0 - 0.5 * amount) * divisor);
    float full = e32_reciprocal(whole);
    float dim = light > whole * constant_float(FULL_END) ? fading : full;
    return light < constant_float(END) ? dim : 1.0;
}

vec4 aces1_head_inverse(vec4 p, uint k) {
    float end = uintBitsToFloat(0x51800000u);
    vec3 v = vec3(aces_clamp(p.x, end), aces_clamp(p.y, end), aces_clamp(p.z, end));
    v = vec3(aces1_unchanged(v, k), v.y, v.z);
    float light = aces1_light(v), once = aces1_dimmed(light, v, k), twice = aces1_dimmed(light, v * once, k);
    return vec4(v * aces1_dimmed(light, v * twice, k), p.w);
}
