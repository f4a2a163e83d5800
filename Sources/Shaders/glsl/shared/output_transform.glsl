// What the output transforms of ACES 2.0 and their inverses share: twin of ACESLanes and ACESTable in
// Kernels/Light/aces_output. `first` is the place of the table.

// Places of numbers at the head of the table (ACESNumbers), then of curves (ACESPlaces).
const uint ACES_TO_CONES = 0u, ACES_TO_OPPONENTS = 9u, ACES_FROM_OPPONENTS = 18u, ACES_FROM_CONES = 27u;
const uint ACES_LARGEST_IN = 36u, ACES_LARGEST_OUT = 37u, ACES_J_MAX = 38u, ACES_J_MAX_INVERSE = 39u;
const uint ACES_J_MIDDLE = 40u, ACES_GAIN = 41u, ACES_REACH = 42u, ACES_J_END = 43u, ACES_J_HALF = 44u;
const uint ACES_CONE = 48u, ACES_LIGHT = 5552u, ACES_ACHROMATIC = 10672u, ACES_LOWER = 14128u, ACES_CELLS = 17456u;
const uint ACES_ROWS = 74800u;

float aces_number(uint first, uint place) { return table_float(first + place); }

float aces_divisor(float x) { return x > uintBitsToFloat(0x2b800000u) ? x : uintBitsToFloat(0x2b800000u); }

float aces_inverse_root(float x) {
    float halved = 0.5 * x;
    float r = uintBitsToFloat(0x5f375a86u - (floatBitsToUint(x) >> 1));
    r = r * (1.5 - (halved * r) * r);
    r = r * (1.5 - (halved * r) * r);
    return r * (1.5 - (halved * r) * r);
}

float aces_root(float x) {
    float y = aces_divisor(x), halved = 0.5 * y;
    float r = uintBitsToFloat(0x5f375a86u - (floatBitsToUint(y) >> 1));
    r = r * (1.5 - (halved * r) * r);
    r = r * (1.5 - (halved * r) * r);
    float root = y * r;
    return root + (0.5 * r) * (y - root * root);
}

// Looks up a value that is not negative; 0 below the domain.
float aces_lookup(uint first, uint place, float x, uint min_bits, uint max_bits, uint bits_k) {
    float value = curve_lookup(first + place, floatBitsToUint(x), min_bits, max_bits, bits_k);
    return x < uintBitsToFloat(min_bits) ? 0.0 : value;
}

float aces_achromatic(uint first, float j) { return aces_lookup(first, ACES_ACHROMATIC, j, 0x37000000u, 0x447fffffu, 5u); }

vec3 aces_matrix(uint first, uint m, vec3 p) {
    return vec3(
        (aces_number(first, m) * p.x + aces_number(first, m + 1u) * p.y) + aces_number(first, m + 2u) * p.z,
        (aces_number(first, m + 3u) * p.x + aces_number(first, m + 4u) * p.y) + aces_number(first, m + 5u) * p.z,
        (aces_number(first, m + 6u) * p.x + aces_number(first, m + 7u) * p.y) + aces_number(first, m + 8u) * p.z);
}

float aces_clamp(float x, float most) {
    float low = x > 0.0 ? x : 0.0;
    return low < most ? low : most;
}

float aces_cone(uint first, float x) { return aces_lookup(first, ACES_CONE, x, 0x30800000u, 0x45ffffffu, 5u); }

// Returns four functions of the hue. `place`: around the diamond; `values`: their first word in a cell.
vec4 aces_cell(uint first, float place, uint node, uint values) {
    float q = 512.0 * place - 0.5;
    float low = q > 0.0 ? q : 0.0, number = low < 2047.0 ? low : 2047.0;
    uint cell = first + ACES_CELLS + (floatBitsToUint(number + 8388608.0) & 0x7ffu) * 28u;
    float beyond = place - table_float(cell + node);
    vec4 value = uintBitsToFloat(table_entry(cell + values));
    uint is_after = 1u - (floatBitsToUint(beyond) >> 31);
    return value + beyond * uintBitsToFloat(table_entry(cell + values + 4u + 4u * is_after));
}

// Returns twice the numerator and the divisor of the lightness where the line through a colour meets the axis.
vec2 aces_line(float j, float m, float focus, float per_gain, float per_focus, float most) {
    float share = m * per_gain, alpha = share * per_focus;
    bool is_below = j < focus;
    float c = is_below ? j : most * share + j;
    float b = is_below ? 1.0 - share : (1.0 + share) + most * alpha;
    float product = (4.0 * alpha) * c, signed_product = is_below ? product : -product;
    return vec2(2.0 * c, aces_divisor(b + aces_root(b * b + signed_product)));
}

