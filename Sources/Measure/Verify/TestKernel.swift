import HDRPlan
import HDRRender

/// Kernels as users write them: neighbours, a loop, other pictures, functions that are exact in their own way.
enum TestKernel {
  /// The kernels by the names that `Kernel` has them under.
  static let inputs: [String: FilterInput] = Dictionary(
    uniqueKeysWithValues: [(name, plain), (mixingName, mixing)].compactMap { name, text in
      (try? HDRKernel(source: text, name: "test.glsl").kernel).map { (name, FilterInput(.kernel($0))) }
    })

  /// The kernel that reads one picture.
  static let name = "kernel"
  /// The kernel that reads two more.
  private static let mixingName = "mixing-kernel"

  /// The mixing kernel and its pictures, of `RandomRecipes.inputs`.
  static let mixingValues: [String: FilterValue] = [
    "file": .word(mixingName), "first": .word("photo"), "second": .word("mask"),
  ]

  private static let plain = """
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

  /// A kernel that asks for neighbours beyond its radius, too; it gets those at the edge of the area that it may read.
  private static let mixing = """
    //! name mixing
    //! parameter amount float = 0.5 in 0...1: share of the neighbours
    //! radius 2
    //! input first
    //! input second
    //! hdr safe
    //! headroom unknown
    vec4 kernel(vec4 p, Parameters q) {
        vec4 sum = vec4(0.0);
        for (int i = -3; i <= 3; i++) sum += sample(ivec2(i, position.x & 1)) / float(abs(i) + 1);
        vec3 c = mix(p.rgb, sum.rgb / (8.0 / 3.0), q.amount);
        c += 0.1 * headroom * first(ivec2(1, -2)).rgb + 0.1 / contentHeadroom * second(ivec2(-2, 1)).rgb;
        return vec4(c + 0.01 * sin(sqrt(abs(c)) * 3.0), p.a);
    }
    """
}
