import Foundation
import HDRCore
import KernelCompiler
import SPIRV
import SPIRVExecutor
import Shaders
import Testing

/// A kernel's text as it runs on the CPU: parsed, compiled, rewritten, linked, executed.
struct TextKernel {
  let compiled: CompiledKernel
  let module: UserModule
  let words: [UInt32]
  let function: PixelFunction

  static let library = try! ShaderLibrary.library()

  init(_ text: String) throws {
    compiled = try KernelCompiler.compile(Array(text.utf8))
    module = try UserModule(compiled: compiled.words)
    words = try Self.library.kernel(
      stages: [KernelLibrary.Call("user", constants: 0, user: module)],
      sink: KernelLibrary.Call("store_rgba16f", constants: 100))
    function = try PixelFunction(words)
  }

  /// Takes a kernel's text, run by another function.
  init(_ kernel: TextKernel, _ function: PixelFunction) {
    (compiled, module, words) = (kernel.compiled, kernel.module, kernel.words)
    self.function = function
  }

  /// A body of one expression of p, the pixel.
  init(expression: String) throws {
    try self.init("//! name test\nvec4 kernel(vec4 p, Parameters q) {\n  return vec4(vec3(\(expression)), 1.0);\n}\n")
  }

  /// - Parameter pixels: of one row; what is read beside them comes from `source`.
  func run(
    _ pixels: [SIMD4<Float>], parameters: [UInt32] = [], y: Int = 0, variant: ExecutorVariant = ExecutorVariant(),
    source: PixelSource? = nil, width: Int? = nil
  ) throws -> [SIMD4<Float>] {
    var planes = (0..<4).map { channel in pixels.map { $0[channel] } }
    let strip = PixelStrip(function, variant: variant, width: width)
    parameters.withUnsafeBufferPointer { words in
      let host = PixelHost(
        x: 0, y: y, width: pixels.count, height: 1, headroom: 4, contentHeadroom: 8, parameters: words,
        radius: compiled.head.radius,
        sources: source.map { [$0] } ?? [])
      var pointers: [UnsafeMutablePointer<Float>] = []
      for channel in 0..<4 {
        pointers.append(.allocate(capacity: pixels.count))
        pointers[channel].initialize(from: planes[channel], count: pixels.count)
      }
      defer { for pointer in pointers { pointer.deallocate() } }
      strip.run(pointers, count: pixels.count, host)
      for channel in 0..<4 { for i in pixels.indices { planes[channel][i] = pointers[channel][i] } }
    }
    return pixels.indices.map { SIMD4(planes[0][$0], planes[1][$0], planes[2][$0], planes[3][$0]) }
  }
}

/// The fault of a text, as "line: message".
func kernelFault(_ text: String) -> String? {
  do {
    _ = try TextKernel(text)
    return nil
  } catch let fault as KernelTextFault {
    return "\(fault.line): \(fault.message)"
  } catch let fault as KernelFault {
    return "\(fault.line ?? 0): \(fault.message)"
  } catch {
    return "\(error)"
  }
}

@Suite struct UserModuleTests {
  @Test func aKernelRunsAndKeepsTheContract() throws {
    let kernel = try TextKernel(
      """
      //! name gain
      //! parameter gain float = 2 in 0...4: factor
      vec4 kernel(vec4 p, Parameters q) { return vec4(p.rgb * q.gain, p.a); }
      """)
    #expect(try lint(kernel.words) == [])
    let result = try kernel.run([[1, 2, 3, 1], [0.5, 0, -1, 0.25]], parameters: [Float(1.5).bitPattern])
    #expect(result == [[1.5, 3, 4.5, 1], [0.75, 0, -1.5, 0.25]])
  }

