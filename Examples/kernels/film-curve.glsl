// SPDX-License-Identifier: Apache-2.0
//! name film-curve
//! summary contrast of a film: mid grey stays, shadows fall off, highlights run into the picture's headroom
//! parameter contrast float = 1.3 in 0.5...3: slope at mid grey, on logarithmic axes
//! parameter grey float = 0.18 in 0.01...0.9: light that stays as it is
//! hdr safe
//! headroom keeps

// Naka and Rushton's curve, as film's between toe and shoulder: w x^c / (x^c + k), k such that grey stays.
float curve(float x, float white, float k, float contrast) {
    float power = pow(x, contrast);
    return white * power / (power + k);
}

vec4 kernel(vec4 p, Parameters q) {
    if (p.a <= 0.0) return p;
    vec3 c = p.rgb / p.a;
    float k = pow(q.grey, q.contrast) * (contentHeadroom / q.grey - 1.0);
    vec3 made = vec3(
        curve(c.r, contentHeadroom, k, q.contrast), curve(c.g, contentHeadroom, k, q.contrast),
        curve(c.b, contentHeadroom, k, q.contrast));
    return vec4(made * p.a, p.a);
}
