// SPDX-License-Identifier: Apache-2.0
//! name false-colour
//! summary luminance by colour, a stop a colour: grey below reference white, then yellow to white
//! parameter lowest int = -6 in -12...0: stops under reference white that are black
//! hdr safe
//! headroom unknown

const vec3 luminance = vec3(0.2627, 0.678, 0.0593);

// Stops above reference white: the first half stop around it green.
const vec3 above[6] = vec3[6](
    vec3(0.7, 0.6, 0.05), vec3(0.8, 0.3, 0.02), vec3(0.7, 0.06, 0.02), vec3(0.6, 0.03, 0.35), vec3(0.25, 0.1, 0.7),
    vec3(1.0));

vec4 kernel(vec4 p, Parameters q) {
    if (p.a <= 0.0) return p;
    float stops = log2(max(dot(p.rgb, luminance) / p.a, 1.0e-6));
    vec3 c;
    if (stops >= 0.25) {
        c = above[int(stops)];
    } else if (stops > -0.25) {
        c = vec3(0.05, 0.5, 0.1);
    } else {
        float grey = clamp(1.0 - stops / float(q.lowest - 1), 0.0, 1.0);
        c = vec3(0.4 * grey * grey);
    }
    return vec4(c * p.a, p.a);
}
