// aces_output: the twin of ACESOutputStage.
#pragma words TABLE

float aces_toe(float x, float end, float k1, float k2, float k3) {
    float steep = k3 * x, b = steep - k1;
    float bent = 0.5 * (b + aces_root(b * b + (4.0 * k2) * steep));
    return x > end ? x : bent;
}

// Compresses colourfulness by lightness. `row`: lightness, two powers, the first toe's k2; `toes`: its k, then both of the
// second toe; `chroma`: reach, norm and its inverse.
float aces_chroma(float m, vec4 row, vec4 toes, vec4 chroma) {
    float limit = row.z * (chroma.x * chroma.z), x = limit - (m * row.y) * chroma.z;
    float end = limit - uintBitsToFloat(0x3a83126fu);
    float p = end + row.w, q = limit + toes.y, both = e32_reciprocal(p * q);
    float far = aces_toe(x, end, toes.x, row.w, (end + toes.x) * (both * q));
    float kept = aces_toe(limit - far, limit, toes.z, toes.y, (limit + toes.z) * (both * p));
    float some = kept > 0.0 ? kept * chroma.y : 0.0;
    return m > 0.0 ? some : 0.0;
}

vec4 aces_output(vec4 p, uint k) {
    uint first = constant(TABLE);
    vec3 v = aces_opponents(first, p.xyz);
    vec4 hue = aces_hue(v);
    uint u = floatBitsToUint(v.x) & 0x7fffffffu;
    uint low = u < 0x38800000u ? 0x38800000u : u, bits = low > 0x41ffffffu ? 0x41ffffffu : low;
    uint segment = first + ACES_ROWS + ((bits - 0x38800000u) >> 17) * 24u;
    float f = uintBitsToFloat(((bits << 6) & 0x7fffffu) | 0x3f800000u) - 1.0;
    vec4 row = aces_row(segment, f), toes = aces_row(segment + 4u, f);
    float j = aces_is_dark(v.x) ? 0.0 : row.x;
    vec4 chroma = aces_cell(first, hue.w, 1u, 16u);
    float toned = aces_chroma(hue.x, row, toes, chroma);
    vec2 inside = aces_move(first, j, toned, toes.w, aces_cell(first, hue.w, 0u, 4u), chroma.x, false);
    return vec4(aces_rgb(first, aces_achromatic(first, inside.x), inside.y, hue), p.w);
}
