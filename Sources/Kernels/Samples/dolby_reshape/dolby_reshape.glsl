// dolby_reshape: the twin of DolbyReshapeStage.
#pragma words PIECES_R PIECES_G PIECES_B COUNTS_R COUNTS_G COUNTS_B SCALE CHROMA_SCALE LEAST_R LEAST_G LEAST_B LARGEST_R
#pragma words LARGEST_G LARGEST_B

// The words of a piece: its first code, its kind, a constant, and 7 factors for each of 3 powers.
const uint DOLBY_PIECE = 24u;
// Terms and results below 2^-24 are 0.
const float DOLBY_TINY = 5.9604644775390625e-08;

float dolby_term(float t, uint factors) {
    return t * (table_float(factors) + t * (table_float(factors + 7u) + t * table_float(factors + 14u)));
}

float dolby_product(float a, float b) {
    float x = a * b;
    return x < DOLBY_TINY ? 0.0 : x;
}

float dolby_component(float code, vec3 own, uint k, uint channel) {
    uint piece = constant(PIECES_R + channel), next = piece, count = constant(COUNTS_R + channel);
    for (uint i = 1u; i < count; ++i) {
        next += DOLBY_PIECE;
        piece = table_float(next) <= code ? next : piece;
    }
    float sum = table_float(piece + 2u);
    uint factors = piece + 3u;
    if (table_float(piece + 1u) == 0.0) {
        sum = sum + dolby_term(own[channel], factors + channel);
    } else {
        float yu = dolby_product(own.x, own.y);
        sum = sum + dolby_term(own.x, factors);
        sum = sum + dolby_term(own.y, factors + 1u);
        sum = sum + dolby_term(own.z, factors + 2u);
        sum = sum + dolby_term(yu, factors + 3u);
        sum = sum + dolby_term(dolby_product(own.x, own.z), factors + 4u);
        sum = sum + dolby_term(dolby_product(own.y, own.z), factors + 5u);
        sum = sum + dolby_term(dolby_product(yu, own.z), factors + 6u);
    }
    float least = constant_float(LEAST_R + channel), largest = constant_float(LARGEST_R + channel);
    float low = sum > least ? sum : least;
    float x = low < largest ? low : largest;
    return x < DOLBY_TINY ? 0.0 : x;
}

vec4 dolby_reshape(vec4 p, uint k) {
    float y = p.x * constant_float(SCALE), u = p.y * constant_float(CHROMA_SCALE), v = p.z * constant_float(CHROMA_SCALE);
    vec3 own = vec3(y < DOLBY_TINY ? 0.0 : y, u < DOLBY_TINY ? 0.0 : u, v < DOLBY_TINY ? 0.0 : v);
    return vec4(dolby_component(p.x, own, k, 0u), dolby_component(p.y, own, k, 1u), dolby_component(p.z, own, k, 2u), p.w);
}
