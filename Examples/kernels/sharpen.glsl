// SPDX-License-Identifier: Apache-2.0
//! name sharpen
//! summary sharper without halos: no pixel leaves the range of its neighbours, so no light is added
//! parameter amount float = 0.8 in 0...4: 0 changes nothing
//! radius 1
//! hdr safe
//! headroom keeps

vec4 kernel(vec4 p, Parameters q) {
    vec3 sum = vec3(0.0), least = p.rgb, most = p.rgb;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            vec3 c = sample(ivec2(x, y)).rgb;
            sum += c * float((2 - abs(x)) * (2 - abs(y)));
            least = min(least, c);
            most = max(most, c);
        }
    }
    vec3 soft = sum * 0.0625;
    return vec4(clamp(p.rgb + (p.rgb - soft) * q.amount, least, most), p.a);
}
