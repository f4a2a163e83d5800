// hue_sat_map: the twin of HueSatMapStage.
#pragma words ENTRIES SATURATIONS LAYER HUE_SCALE HUE_LAST SATURATION_SCALE SATURATION_LAST VALUE_SCALE VALUE_LAST IS_HDR
#pragma words IS_ENCODED HAS_VALUES ENCODE_TABLE ENCODE_MIN_BITS ENCODE_MAX_BITS ENCODE_K ENCODE_SLOPE DECODE_TABLE
#pragma words DECODE_MIN_BITS DECODE_MAX_BITS DECODE_K DECODE_SLOPE

vec3 hue_sat_between(vec3 a, vec3 b, float share) { return a * (1.0 - share) + b * share; }

// Interpolates in one value's layer; `share` is that of hue and saturation.
vec3 hue_sat_entry(uint offset, uint next, vec3 share) {
    vec3 low = hue_sat_between(lut_vertex(offset, 0u), lut_vertex(next, 0u), share.x);
    vec3 high = hue_sat_between(lut_vertex(offset, 1u), lut_vertex(next, 1u), share.x);
    return hue_sat_between(low, high, share.y);
}

float hue_sat_channel(float from, float hue, float saturation, float value) {
    float turned = from + hue, around = turned >= 6.0 ? turned - 6.0 : turned;
    float back = 4.0 - around, near = back < around ? back : around;
    float low = near > 0.0 ? near : 0.0, share = low < 1.0 ? low : 1.0;
    return value * (1.0 - saturation * share);
}

vec4 hue_sat_map(vec4 p, uint k) {
    // Hue from 0 to 6, saturation and value.
    float rg = p.y > p.x ? p.y : p.x, most = p.z > rg ? p.z : rg;
    float lesser = p.y < p.x ? p.y : p.x, least = p.z < lesser ? p.z : lesser;
    float gap = most - least, smaller = gap < most ? gap : most;
    bool is_colour = smaller > uintBitsToFloat(0x2b800000u);
    float inverse = e32_reciprocal(is_colour ? gap : 1.0);
    float first = (p.y - p.z) * inverse, second = 2.0 + (p.z - p.x) * inverse, third = 4.0 + (p.x - p.y) * inverse;
    float around = first < 0.0 ? first + 6.0 : first, others = p.y < most ? third : second;
    float found = p.x < most ? others : around;
    float share = gap * e32_reciprocal(is_colour ? most : 1.0);
    float hue = is_colour ? found : 0.0, saturation = is_colour ? share : 0.0, value = most;
    bool is_encoded = constant(IS_ENCODED) != 0u, is_hdr = constant(IS_HDR) != 0u;
    if (is_encoded) {
        value = curve_odd(
            constant(ENCODE_TABLE), value, constant(ENCODE_MIN_BITS), constant(ENCODE_MAX_BITS), constant(ENCODE_K),
            constant_float(ENCODE_SLOPE), 0.0);
    }
    // The entry of the table.
    float last_h = constant_float(HUE_LAST), last_s = constant_float(SATURATION_LAST), last_v = constant_float(VALUE_LAST);
    float h = lut_inside(hue * constant_float(HUE_SCALE), last_h + 1.0);
    float t = lut_inside(saturation * constant_float(SATURATION_SCALE), last_s + 1.0);
    float v = lut_inside((value < 1.0 ? value : 1.0) * constant_float(VALUE_SCALE), last_v + 1.0);
    float cell_h = lut_cell(h, last_h), cell_t = lut_cell(t, last_s), cell_v = lut_cell(v, last_v);
    float after = cell_h < last_h ? cell_h + 1.0 : 0.0;
    float rest = cell_v * constant_float(LAYER) + cell_t, saturations = constant_float(SATURATIONS);
    uint offset = constant(ENTRIES) + 4u * lut_node(cell_h * saturations + rest);
    uint next = constant(ENTRIES) + 4u * lut_node(after * saturations + rest);
    vec3 shares = vec3(h - cell_h, t - cell_t, v - cell_v);
    vec3 change = hue_sat_entry(offset, next, shares);
    if (constant(HAS_VALUES) != 0u) {
        uint layer = 4u * lut_node(constant_float(LAYER));
        change = hue_sat_between(change, hue_sat_entry(offset + layer, next + layer, shares), shares.z);
    }
    float turned = hue + change.x, times = turned * 0.16666667;
    hue = turned - 6.0 * place_floor(times);
    float more = saturation * change.y, some = more > 0.0 ? more : 0.0;
    saturation = some < 1.0 ? some : 1.0;
    float scaled = value * change.z, fewest = is_hdr ? -1099511627776.0 : 0.0, largest = is_hdr ? 1099511627776.0 : 1.0;
    float low = scaled > fewest ? scaled : fewest;
    value = low < largest ? low : largest;
    if (is_encoded) {
        value = curve_odd(
            constant(DECODE_TABLE), value, constant(DECODE_MIN_BITS), constant(DECODE_MAX_BITS), constant(DECODE_K),
            constant_float(DECODE_SLOPE), 0.0);
    }
    return vec4(hue_sat_channel(5.0, hue, saturation, value), hue_sat_channel(3.0, hue, saturation, value),
                hue_sat_channel(1.0, hue, saturation, value), p.w);
}
