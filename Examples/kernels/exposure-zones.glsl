// SPDX-License-Identifier: Apache-2.0
//! name exposure-zones
//! summary light in steps of whole zones, as in Adams' zone system; colours stay
//! parameter width float = 1 in 0.25...4: stops of a zone
//! parameter grey float = 0.18 in 0.01...1: light in the middle of a zone
//! hdr safe
//! headroom scales pow(2, width / 2)

const vec3 luminance = vec3(0.2627, 0.678, 0.0593);

vec4 kernel(vec4 p, Parameters q) {
    float y = dot(p.rgb, luminance);
    if (y <= 1.0e-5 || p.a <= 0.0) return vec4(0.0, 0.0, 0.0, p.a);
    float stops = log2(y / (p.a * q.grey));
    float zone = round(stops / q.width) * q.width;
    return vec4(p.rgb * exp2(zone - stops), p.a);
}