// Returns lightness and colourfulness inside the gamut or, as the inverse, outside it. `rest`: log10(jMax - J).
vec2 aces_move(uint first, float j, float m, float rest, vec4 cusp, float reach_m, bool is_inverse) {
    float most = aces_number(first, ACES_J_MAX), turned = cusp.w - rest;
    float e = turned > 0.0 ? turned : 0.0;
    float gain = aces_number(first, ACES_GAIN) * (1.0 + e * e);
    float middle = uintBitsToFloat(0x3fa66666u) - cusp.x * aces_number(first, ACES_J_MAX_INVERSE);
    float t = middle < 1.0 ? middle : 1.0;
    float focus = cusp.x + t * (aces_number(first, ACES_J_MIDDLE) - cusp.x);
    float inverse = e32_reciprocal(gain * focus), per_gain = inverse * focus, per_focus = inverse * gain;
    vec2 own = aces_line(j, m, focus, per_gain, per_focus, most);
    vec2 at_cusp_line = aces_line(cusp.x, cusp.y, focus, per_gain, per_focus, most);
    float meetings = e32_reciprocal(own.y * at_cusp_line.y);
    float start = own.x * (meetings * at_cusp_line.y), at_cusp = aces_divisor(at_cusp_line.x * (meetings * own.y));
    float above = start - focus, room_above = most - start;
    float side = above < 0.0 ? start : room_above;
    float slope = (side * above) * inverse;
    float below = aces_divisor(cusp.x - slope * cusp.y), over = aces_divisor((most - cusp.x) + slope * cusp.y);
    float room_at_cusp = aces_divisor(most - at_cusp);
    float edges = e32_reciprocal(below * over), starting = e32_reciprocal(at_cusp * room_at_cusp);
    float ratio = aces_divisor(room_above * (starting * at_cusp));
    float upper_power = aces_divisor(e32_exp2(cusp.z * e32_log2(ratio)));
    float lower_power = aces_lookup(first, ACES_LOWER, start * (starting * room_at_cusp), 0x35800000u, 0x427fffffu, 5u);
    float low = lower_power * ((at_cusp * cusp.y) * (edges * over));
    float high = ((room_at_cusp * upper_power) * cusp.y) * (edges * below);
    float reach_factor = (aces_number(first, ACES_REACH) * reach_m) * e32_reciprocal(aces_divisor(most - slope * reach_m));
    float rounding = uintBitsToFloat(0x3df5c28fu) * cusp.y;
    float reach = aces_divisor(aces_achromatic(first, start) * reach_factor), both = e32_reciprocal(rounding * reach);
    float apart = low - high, gap = apart < 0.0 ? -apart : apart, least = apart < 0.0 ? low : high;
    float excess = rounding - gap, near = excess > 0.0 ? excess * (both * reach) : 0.0;
    float boundary = least - ((near * near) * near) * (rounding * uintBitsToFloat(0x3e2aaaabu));
    float filled = boundary * (both * rounding), share = filled > 0.75 ? filled : 0.75;
    float knee = share * boundary, far = reach - knee, room = boundary - knee, x = m - knee;
    float product = far * room, ahead = x * (far - room);
    float beyond;
    if (is_inverse) {
        float left = product - ahead;
        bool is_open = left > 0.0;
        float factor = is_open ? x : 1.0;
        beyond = factor * (product * e32_reciprocal(aces_divisor(is_open ? left : far - room)));
    } else {
        beyond = x * (product * e32_reciprocal(aces_divisor(ahead + product)));
    }
    float asked = share < 1.0 ? x : 0.0;
    bool is_bent = asked > 0.0;
    float kept = is_bent ? knee + beyond : m;
    float within = boundary > 0.0 ? kept : 0.0;
    float color = j > most ? 0.0 : within;
    float bent = is_bent ? start + color * slope : j;
    return vec2(color > 0.0 ? bent : j, color);
}

float aces_light(uint first, float x) {
    return curve_odd(first + ACES_LIGHT, x, 0x35800000u, 0x3f7fffffu, 6u, 0.0, 0.0);
}

// Returns A, a, b of RGB.
vec3 aces_opponents(uint first, vec3 p) {
    float largest = aces_number(first, ACES_LARGEST_IN);
    vec3 rgb = vec3(aces_clamp(p.x, largest), aces_clamp(p.y, largest), aces_clamp(p.z, largest));
    vec3 cones = aces_matrix(first, ACES_TO_CONES, rgb);
    return aces_matrix(
        first, ACES_TO_OPPONENTS,
        vec3(aces_cone(first, cones.x), aces_cone(first, cones.y), aces_cone(first, cones.z)));
}

bool aces_is_dark(float signal) { return signal < uintBitsToFloat(0x38800000u); }

// Returns colourfulness, cosine and sine of the hue, and the place around the diamond.
vec4 aces_hue(vec3 v) {
    float q = v.y * v.y + v.z * v.z;
    float lit = aces_is_dark(v.x) ? 0.0 : q;
    bool is_color = lit > uintBitsToFloat(0x21800000u);
    float inverse = aces_inverse_root(is_color ? q : 1.0);
    float c = is_color ? v.y * inverse : 1.0, d = is_color ? v.z * inverse : 0.0;
    float positive = c < 0.0 ? -c : c, across = d < 0.0 ? -d : d;
    float t = d * e32_reciprocal(positive + across);
    float right = d < 0.0 ? 4.0 + t : t;
    return vec4(is_color ? q * inverse : 0.0, c, d, c < 0.0 ? 2.0 - t : right);
}

// Returns RGB that goes out, of A, colourfulness and hue.
vec3 aces_rgb(uint first, float signal, float m, vec4 hue) {
    vec3 back = aces_matrix(first, ACES_FROM_OPPONENTS, vec3(signal, m * hue.y, m * hue.z));
    vec3 cones = vec3(aces_light(first, back.x), aces_light(first, back.y), aces_light(first, back.z));
    vec3 rgb = aces_matrix(first, ACES_FROM_CONES, cones);
    float most = aces_number(first, ACES_LARGEST_OUT);
    return vec3(aces_clamp(rgb.x, most), aces_clamp(rgb.y, most), aces_clamp(rgb.z, most));
}

// Returns four functions of A, from the first word of a segment's half.
vec4 aces_row(uint segment, float f) {
    vec4 c = uintBitsToFloat(table_entry(segment + 16u));
    return uintBitsToFloat(table_entry(segment)) + f * (uintBitsToFloat(table_entry(segment + 8u)) + f * c);
}
