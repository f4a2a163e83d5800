import Foundation
import GPURender
import HDRCore
import HDRPlan
import KernelCompiler
import Kernels
import SPIRV
import SPIRVExecutor
import TestPlans
import TestSupport
import Testing
import UserKernels

/// Users' kernels in plans: the CPU's strips, the executor of whole kernels and Vulkan devices give the same bits.
@Suite(.serialized) struct UserKernelTests {
  static let examples = ["film-curve", "split-toning", "exposure-zones", "false-colour", "sharpen", "gradient"]

  static func kernel(_ text: String) throws -> UserKernel {
    try UserKernel(KernelCompiler.compile(Array(text.utf8)), digest: "\(text.hashValue)")
  }

  static func example(_ name: String) throws -> UserKernel {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../Examples/kernels")
    return try kernel(try String(contentsOf: folder.appendingPathComponent(name + ".glsl"), encoding: .utf8))
  }

  /// A recipe of kernels, with values by their names.
  static func recipe(
    _ kernels: [(UserKernel, [String: FilterValue])], inputs: [String: FilterInput] = [:],
    target: OutputSignal = OutputSignal(encoding: .linear, sink: .rgba16f)
  ) -> RenderRecipe {
    var recipe = RenderRecipe(target: target, display: .headroom(Headroom(stops: 2)), tone: .none)
    recipe.inputs = inputs
    recipe.allowsSDRFilters = true
    for (index, (kernel, values)) in kernels.enumerated() {
      recipe.inputs["kernel \(index)"] = FilterInput(.kernel(kernel))
      recipe.edits.append(
        FilterStep("kernel", values.merging(["file": .word("kernel \(index)")]) { $1 }))
    }
    return recipe
  }

  static let pictures: [(name: String, source: SourceImage)] = [
    ("p010", source(Recipes.p010(131, 67))),
    ("rgba turned", source(Recipes.interleaved(71, 90, channels: 4, bits: 16), orientation: .left)),
    ("sdr", source(Recipes.planar(64, 33, .s420, bits: 8), primaries: 1, transfer: 13)),
  ]

  static let devices: [(name: String, renderer: GPURenderer)] = ["llvmpipe", "SwiftShader"].compactMap { name in
    var options = GPUOptions()
    options.cacheFolder = nil
    options.selfTest = name == "llvmpipe"
    options.bandBytes = 1 << 16
    return (try? GPURenderer(selection: .named(name), options: options)).map { (name, $0) }
  }

  /// Every way to render a plan against the CPU's strips.
  static func expectSameBits(_ plan: Plan, _ name: String) throws {
    let cpu = renderOnCPU(plan)
    let executor = try SPIRVRenderer(bandBytes: 1 << 16).render(plan)
    #expect(differingSamples(executor, cpu) == 0, "\(name), executor")
    // Planes of binary32 keep the sign of a zero, which is a device's own.
    let last = plan.passes[plan.passes.count - 1].sink.kind
    let flushing =
      last == .floatPlanes
      ? cpu : try SPIRVRenderer(variant: ExecutorVariant(flushesSubnormals: true, flipsZeros: true)).render(plan)
    #expect(differingSamples(flushing, cpu) == 0, "\(name), other subnormals and zeros")
    for device in devices {
      #expect(differingSamples(try device.renderer.render(plan), cpu) == 0, "\(name), \(device.name)")
    }
  }

  @Test("an example has the same bits on the CPU and on every device", arguments: examples)
  func examplesHaveTheSameBits(name: String) throws {
    let kernel = try Self.example(name)
    for (picture, source) in Self.pictures {
      for sink in [SinkKind.rgba16f, .floatPlanes] {
        let recipe = Self.recipe([(kernel, [:])], target: OutputSignal(encoding: .linear, sink: sink))
        try Self.expectSameBits(try Planner.plan(source, recipe), "\(name), \(picture), \(sink)")
      }
    }
  }

  @Test(
    "functions that the CPU calls as a whole have the bits of the module's own instructions",
    arguments: [
      "trunc(x)", "floor(x)", "ceil(x)", "round(x)", "fract(x)", "x / y", "mod(x, y)", "sqrt(x)", "inversesqrt(x)",
      "exp2(x)", "log2(x)", "exp(x)", "log(x)", "pow(x, y)", "sin(x)", "cos(x)", "tan(x)", "tanh(x)", "atan(x)",
      "smoothstep(y, z, x)", "clamp(x, y, z)", "mix(x, y, z)",
    ])
  func libraryFunctionsHaveTheSameBits(call: String) throws {
    for scale in ["0.01", "1.0", "37.0", "1e5", "3e9"] {
      let kernel = try Self.kernel(
        """
        //! name f
        //! parameter unused float = 1 in 0...2: nothing
        //! hdr safe
        //! headroom keeps
        float f(float x, float y, float z) { return \(call); }
        vec4 kernel(vec4 p, Parameters q) {
            float x = (p.r - 0.25) * \(scale), y = (p.g - 0.5) * \(scale), z = p.b * 3.0;
            return vec4(f(x, y, z), f(y, x, z), f(x * x, z, y), 1.0);
        }
        """)
      for (picture, source) in Self.pictures.prefix(1) {
        let target = OutputSignal(encoding: .linear, sink: .floatPlanes)
        try Self.expectSameBits(
          try Planner.plan(source, Self.recipe([(kernel, [:])], target: target)), "\(call) \(scale), \(picture)")
      }
    }
  }

