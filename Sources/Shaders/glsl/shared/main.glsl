// Entry point and the two functions whose bodies the kernel composer replaces (SPIRV/KernelLibrary.swift).
layout(local_size_x = 32, local_size_y = 4) in;

vec4 program(uvec2 xy) {
    begin_pixel(xy);
    return vec4(0.0);
}

void sink_block(uvec2 block) {
}

void main() {
    sink_block(gl_GlobalInvocationID.xy);
}
