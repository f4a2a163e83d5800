// SPDX-License-Identifier: Apache-2.0
//! name gradient
//! summary light in even stops from one side to the other, with a grain that hides steps; needs no picture
//! parameter from float = -6 in -12...10: stops at the left, 0 is reference white
//! parameter to float = 3 in -12...10: stops at the right
//! parameter angle float = 0 in -360...360: degrees, clockwise
//! parameter color color = 1/1/1: of the light
//! parameter grain float = 0.01 in 0...1: stops
//! alpha makes
//! hdr safe
//! headroom scales pow(2, max(from, to) + grain)

// A number of 0 to 1 that differs from pixel to pixel.
float noise(uvec2 xy) {
    uint h = (xy.x * 0x9e3779b1u) ^ (xy.y * 0x85ebca77u);
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return float((h ^ (h >> 16)) >> 8) / 16777216.0;
}

vec4 kernel(vec4 p, Parameters q) {
    float turn = radians(q.angle);
    vec2 way = vec2(cos(turn), sin(turn));
    vec2 place = (vec2(position) + 0.5) / vec2(pictureSize) - 0.5;
    float part = clamp(dot(place, way) / (abs(way.x) + abs(way.y)) + 0.5, 0.0, 1.0);
    float stops = mix(q.from, q.to, part) + (noise(uvec2(position)) - 0.5) * q.grain;
    return vec4(q.color.rgb * exp2(stops), 1.0);
}
