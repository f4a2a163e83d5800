// dither: the twin of DitherStage.
#pragma words INTENSITY

vec4 dither(vec4 p, uint k) {
    float intensity = constant_float(INTENSITY);
    return vec4(p.x + intensity * dither_noise(here.x, here.y, 0u), p.y + intensity * dither_noise(here.x, here.y, 1u),
                p.z + intensity * dither_noise(here.x, here.y, 2u), p.w);
}
