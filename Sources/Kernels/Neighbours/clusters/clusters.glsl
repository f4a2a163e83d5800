// clusters: the twin of Clusters.
#pragma words MODE CHANNELS COUNT TABLE
#pragma values MODE START NEAREST SUMS MEANS SHARES

vec4 clusters_nearest(int x, int y, uint k) {
    vec4 p = source_pixel(0u, constant(CHANNELS), x, y);
    int count = int(constant(COUNT));
    float least = uintBitsToFloat(0x71800000u), found = 0.0;
    for (int i = 0; i < count; i++) {
        vec4 d = p - source_pixel(1u, 3u, i, 0);
        float square = (d.x * d.x + d.y * d.y) + d.z * d.z;
        found = square < least ? float(i) : found;
        least = square < least ? square : least;
    }
    return vec4(found, found, found, 1.0);
}

// Returns whole + parts / 65536.
float clusters_value(int whole, int parts) {
    int sum = whole + (parts >> 16);
    return float(sum >> 12) * 4096.0 + (float(sum & 0xfff) + float(parts & 0xffff) * uintBitsToFloat(0x37800000u));
}

vec4 clusters_sums(uint k) {
    uint tile = constant(TABLE) + 4u * here.y, channels = constant(CHANNELS);
    ivec2 end = ivec2(int(table(tile + 2u)), int(table(tile + 3u)));
    ivec2 whole_rg = ivec2(0, 0), whole_ba = ivec2(0, 0), parts_rg = ivec2(0, 0), parts_ba = ivec2(0, 0);
    for (int y = int(table(tile + 1u)); y < end.y; y++) {
        for (int x = int(table(tile)); x < end.x; x++) {
            if (lut_node(plane_sample(1u, 0u, x, y)) != here.x) continue;
            vec4 p = source_pixel(0u, channels, x, y);
            vec4 v = vec4(p.x * p.w, p.y * p.w, p.z * p.w, p.w);
            vec4 below = vec4(place_floor(v.x), place_floor(v.y), place_floor(v.z), place_floor(v.w));
            whole_rg = whole_rg + ivec2(int(below.x), int(below.y));
            whole_ba = whole_ba + ivec2(int(below.z), int(below.w));
            vec4 rest = (v - below) * 65536.0;
            parts_rg = parts_rg + ivec2(int(lut_node(rest.x)), int(lut_node(rest.y)));
            parts_ba = parts_ba + ivec2(int(lut_node(rest.z)), int(lut_node(rest.w)));
        }
    }
    return vec4(clusters_value(whole_rg.x, parts_rg.x), clusters_value(whole_rg.y, parts_rg.y),
                clusters_value(whole_ba.x, parts_ba.x), clusters_value(whole_ba.y, parts_ba.y));
}

vec4 clusters(vec4 p, uint k) {
    int x = int(here.x), y = int(here.y);
    uint mode = constant(MODE), channels = constant(CHANNELS);
    if (mode == MODE_NEAREST) return clusters_nearest(x, y, k);
    if (mode == MODE_SUMS) return clusters_sums(k);
    vec4 q;
    if (mode == MODE_START) {
        uint place = constant(TABLE) + 2u * here.x;
        q = source_pixel(0u, channels, int(table(place)), int(table(place + 1u)));
        q.w = 1.0;
    } else if (mode == MODE_MEANS) {
        q = source_pixel(0u, 4u, x, y);
        float inverse = e32_reciprocal(q.w > 0.0 ? q.w : 1.0);
        if (q.w > 0.0) q = vec4(q.x * inverse, q.y * inverse, q.z * inverse, 1.0);
        else q = source_pixel(1u, 3u, x, y);
    } else {
        float total = 0.0;
        int count = int(constant(COUNT));
        for (int i = 0; i < count; i++) total = total + plane_sample(1u, 3u, i, 0);
        float inverse = total > 0.0 ? e32_reciprocal(total > 0.0 ? total : 1.0) : 0.0;
        q = source_pixel(0u, 3u, x, 0);
        float share = plane_sample(1u, 3u, x, 0) * inverse;
        q.w = share < 1.0 ? share : 1.0;
    }
    return q;
}
