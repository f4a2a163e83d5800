// load_float_planes: the twin of LoadFloatPlanes.
#pragma words CHANNELS

vec4 load_float_planes(vec4 p, uint k) { return source_pixel(0u, constant(CHANNELS), at.x, at.y); }
