// color_map: the twin of ColorMapStage.
#pragma words SOURCE WIDTH LUMINANCE_R LUMINANCE_G LUMINANCE_B

vec4 color_map(vec4 p, uint k) {
    uint source = constant(SOURCE);
    int end = int(constant(WIDTH)) - 1;
    float y = (constant_float(LUMINANCE_R) * p.x + constant_float(LUMINANCE_G) * p.y) + constant_float(LUMINANCE_B) * p.z;
    float last = float(end);
    float place = lut_inside(y, 1.0) * last, cell = lut_cell(place, last), f = place - cell;
    int left = int(lut_node(cell)), right = left < end ? left + 1 : left;
    vec4 a = source_pixel(source, 4u, left, 0), b = source_pixel(source, 4u, right, 0);
    return (a * (1.0 - f) + b * f) * p.w;
}