  /// A function of x against Double, over its domain.
  static let functions:
    [(
      expression: String, domain: ClosedRange<Double>, ulp: Double, absolute: Double,
      exact: @Sendable (Double) -> Double
    )] =
      [
        ("3.0 / p.x", 0.001...1000, 1.5, 0, { 3 / $0 }),
        ("p.x / 7.0", -100...100, 1.5, 0, { $0 / 7 }),
        ("sqrt(p.x)", 0...10000, 1, 0, { $0.squareRoot() }),
        ("inversesqrt(p.x)", 0.001...1000, 4, 0, { 1 / $0.squareRoot() }),
        ("exp2(p.x)", -20...20, 1.5, 0, { Foundation.exp2($0) }),
        ("log2(p.x)", 0.001...1000, 2.5, 1.2e-7, { Foundation.log2($0) }),
        ("exp(p.x)", -13...13, 2.5, 0, { Foundation.exp($0) }),
        ("log(p.x)", 0.001...1000, 3.5, 1.5e-7, { Foundation.log($0) }),
        ("pow(p.x, 2.4)", 0.001...10, 24, 0, { Foundation.pow($0, Double(Float(2.4))) }),
        ("sin(p.x)", -100...100, 2, 1e-7, { Foundation.sin($0) }),
        ("cos(p.x)", -100...100, 2, 1e-7, { Foundation.cos($0) }),
        ("tan(p.x)", -1.5...1.5, 6, 1e-7, { Foundation.tan($0) }),
        ("atan(p.x)", -1000...1000, 4, 0, { Foundation.atan($0) }),
        ("tanh(p.x)", -20...20, 4, 0, { Foundation.tanh($0) }),
        ("floor(p.x)", -1e6...1e6, 0, 0, { $0.rounded(.down) }),
        ("ceil(p.x)", -1000...1000, 0, 0, { $0.rounded(.up) }),
        ("trunc(p.x)", -1000...1000, 0, 0, { $0.rounded(.towardZero) }),
        ("round(p.x)", -1000...1000, 0, 0, { $0.rounded(.toNearestOrEven) }),
        ("fract(p.x)", -1000...1000, 0, 6e-8, { $0 - $0.rounded(.down) }),
        ("mod(p.x, 0.75)", 0...100, 0, 1e-5, { $0 - 0.75 * ($0 / 0.75).rounded(.down) }),
        ("abs(p.x) + sign(p.x)", -10...10, 0.5, 0, { abs($0) + ($0 > 0 ? 1 : $0 < 0 ? -1 : 0) }),
        ("clamp(p.x, -1.0, 2.0)", -10...10, 0, 0, { min(max($0, -1), 2) }),
        ("mix(2.0, 4.0, p.x)", 0...1, 1, 0, { 2 + 2 * $0 }),
        ("step(0.5, p.x)", 0...1, 0, 0, { $0 < 0.5 ? 0 : 1 }),
        (
          "smoothstep(1.0, 3.0, p.x)", 0...4, 4, 1e-9,
          {
            let t = min(max(($0 - 1) / 2, 0), 1); return t * t * (3 - 2 * t)
          }
        ),
        ("length(vec3(p.x, 2.0, 3.0))", -10...10, 2, 0, { ($0 * $0 + 13).squareRoot() }),
        ("distance(vec2(p.x, 1.0), vec2(0.0))", -10...10, 2, 0, { ($0 * $0 + 1).squareRoot() }),
        ("dot(vec3(p.x, 1.0, 2.0), vec3(0.5, 0.25, 1.0))", 0...10, 2, 0, { $0 * 0.5 + 2.25 }),
        ("normalize(vec3(p.x, 1.0, 1.0)).y", 0...10, 6, 0, { 1 / ($0 * $0 + 2).squareRoot() }),
        ("cross(vec3(p.x, 2.0, 3.0), vec3(4.0, 5.0, 6.0)).z", -10...10, 4, 1e-6, { $0 * 5 - 8 }),
        ("reflect(vec3(p.x, 1.0, 0.0), vec3(0.0, 1.0, 0.0)).x", -10...10, 0, 0, { $0 }),
        ("atan(p.x, -1.0)", 0.01...10, 4, 3e-7, { Foundation.atan2($0, -1) }),
        ("float(int(p.x))", -1000...1000, 0, 0, { $0.rounded(.towardZero) }),
        ("float(int(p.x) % 7)", 0...1000, 0, 0, { Double(Int($0) % 7) }),
        ("float(int(p.x) / 3)", -1000...1000, 0, 0, { Double(Int($0) / 3) }),
        ("float((uint(p.x) << 3) >> 1)", 0...1000, 0, 0, { Double((UInt32($0) << 3) >> 1) }),
      ]