  @Test("an example makes valid modules", arguments: examples)
  func examplesAreValid(name: String) throws {
    let kernel = try Self.example(name)
    let call = KernelLibrary.Call("user", constants: 3, user: kernel.module)
    let twice = [KernelLibrary.Call("load_float_planes", constants: 0), call, call]
    for halves in [UInt32(0), 1] {
      let words = try KernelLibraryTests.library.kernel(
        stages: twice, sink: KernelLibraryTests.sink(.rgba16f, 70), halfSources: halves)
      #expect(try lint(words) == [])
      try expectValid(words)
    }
  }

  @Test("kernels follow each other in one pass and between passes")
  func kernelsFollowEachOther() throws {
    let all = try Self.examples.dropLast().map { (try Self.example($0), [String: FilterValue]()) }
    let plan = try Planner.plan(Self.pictures[0].source, Self.recipe(all))
    // The neighbourhood of the sharpening is the only reason for a second pass.
    #expect(plan.passes.count == 2)
    #expect(plan.passes[0].stages.count { $0.kind == .user } == 4)
    try Self.expectSameBits(plan, "five kernels")
    let pq = OutputSignal(encoding: .pq, sink: .planarYCC, bitDepth: 10, chroma: .s420)
    try Self.expectSameBits(try Planner.plan(Self.pictures[0].source, Self.recipe(all, target: pq)), "five to PQ")
  }

  @Test("parameters and second pictures reach a kernel")
  func inputsAreRead() throws {
    let kernel = try Self.kernel(
      """
      //! name blend
      //! parameter amount float = 0.5 in 0...1: share
      //! parameter gain vec3 = 1/1/1 in 0...4: factors
      //! parameter times int = 1 in 0...8: turns
      //! parameter turn bool = false: the other way round
      //! parameter tint color = 1/1/1: tint
      //! input other
      //! input mask
      //! radius 2
      //! hdr safe
      //! headroom keeps
      vec4 kernel(vec4 p, Parameters q) {
          vec4 b = other(ivec2(1, -2)), m = mask(ivec2(0));
          for (int i = 0; i < q.times; i++) b = (b + sample(ivec2(i - 1, 2 - i))) * 0.5;
          vec4 c = mix(p, b, q.amount * clamp(m.g, 0.0, 1.0));
          if (q.turn) c = c.bgra;
          return vec4(c.rgb * q.gain * q.tint.rgb, c.a);
      }
      """)
    let inputs = [
      "sky": FilterInput(.picture(source(Recipes.interleaved(50, 80, channels: 4, bits: 8), transfer: 13))),
      "soft": FilterInput(.picture(source(Recipes.planar(200, 20, .s444, bits: 10)))),
    ]
    let values: [String: FilterValue] = [
      "amount": .number(0.8), "gain": .numbers([1, 2, 0.5]), "times": .number(3), "turn": .flag(true),
      "tint": .word("p3(1, 0.5, 0.2)"), "other": .word("sky"), "mask": .word("soft"),
    ]
    for (picture, source) in Self.pictures {
      let plan = try Planner.plan(source, Self.recipe([(kernel, values)], inputs: inputs))
      try Self.expectSameBits(plan, "blend, \(picture)")
    }
    for (wrong, what) in [
      (["amount": FilterValue.number(2)], "amount of kernel is 0...1, not 2"),
      (["amunt": .number(1)], "kernel has no parameter \"amunt\"; did you mean \"amount\"?"),
      (["times": .number(1.5)], "times of kernel is a whole number, not 1.5"),
      (["mask": .word("none")], "there is no input \"none\""),
    ] {
      let recipe = Self.recipe([(kernel, values.merging(wrong) { $1 })], inputs: inputs)
      let error = #expect(throws: PlanError.self) { try Planner.plan(Self.pictures[0].source, recipe) }
      #expect(error?.description.contains(what) == true, "\(error?.description ?? "")")
    }
  }

