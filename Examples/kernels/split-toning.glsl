// SPDX-License-Identifier: Apache-2.0
//! name split-toning
//! summary one tint for shadows, another for highlights; luminance stays
//! parameter shadows color = 0.35/0.5/0.65: tint of shadows
//! parameter highlights color = 1/0.85/0.6: tint of highlights
//! parameter balance float = 0.18 in 0.01...4: light where both tints are equal
//! parameter amount float = 0.5 in 0...1: 0 changes nothing
//! hdr safe
//! headroom unknown

const vec3 luminance = vec3(0.2627, 0.678, 0.0593);

// The tint at luminance 1.
vec3 tint(vec4 color, float amount) {
    return mix(vec3(1.0), color.rgb / max(dot(color.rgb, luminance), 1.0e-4), amount);
}

vec4 kernel(vec4 p, Parameters q) {
    float y = max(dot(p.rgb, luminance), 0.0);
    float bright = y / (y + q.balance * p.a + 1.0e-6);
    return vec4(p.rgb * mix(tint(q.shadows, q.amount), tint(q.highlights, q.amount), bright), p.a);
}
