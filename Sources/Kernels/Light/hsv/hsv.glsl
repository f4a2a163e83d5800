// hsv: the twin of HSVStage.
#pragma words DIRECTION
#pragma values DIRECTION FORWARD INVERSE

vec4 hsv_from_rgb(vec4 p) {
    float rg = p.y > p.x ? p.y : p.x, most = p.z > rg ? p.z : rg;
    float low = p.y < p.x ? p.y : p.x, least = p.z < low ? p.z : low;
    float distance = most - least;
    bool is_color = distance > uintBitsToFloat(0x21800000u);
    float inverse = e32_reciprocal(is_color ? distance : 1.0);
    float of_green = 2.0 + (p.z - p.x) * inverse, of_blue = 4.0 + (p.x - p.y) * inverse;
    float of_red = (p.y - p.z) * inverse;
    float others = p.y < most ? of_blue : of_green, turn = p.x < most ? others : of_red;
    float hue = (turn < 0.0 ? turn + 6.0 : turn) * uintBitsToFloat(0x3e2aaaabu);
    float below = least < 0.0 ? least : 0.0, size = -below > most ? -below : most;
    float share = distance * e32_reciprocal(is_color ? size : 1.0);
    return vec4(is_color ? hue : 0.0, is_color ? share : 0.0, most + below, p.w);
}

float hsv_size(float x) { return x < 0.0 ? -x : x; }

float hsv_edge(float x) {
    float low = x > 0.0 ? x : 0.0;
    return low < 1.0 ? low : 1.0;
}

vec4 hsv_to_rgb(vec4 p) {
    float up = p.x > -1048576.0 ? p.x : -1048576.0, inside = up < 1048576.0 ? up : 1048576.0;
    float near = (inside + 12582912.0) - 12582912.0, whole = near > inside ? near - 1.0 : near;
    float turn = (inside - whole) * 6.0;
    float most_share = uintBitsToFloat(0x3fffdf3bu);
    float some = p.y > 0.0 ? p.y : 0.0, share = some < most_share ? some : most_share;
    float dark = p.z * (1.0 - share), inverse = e32_reciprocal(2.0 - share);
    float bottom = p.z < 0.0 ? p.z * inverse : dark * inverse;
    bool is_wide = p.z < 0.0 || share > 1.0;
    float least = is_wide ? bottom : dark, most = is_wide ? p.z - bottom : p.z;
    float distance = most - least;
    return vec4(
        hsv_edge(hsv_size(turn - 3.0) - 1.0) * distance + least, hsv_edge(2.0 - hsv_size(turn - 2.0)) * distance + least,
        hsv_edge(2.0 - hsv_size(turn - 4.0)) * distance + least, p.w);
}

vec4 hsv(vec4 p, uint k) {
    if (constant(DIRECTION) == DIRECTION_INVERSE) { return hsv_to_rgb(p); }
    return hsv_from_rgb(p);
}