  @Test("a head's rules become a filter's: headroom, HDR safety, alpha")
  func headsDecide() throws {
    func headroom(_ lines: String) throws -> Headroom? {
      let text = "//! name a\n\(lines)\nvec4 kernel(vec4 p, Parameters q) { return p * 0.5; }\n"
      var recipe = Self.recipe([(try Self.kernel(text), [:])])
      recipe.allowsSDRFilters = false
      return recipe.headroom(afterEditing: Headroom(factor: 4))
    }
    #expect(try headroom("//! hdr safe\n//! headroom keeps")?.factor == 4)
    #expect(try headroom("//! hdr safe\n//! headroom unknown") == nil)
    let scaled = try headroom("//! parameter ev float = 1 in -4...4: stops\n//! headroom scales pow(2, ev)")
    #expect(abs((scaled?.factor ?? 0) - 8) < 1e-9)
    #expect(throws: KernelTextFault.self) { try headroom("//! headroom scales pow(2, other)") }

    let clipping = try Self.kernel("//! name a\nvec4 kernel(vec4 p, Parameters q) { return min(p, vec4(1.0)); }\n")
    var recipe = Self.recipe([(clipping, [:])])
    recipe.allowsSDRFilters = false
    #expect(throws: PlanError.self) { try Planner.plan(Self.pictures[0].source, recipe) }
    // Alpha of an opaque picture stays 1 unless the kernel makes its own.
    let gradient = try Planner.plan(Self.pictures[0].source, Self.recipe([(try Self.example("gradient"), [:])]))
    #expect(gradient.report.hasAlpha && gradient.report.edits.map(\.name) == ["kernel"])
  }

  @Test("the film curve is within its bound of the formula in Double")
  func filmCurveFollowsItsFormula() throws {
    let width = 4096
    let picture = SampleImage.interleaved(width: width, height: 1, channelCount: 4, format: .float32, bitDepth: 32)
    // PQ codes of 12 bits, as light.
    let plane = picture.channels[0]
    let lights = (0..<width).map { Float(PQLight.of(Double($0) / 4095)) }
    for x in 0..<width {
      for channel in 0..<4 {
        (plane.buffer.base + plane.offset + 16 * x + 4 * channel)
          .storeBytes(of: channel == 3 ? 1 : lights[x], as: Float.self)
      }
    }
    let target = OutputSignal(encoding: .linear, sink: .floatPlanes)
    var recipe = Self.recipe([(try Self.example("film-curve"), [:])], target: target)
    recipe.workingFormat = .rgba32f
    recipe.contentHeadroom = Headroom(factor: 8)
    recipe.display = .high
    let plan = try Planner.plan(source(picture, transfer: 8), recipe)
    let result = renderOnCPU(plan).channels[0]
    let white = Double(Float(plan.report.editedFrom)), grey = Double(Float(0.18)), contrast = Double(Float(1.3))
    let k = pow(grey, contrast) * (white / grey - 1)
    var worst = 0.0
    for x in 0..<width {
      let power = pow(Double(lights[x]), contrast), exact = white * power / (power + k)
      // Less than 2^-30 leaves a kernel as 0.
      if exact < 0x1p-30 { continue }
      let made = (result.buffer.base + result.offset + 4 * x).load(as: Float.self)
      worst = max(worst, abs(PQLight.code(Double(made)) - PQLight.code(exact)) * 4095)
    }
    print("film curve: \(worst) PQ codes of 12 bits")
    #expect(worst < 0.001)
  }

  @Test("a damaged module is refused or runs; it never ends the program", arguments: examples)
  func damagedModulesAreRefused(name: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let text = try Data(contentsOf: folder.appendingPathComponent("../../Examples/kernels/\(name).glsl"))
    let whole = try KernelCompiler.compile(Array(text))
    var random = SplitMix(state: 2026), taken = 0
    for _ in 0..<300 {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<damaged.words.count, using: &random)
        damaged.words[place] =
          Bool.random(using: &random)
          ? damaged.words[Int.random(in: 0..<damaged.words.count, using: &random)]
          : damaged.words[place] ^ (1 << UInt32.random(in: 0..<32, using: &random))
      }
      if (try? UserKernel(damaged, digest: "")) != nil { taken += 1 }
    }
    // Names and constants may be others.
    #expect(taken < 200)
  }

  @Test("a kernel is composed in less than 50 ms")
  func composingIsFast() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let text = try Data(contentsOf: folder.appendingPathComponent("../../Examples/kernels/sharpen.glsl"))
    // CPU time of this thread: others have the machine too.
    func seconds() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    let times = try (0..<10).map { _ in
      let start = seconds()
      let compiled = try KernelCompiler.compile(Array(text)), middle = seconds()
      _ = try UserKernel(compiled, digest: "")
      return (compile: middle - start, check: seconds() - middle)
    }
    let best = times.map { $0.compile + $0.check }.min()!
    print("kernel: first \(times[0]), best \(best) s, of it compiled in \(times.map(\.compile).min()!)")
    #expect(best < 0.05)
  }
}

/// SMPTE ST 2084 in Double, 1.0 = 203 cd/m².
enum PQLight {
  private static let (m1, m2, c1, c2, c3) = (2610.0 / 16384, 2523.0 / 32, 3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)

  static func of(_ code: Double) -> Double {
    let power = pow(code, 1 / m2)
    return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1) * 10_000 / 203
  }

  static func code(_ light: Double) -> Double {
    let power = pow(max(light, 0) * 203 / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}
