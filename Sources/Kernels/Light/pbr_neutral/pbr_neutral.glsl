// pbr_neutral: the twin of PBRNeutral.
vec4 pbr_neutral(vec4 p, uint k) {
    float rg = p.y < p.x ? p.y : p.x;
    float x = p.z < rg ? p.z : rg;
    float dark = x - x * x * 6.25;
    float f = x < uintBitsToFloat(0x3da3d70au) ? dark : uintBitsToFloat(0x3d23d70au);
    float top = p.y > p.x ? p.y : p.x;
    float most = (p.z > top ? p.z : top) - f;
    float knee = uintBitsToFloat(0x3f428f5cu);
    float over = most > knee ? most : knee;
    float pn = 1.0 - uintBitsToFloat(0x3d6bedfau) * e32_reciprocal(over - uintBitsToFloat(0x3f051eb8u));
    float share = e32_reciprocal(uintBitsToFloat(0x3e19999au) * (over - pn) + 1.0);
    float ratio = (pn * e32_reciprocal(over)) * share;
    float rest = pn * (1.0 - share);
    float scale = most > knee ? ratio : 1.0;
    float white = most > knee ? rest : 0.0;
    return vec4((p.x - f) * scale + white, (p.y - f) * scale + white, (p.z - f) * scale + white, p.w);
}
