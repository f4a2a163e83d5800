// aces_inverse: the twin of ACESInverseStage.
#pragma words TABLE

// Places after that of the rows: the curve from A to J, functions of J, and of the distance from its end.
const uint ACES_DIM_ROWS = 79664u, ACES_BRIGHT_ROWS = 119600u;

float aces_room(uint first, float j) {
    float left = aces_number(first, ACES_J_MAX) - j;
    return e32_log2(left > uintBitsToFloat(0x38d1b717u) ? left : uintBitsToFloat(0x38d1b717u)) * uintBitsToFloat(0x3e9a209bu);
}

float aces_inverse_toe(float x, float end, float k1, float k2) {
    float bent = ((x * x + k1 * x) * (end + k2)) * e32_reciprocal(aces_divisor((end + k1) * (x + k2)));
    return x > end ? x : bent;
}

// Undoes the compression of colourfulness. `row`: A of the scene, two powers, the first toe's k2; `toes` and `chroma` as
// in aces_output.
float aces_expanded(float m, float signal, vec4 row, vec4 toes, vec4 chroma) {
    float limit = row.z * (chroma.x * chroma.z), end = limit - uintBitsToFloat(0x3a83126fu);
    float kept = aces_inverse_toe(m * chroma.z, limit, toes.z, toes.y);
    float x = limit - aces_inverse_toe(limit - kept, end, toes.x, row.w);
    float some = x > 0.0 ? (x * chroma.y) * row.y : 0.0;
    float lit = signal > 0.0 ? some : 0.0;
    return m > 0.0 ? lit : 0.0;
}

vec4 aces_inverse(vec4 p, uint k) {
    uint first = constant(TABLE);
    vec3 v = aces_opponents(first, p.xyz);
    vec4 hue = aces_hue(v);
    float j = aces_lookup(first, ACES_ROWS, v.x, 0x38800000u, 0x41ffffffu, 6u);
    vec4 chroma = aces_cell(first, hue.w, 1u, 16u), cusp = aces_cell(first, hue.w, 0u, 4u);
    float own = aces_room(first, j);
    vec2 near = aces_move(first, j, hue.x, own, cusp, chroma.x, true);
    float rest = cusp.w > own ? aces_room(first, near.x) : own;
    vec2 outside = aces_move(first, j, hue.x, rest, cusp, chroma.x, true);

    bool is_dim = outside.x < aces_number(first, ACES_J_HALF);
    float place = is_dim ? outside.x : aces_number(first, ACES_J_END) - outside.x;
    uint least = is_dim ? 0x37000000u : 0x3d800000u, u = floatBitsToUint(place) & 0x7fffffffu;
    uint low = u < least ? least : u, bits = low > 0x43ffffffu ? 0x43ffffffu : low;
    uint segment = first + (is_dim ? ACES_DIM_ROWS : ACES_BRIGHT_ROWS) + ((bits - least) >> 17) * 24u;
    float f = uintBitsToFloat(((bits << 6) & 0x7fffffu) | 0x3f800000u) - 1.0;
    vec4 row = aces_row(segment, f), toes = aces_row(segment + 4u, f);
    float signal = outside.x < uintBitsToFloat(0x37000000u) ? 0.0 : row.x;
    float m = aces_expanded(outside.y, signal, row, toes, chroma);
    return vec4(aces_rgb(first, signal, m, hue), p.w);
}