  @Test(arguments: functions.indices) func functionsKeepTheirBounds(index: Int) throws {
    let (expression, domain, ulp, absolute, exact) = Self.functions[index]
    let kernel = try TextKernel(expression: expression)
    #expect(try lint(kernel.words) == [])
    let count = 20_001
    let xs = (0..<count).map { i in
      Float(domain.lowerBound + (domain.upperBound - domain.lowerBound) * Double(i) / Double(count - 1))
    }
    let got = try kernel.run(xs.map { SIMD4($0, 0, 0, 1) })
    var worst = 0.0, at: Float = 0
    for (x, y) in zip(xs, got) {
      let want = exact(Double(x))
      let error = (abs(Double(y.x) - want) - absolute) / Double(max(abs(Float(want)), 1e-9).ulp)
      if error > worst { (worst, at) = (error, x) }
    }
    #expect(worst <= ulp, "\(expression): \(worst) ulp at \(at)")
    print("\(expression): \(worst) ulp at \(at)")
  }

  @Test func nothingDependsOnWhatDevicesMayChoose() throws {
    let kernel = try TextKernel(
      """
      //! name all
      vec4 kernel(vec4 p, Parameters q) {
        vec3 a = p.rgb / (p.gbr + 0.5) + sqrt(abs(p.rgb)) - pow(abs(p.brg), vec3(2.2));
        for (int i = 0; i < int(p.x * 4.0); i++) { a = a * 0.5 + sin(a); if (a.x > 0.7) break; }
        return vec4(a, 1.0);
      }
      """)
    let pixels = (0..<1000).map { SIMD4<Float>(Float($0 % 37) / 11, Float($0 % 91) / 50, Float($0) / 300, 1) }
    let plain = try kernel.run(pixels)
    for variant in [
      ExecutorVariant(flushesSubnormals: true), ExecutorVariant(flipsZeros: true),
      ExecutorVariant(flushesSubnormals: true, flipsZeros: true),
    ] {
      #expect(try kernel.run(pixels, variant: variant) == plain)
    }
    #expect(try kernel.run(pixels, width: 64) == plain)
    #expect(try kernel.run(pixels, width: 512) == plain)
  }

  @Test func loopsWithoutEndEnd() throws {
    let kernel = try TextKernel(
      """
      //! name endless
      vec4 kernel(vec4 p, Parameters q) {
        float sum = 0.0;
        while (p.x > 0.0) { sum += 1.0; }
        return vec4(sum);
      }
      """)
    let result = try kernel.run([[1, 0, 0, 1], [-1, 0, 0, 1]])
    #expect(result[0].x > 1000 && result[1].x == 0)
  }

  @Test func nanAndInfinityAreSanitised() throws {
    let kernel = try TextKernel(
      """
      //! name worst
      vec4 kernel(vec4 p, Parameters q) {
        float big = p.x * 3.0e38;
        return vec4(big, big - big, 1.0e-20 * p.x, 1.0);
      }
      """)
    #expect(try kernel.run([[4, 0, 0, 1]]) == [[1_048_576, 0, 0, 1]])
  }

  @Test func neighboursAreReadWithinRadiusAndPicture() throws {
    let kernel = try TextKernel(
      """
      //! name shift
      //! radius 1
      vec4 kernel(vec4 p, Parameters q) { return vec4(sample(ivec2(1, 0)).x, sample(ivec2(-9, 1)).x, p.x, 1.0); }
      """)
    let rows: [Float] = [1, 2, 3, 4, 10, 20, 30, 40]
    try rows.withUnsafeBytes { bytes in
      let channel = PixelRows(base: bytes.baseAddress!, rowBytes: 16, stepBytes: 4)
      let source = PixelSource(channels: [channel, channel, channel], width: 4, height: 2)
      let result = try kernel.run([SIMD4](repeating: [0, 0, 0, 1], count: 4), source: source)
      #expect(result.map(\.x) == [2, 3, 4, 4])
      #expect(result.map(\.y) == [10, 10, 20, 30])
      #expect(result.map(\.z) == [1, 2, 3, 4])
    }
  }

  @Test func indicesStayInsideTheirArrays() throws {
    let kernel = try TextKernel(
      """
      //! name table
      const float steps[4] = float[4](1.0, 2.0, 4.0, 8.0);
      vec4 kernel(vec4 p, Parameters q) { return vec4(steps[int(p.x)], p[uint(p.y)], 0.0, 1.0); }
      """)
    #expect(try kernel.run([[2, 1, 0, 1], [99, 99, 0, 1], [-5, 0, 0, 1]]).map(\.x) == [4, 8, 1])
  }

