import HDRCore
import SPIRV
import SPIRVExecutor
import Testing

/// Values that live at the same time never share a register: random programs give what they give with a register for each
/// value, and what they give pixel by pixel, where no lane waits for another.
@Suite struct RegisterReuseTests {
  @Test(arguments: 0..<100) func registerReuseChangesNoBit(seed: Int) throws {
    let text = RandomKernel(seed: UInt64(seed)).text
    let kernel = try TextKernel(text)
    var random = RandomKernel(seed: UInt64(1000 + seed))
    let pixels = (0..<100).map { _ in
      SIMD4<Float>(
        Float(random.below(64)) / 16 - 1, Float(random.below(64)) / 16 - 2, Float(random.below(64)) / 32,
        Float(random.below(4)) / 3)
    }
    let apart = TextKernel(kernel, try PixelFunction(kernel.words, reusesRegisters: false))
    #expect(kernel.function.registers < apart.function.registers)
    let expected = try apart.run(pixels).map(bits)
    #expect(try kernel.run(pixels).map(bits) == expected, "\(text)")
    #expect(try kernel.run(pixels, width: 24).map(bits) == expected, "\(text)")
    for (pixel, words) in zip(pixels, expected).prefix(40) {
      #expect(try kernel.run([pixel]).map(bits) == [words], "\(text)")
    }
  }

  func bits(_ pixel: SIMD4<Float>) -> [UInt32] { (0..<4).map { pixel[$0].bitPattern } }
}

/// A kernel of random statements: branches, loops with breaks, switches, functions that return early or write to their
/// parameters, arrays by changing indices.
struct RandomKernel {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  private mutating func one(of list: [String]) -> String { list[below(list.count)] }

  var text: String {
    var copy = self
    return copy.make()
  }

  private mutating func make() -> String {
    """
    //! name random
    float early(float x, float y) {
      if (x > y) return x - y;
      for (int i = 0; i < 3; i++) {
        x += 0.5;
        if (x > 1.0) return \(expression(2, ["x", "y"]));
      }
      return \(expression(2, ["x", "y"]));
    }
    void change(inout float x, inout vec3 v, float y) {
      \(statements(2, 2, floats: ["x", "y", "v.y"], loop: false))
      v.x = x;
    }
    vec4 kernel(vec4 p, Parameters q) {
      float a = p.x, b = p.y, c = p.z, d;
      int i = int(p.x * 3.0), j = 1;
      vec3 v = p.rgb;
      float t[4] = float[4](p.x, 0.5, p.y, 2.0);
      \(statements(7, 3, floats: Self.variables, loop: false))
      return vec4(a + d, b + v.x * v.y, c + v.z + t[1] + t[3], float(i + j) * 0.125 + t[0]);
    }
    """
  }

  private static let variables = ["a", "b", "c", "d", "v.x", "v.y", "v.z"]

  private mutating func expression(_ depth: Int, _ floats: [String]) -> String {
    if depth == 0 { return below(4) == 0 ? one(of: ["0.5", "1.25", "-0.75", "2.0"]) : one(of: floats) }
    let x = expression(depth - 1, floats), y = expression(depth - 1, floats)
    let hasAll = floats == Self.variables
    switch below(hasAll ? 11 : 8) {
    case 0, 1: return "(\(x) + \(y))"
    case 2: return "(\(x) - \(y))"
    case 3: return "(\(x) * \(y))"
    case 4: return "min(\(x), \(y))"
    case 5: return "clamp(\(x), -1.5, \(y))"
    case 6: return "(\(condition(floats)) ? \(x) : \(y))"
    case 7: return "floor(\(x))"
    case 8: return "early(\(x), \(y))"
    case 9: return "t[\(one(of: ["i", "j", "i + 1", "int(a)"])) & 3]"
    default: return "float(i)"
    }
  }

  private mutating func condition(_ floats: [String]) -> String {
    let one = "\(expression(1, floats)) < \(expression(1, floats))"
    return below(3) == 0 ? "\(one) \(self.one(of: ["&&", "||"])) \(expression(0, floats)) > 0.25" : one
  }

  private mutating func statements(_ count: Int, _ depth: Int, floats: [String], loop: Bool) -> String {
    (0..<count).map { _ in statement(depth, floats, loop) }.joined(separator: "\n")
  }

  private mutating func statement(_ depth: Int, _ floats: [String], _ loop: Bool) -> String {
    let hasAll = floats == Self.variables
    guard depth > 0 else { return "\(one(of: floats)) = \(expression(2, floats));" }
    switch below(hasAll ? 11 : 4) {
    case 0: return "\(one(of: floats)) = \(expression(3, floats));"
    case 1: return "\(one(of: floats)) += \(expression(2, floats));"
    case 2: return "if (\(condition(floats))) {\n\(statements(2, depth - 1, floats: floats, loop: loop))\n}"
    case 3:
      return """
        if (\(condition(floats))) {
        \(statements(1, depth - 1, floats: floats, loop: loop))
        } else {
        \(statements(2, depth - 1, floats: floats, loop: loop))
        }
        """
    case 4, 5:
      let name = "n\(below(1 << 30))"
      return """
        for (int \(name) = 0; \(name) < \(below(2) == 0 ? "3" : "(i & 3)"); \(name)++) {
        \(statements(2, depth - 1, floats: floats, loop: true))
        \(below(2) == 0 ? "if (\(condition(floats))) \(one(of: ["break", "continue"]));" : "")
        \(statements(1, depth - 1, floats: floats, loop: true))
        }
        """
    case 6: return "change(\(one(of: ["a", "b", "d"])), v, \(expression(1, floats)));"
    case 7: return "t[\(one(of: ["i", "j", "0", "2"])) & 3] = \(expression(2, floats));"
    case 8:
      return "\(one(of: ["i += 1", "j = i * 3 - j", "j = (i + 5) / 2 + i % 3", "i = int(\(expression(1, floats)))"]));"
    case 9 where loop: return "if (\(condition(floats))) \(one(of: ["break", "continue"]));"
    case 9: return below(3) == 0 ? "if (\(condition(floats))) return vec4(a, b, c, d);" : "v = v.zxy * a;"
    default:
      return """
        switch (i & 3) {
        case 0: \(statements(1, depth - 1, floats: floats, loop: false)) break;
        case 2: \(statements(2, depth - 1, floats: floats, loop: false)) break;
        default: \(statements(1, depth - 1, floats: floats, loop: false)) break;
        }
        """
    }
  }
}
