// component: the twin of ComponentStage.
#pragma words KIND
#pragma values KIND MAXIMUM MINIMUM

vec4 component(vec4 p, uint k) {
    float rg, one;
    if (constant(KIND) == KIND_MAXIMUM) {
        rg = p.y > p.x ? p.y : p.x;
        one = p.z > rg ? p.z : rg;
    } else {
        rg = p.y < p.x ? p.y : p.x;
        one = p.z < rg ? p.z : rg;
    }
    return vec4(one, one, one, p.w);
}