  /// Checks the message for each fault, and its line.
  @Test(arguments: [
    ("vec4 kernel(vec4 p, Parameters q) { return p; }", "1: the head has no name"),
    ("//! name a\n//! radius 99\n", "2: radius is 0...16, not \"99\""),
    ("//! name a\n//! colour red\n", "2: there is no \"colour\" in a head"),
    ("//! name a\n//! parameter x float = 3 in 0...1\n", "2: the default is not in the range"),
    ("//! name a\nvec4 kernel(vec4 p, Parameters q) { return p }\n", "2: syntax error"),
    ("//! name a\nvec4 kernel(vec4 p, Parameters q) {\n  return r;\n}\n", "3: 'r' : undeclared identifier"),
    ("//! name a\nvec4 other(vec4 p) { return p; }\n", "0: it has no function vec4 kernel"),
    ("//! name a\n#extension GL_EXT_x : enable\n", "2: #extension has no place in kernels"),
    ("//! name a\n#include \"b.glsl\"\n", "2: #include has no place in kernels"),
    ("//! name a\n#version 450\n", "2: #version has no place in kernels"),
    ("//! name a\nuniform float x;\n", "2: uniform has no place in kernels"),
    ("//! name a\nlayout(binding = 3) buffer B { float x; };\n", "2: layout has no place in kernels"),
    (
      "//! name a\nfloat state;\nvec4 kernel(vec4 p, Parameters q) { return p; }\n",
      "2: variables outside functions are const: state is not"
    ),
    ("//! name a\nfloat sin(float x) { return x; }\n", "2: sin cannot be defined anew"),
    ("//! name a\n#define sqrt(x) x\n", "2: sqrt cannot be defined anew"),
    (
      "//! name a\nvec4 kernel(vec4 p, Parameters q) { return sample(ivec2(0)); }\n",
      "2: sample needs a radius in the head"
    ),
    ("//! name a\nvec4 kernel(vec4 p, Parameters q) {\n\n  return vec4(asin(p.x));\n}\n", "4: asin has no exact form"),
    (
      "//! name a\nvec4 kernel(vec4 p, Parameters q) {\n  mat3 m = mat3(1.0);\n  return vec4(m * p.rgb, 1.0);\n}\n",
      "3: matrices: write their sums out"
    ),
    (
      "//! name a\nvec4 kernel(vec4 p, Parameters q) {\n  return vec4(isnan(p.x) ? 1.0 : 0.0);\n}\n",
      "3: isnan has no exact form"
    ),
    (
      "//! name a\nfloat f(float x) { return f(x); }\nvec4 kernel(vec4 p, Parameters q) { return vec4(f(p.x)); }\n",
      "2: a function calls itself"
    ),
    (
      "//! name a\nfloat g(float x);\n\nfloat f(float x) { return g(x); }\nfloat g(float x) { return f(x); }\n"
        + "vec4 kernel(vec4 p, Parameters q) { return vec4(f(p.x)); }\n",
      ": a function calls itself"
    ),
    (
      "//! name a\nvec4 kernel(vec4 p, Parameters q) {\n  float t[2000];\n  return p * t[3];\n}\n",
      "3: arrays have 1 to 1024 elements"
    ),
    (
      "//! name a\nvec4 kernel(vec4 p, Parameters q) { return kernel_pixel(0u, 1, 1); }\n",
      "2: names that begin with kernel_ are taken"
    ),
    (
      "//! name a\nvec4 kernel(vec4 p, Parameters q) { return vec4(packHalf2x16(p.xy)); }\n",
      "2: packHalf2x16 has no exact form"
    ),
    (
      "//! name a\nvec4 kernel(vec4 p, Parameters q) { double x = 1.0; return p; }\n",
      "2: double has no place in kernels"
    ),
    (
      "//! name a\nvec4 kernel(vec4 p, Parameters q) { barrier(); return p; }\n", "2: barriers have no place in kernels"
    ),
  ])
  func refusalsNameLineAndReason(text: String, start: String) {
    let fault = kernelFault(text) ?? "taken"
    #expect(fault.contains(start), "\(fault)")
    #expect(!fault.contains("\n"))
  }
}
