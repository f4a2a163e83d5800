// premultiply: the twin of Premultiply.
vec4 premultiply(vec4 p, uint k) { return vec4(p.x * p.w, p.y * p.w, p.z * p.w, p.w); }
