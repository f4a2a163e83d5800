import HDRPlan
import HDRRender

/// A kernel as users write them: neighbours, a loop, functions that are exact in their own way.
enum TestKernel {
  static let inputs: [String: EditInput] = {
    guard let kernel = try? HDRKernel(source: text, name: "test.glsl").kernel else { return [:] }
    return [name: EditInput(.kernel(kernel))]
  }()

  static let name = "kernel"

  static let text = """
    //! name test
    //! parameter amount float = 0.5 in 0...1: share of the neighbours
    //! radius 2
    //! hdr safe
    //! headroom unknown
    vec4 kernel(vec4 p, Parameters q) {
        vec4 sum = vec4(0.0);
        for (int i = -2; i <= 2; i++) sum += sample(ivec2(i, position.x & 1)) / float(abs(i) + 1);
        vec3 c = mix(p.rgb, sum.rgb / (8.0 / 3.0), q.amount);
        return vec4(c + 0.01 * sin(sqrt(abs(c)) * 3.0), p.a);
    }
    """
}
