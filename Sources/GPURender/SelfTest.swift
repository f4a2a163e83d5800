import CVulkan
import HDRCore
import SPIRV

/// The start-up self-test (design/bit-exact.md §6.3): a probe kernel over about 10^5 vectors, word for word against the
/// CPU. A driver that contracts, reassociates, rounds otherwise or miscompiles shifts shows here, not in a picture.
extension GPURenderer {
  /// Words a vector has, and words the probe answers with (glsl/shared/probe.glsl).
  static let probeInputs = 4, probeOutputs = 16

  /// Number of answers that differ from the CPU's.
  func runSelfTest(vectors: Int = 100_000) throws(GPUError) -> Int {
    let inputs = Self.probeVectors(vectors)
    let kernel = try kernels.kernel(stages: [], sink: KernelLibrary.Call("probe", constants: 0))
    let answers = try runProbe(kernel, inputs: inputs, vectors: vectors)
    var differing = 0
    for vector in 0..<vectors {
      let expected = Self.probe(Array(inputs[vector * Self.probeInputs..<(vector + 1) * Self.probeInputs]))
      for (word, value) in expected.enumerated() {
        let answer = answers[vector * Self.probeOutputs + word]
        // The contract leaves the sign of a floating-point zero open.
        let bothZero = word < 8 && (answer | value) & 0x7fff_ffff == 0
        if answer != value && !bothZero { differing += 1 }
      }
    }
    return differing
  }

  /// One dispatch of the probe: input words in, output words back, nothing else around.
  private func runProbe(_ kernel: Kernel, inputs: [UInt32], vectors: Int) throws(GPUError) -> [UInt32] {
    let outputBytes = vectors * Self.probeOutputs * 4, size = kernels.localSize
    // Invocations in rows of 1024, as pictures have them.
    let columns = 1024, rows = (vectors + columns - 1) / columns
    var frame = [UInt32](repeating: 0, count: FrameLayout.words)
    frame[FrameLayout.width] = UInt32(columns)
    frame[FrameLayout.rowCount] = UInt32(rows)
    frame[FrameLayout.height] = UInt32(vectors)
    let frameOffset = (inputs.count * 4 + 1023) & ~1023
    let host = try GPUBuffer(context, .staging, bytes: frameOffset + SharedLayout.constantBytes, what: "self-test")
    let answer = try GPUBuffer(context, .readback, bytes: outputBytes, what: "self-test")
    guard let base = host.mapped, let result = answer.mapped else { return [] }
    inputs.withUnsafeBytes { base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    frame.withUnsafeBytes { (base + frameOffset).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }

    let sets = try DescriptorSets(context, capacity: 1)
    var bindings: [Int: Bound] = [:]
    for number in [0, 1, 2, 4, 5, 6] {
      let bytes = number == 0 ? SharedLayout.frameBytes : SharedLayout.constantBytes
      bindings[number] = .buffer(host.handle, offset: frameOffset, bytes: bytes)
    }
    bindings[3] = .buffer(host.handle, offset: 0, bytes: inputs.count * 4)
    bindings[7] = .buffer(answer.handle, offset: 0, bytes: outputBytes)
    var set: VkDescriptorSet? = try sets.make(bindings)

    let f = context.functions
    let commands = try CommandPool(context, context.compute.family)
    let buffer = try commands.begin()
    f.cmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline)
    f.cmdBindSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, context.pipelineLayout, 0, 1, &set, 0, nil)
    f.cmdDispatch(buffer, UInt32((columns + size.x - 1) / size.x), UInt32((rows + size.y - 1) / size.y), 1)
    f.barrier(buffer, from: .shaderWrite, to: .hostRead)
    try commands.end()
    let timeline = try Timeline(context)
    try timeline.submit(context.compute, commands, after: 0)
    try timeline.wait()
    return Array(UnsafeRawBufferPointer(start: result, count: outputBytes).bindMemory(to: UInt32.self))
  }

  /// Vectors of four words: three floats of modest size, edges and ties among them, and a word of random bits.
  static func probeVectors(_ count: Int) -> [UInt32] {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func random() -> UInt32 {
      // xorshift64* (Vigna, 2016): any fixed sequence would do.
      state ^= state >> 12
      state ^= state << 25
      state ^= state >> 27
      return UInt32(truncatingIfNeeded: (state &* 0x2545_f491_4f6c_dd1d) >> 32)
    }
    var words: [UInt32] = []
    words.reserveCapacity(count * probeInputs)
    for vector in 0..<count {
      // Exponents -14...14 around 1, full mantissas.
      var abc = (0..<3).map { _ in
        Float(bitPattern: (random() & 0x807f_ffff) | (127 &- 14 &+ random() % 29) << 23)
      }
      switch vector % 8 {
      case 0:
        // c cancels the product: what is left is the rounding error that a fused operation would keep.
        abc[2] = -(abc[0] * abc[1])
      case 1:
        // Half-way cases of the sum a + b.
        abc[1] = abc[0] * 0x1p-24
      case 2:
        // Half-way cases of rounding to an integer.
        abc[0] = Float(Int32(random() % 4096)) + 0.5
      case 3:
        abc = [1, 0, -1].map { Float($0) * abc[0] }
      default: break
      }
      words += abc.map(\.bitPattern) + [random()]
    }
    return words
  }

  /// The probe on the CPU: twin of glsl/shared/probe.glsl.
  static func probe(_ v: [UInt32]) -> [UInt32] {
    let a = Float(bitPattern: v[0]), b = Float(bitPattern: v[1]), c = Float(bitPattern: v[2]), u = v[3]
    let positive = Float(bitPattern: (v[0] & 0x7fff_ffff) | 0x3000_0000)
    let product = a * b
    return [
      (a * b + c).bitPattern,
      ((a + 12_582_912) - 12_582_912).bitPattern,
      ((a + b) - a).bitPattern,
      (product - b * c).bitPattern,
      (a * (b + c) + b * (a - c)).bitPattern,
      E32.log2(positive).bitPattern,
      E32.exp2(c).bitPattern,
      E32.reciprocal(positive).bitPattern,
      E32.half(a * 0x1p-8),
      E32.float(half: u & 0xffff).bitPattern,
      E32.sanitize(Float(bitPattern: u)).bitPattern,
      E32.quantize(b, 65535),
      (u &>> 7) ^ (u &<< 9) ^ UInt32(bitPattern: Int32(bitPattern: u) &>> 5),
      Float(Int32(bitPattern: u & 0xff_ffff) &- 0x80_0000).bitPattern,
      UInt32(bitPattern: Int32(a < 0 ? -a : a)),
      u &* 0x85eb_ca77 &+ (a < b ? v[0] : v[1]),
    ]
  }
}
