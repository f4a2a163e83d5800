// matrix3: the twin of Matrix3Stage.
#pragma words M0 M1 M2 M3 M4 M5 M6 M7 M8

vec4 matrix3(vec4 p, uint k) {
    vec4 q;
    q.x = (constant_float(M0) * p.x + constant_float(M1) * p.y) + constant_float(M2) * p.z;
    q.y = (constant_float(M3) * p.x + constant_float(M4) * p.y) + constant_float(M5) * p.z;
    q.z = (constant_float(M6) * p.x + constant_float(M7) * p.y) + constant_float(M8) * p.z;
    q.w = p.w;
    return q;
}
