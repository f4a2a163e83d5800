import CVulkan
import HDRCore
import HDRPlan
import Kernels
import SPIRV

/// The start-up self-test (docs/exact-arithmetic.md#self-test): a probe kernel over about 10^5 vectors, word for word
/// against the CPU. A driver that contracts, reassociates, rounds otherwise or miscompiles shifts shows here, not in a
/// picture.
extension GPURenderer {
  /// The words of a vector, and the words of the probe's answer (glsl/shared/probe.glsl).
  package static let probeInputs = 4, probeOutputs = 19
  /// The number of answer words, from the first, that are floats: the contract leaves the sign of a zero open.
  package static let probeFloats = 11

  /// Returns the number of answers that differ from the CPU's.
  func runSelfTest(vectors: Int = 100_000) throws(GPUError) -> Int {
    let inputs = Self.probeVectors(vectors)
    let kernel = try kernels.kernel(named: "probe")
    let answers = try runProbe(kernel, inputs: inputs, vectors: vectors)
    guard answers.count == vectors * Self.probeOutputs else { return vectors }
    var differing = 0
    var expected = [UInt32](repeating: 0, count: Self.probeOutputs)
    inputs.withUnsafeBufferPointer { inputs in
      for vector in 0..<vectors {
        let first = vector * Self.probeInputs
        Self.probe(inputs[first], inputs[first + 1], inputs[first + 2], inputs[first + 3], &expected)
        for word in 0..<Self.probeOutputs {
          let answer = answers[vector * Self.probeOutputs + word], value = expected[word]
          let bothZero = word < Self.probeFloats && (answer | value) & 0x7fff_ffff == 0
          if answer != value && !bothZero { differing += 1 }
        }
      }
    }
    return differing
  }

  /// The pictures of noise with which kernels of codecs are compared with their twins, before their first use.
  ///
  /// - Parameters:
  ///   - quality: of the second.
  ///   - isOptimized: of the first. Noise with tables of its own, or of quality 100, does not settle where it is decoded.
  private static func codecTests(
    quality: Int, isOptimized: Bool
  ) -> [(image: SampleImage, coding: JPEGCoding)] {
    [(ChromaSubsampling.s420, 90, isOptimized), (.s444, quality, false)].map { chroma, quality, isOptimized in
      let image = SampleImage.interleaved(width: 141, height: 83, channelCount: 4, format: .uint8, bitDepth: 8)
      var random = SplitMix64(seed: UInt64(quality))
      for place in 0..<image.channels[0].buffer.byteCount {
        (image.channels[0].buffer.base + place).storeBytes(of: UInt8(random.next() & 255), as: UInt8.self)
      }
      let layout = JPEGLayout(width: image.width, height: image.height, chroma: chroma)
      return (image, JPEGCoding(layout, JPEGTables(quality: quality), isOptimized: isOptimized))
    }
  }

  /// Tests the kernels that encode.
  ///
  /// - Throws: `.selfTest`, or what `encode` throws.
  func testCodecs() throws(GPUError) {
    try codecsPassed.withLock { (isDone) throws(GPUError) in
      if isDone { return }
      for (image, coding) in Self.codecTests(quality: 100, isOptimized: true) {
        let encoded = try encode(.copying(image), coding), scan = encoded.scan, expected = coding.scan(of: image)
        let same = zip(scan.bytes, expected.bytes).prefix { $0 == $1 }.count
        if scan != expected || encoded.light != Measurement.codes.sums(of: image) {
          throw .selfTest(device: device.name, differing: max(1, scan.bytes.count, expected.bytes.count) - same)
        }
      }
      isDone = true
    }
  }

  /// Tests the kernels that deflate, by noise in the low bytes beside flat high ones.
  ///
  /// - Parameter kernel: the kernel of the rows that are tested; `nil`: all.
  /// - Throws: `.selfTest`, or what `deflated` throws.
  func testDeflate(_ kernel: BandKernel? = nil) throws(GPUError) {
    try deflatePassed.withLock { (passed) throws(GPUError) in
      let codings = Self.deflateTests.map { ($0.image, DeflateCoding(DeflateLayout($0.line, height: $0.image.height))) }
      let open = codings.filter { !passed.contains($1.rowsKernel) && (kernel == nil || $1.rowsKernel == kernel) }
      for (image, coding) in open {
        let made = try deflated(.copying(image), coding).rows, expected = coding.rows(of: image)
        if made != expected {
          let same = zip(made.bytes, expected.bytes).prefix { $0 == $1 }.count
          throw .selfTest(
            device: device.name, differing: max(1, made.stream.byteCount, expected.stream.byteCount) - same)
        }
      }
      passed.formUnion(open.map(\.1.rowsKernel))
    }
  }

  /// Pictures and what is deflated of them: a line for each kernel of rows, and PNG of 8 bits.
  private static var deflateTests: [(image: SampleImage, line: DeflateLine)] {
    let width = 141, height = 83
    let lines: [(SampleFormat, DeflateLine)] = [
      (.uint8, .png(PNGLine(width: width, sampleBytes: 1, keepsAlpha: true))),
      (.uint16, .png(PNGLine(width: width, sampleBytes: 2, keepsAlpha: false))),
      (.uint16, .tiff(TIFFLine(.integers, width: width, channels: 3))),
      (.float16, .tiff(TIFFLine(.halves, width: width, channels: 4))),
      (.float32, .tiff(TIFFLine(.floats, width: width, channels: 3))),
      (.float16, .exr(EXRLine(width: width, channels: 3))),
    ]
    return lines.map { format, line in
      let image =
        format == .float32
        ? SampleImage.planar(width: width, height: height, model: .rgb, format: format, bitDepth: 32)
        : SampleImage.interleaved(
          width: width, height: height, channelCount: 4, format: format, bitDepth: 8 * format.bytes)
      var random = SplitMix64(seed: 7)
      for plane in format == .float32 ? image.channels : [image.channels[0]] {
        let bytes = plane.buffer.base.assumingMemoryBound(to: UInt8.self)
        for place in 0..<plane.buffer.byteCount {
          if format == .float32 ? place & 3 < 2 : place & 1 == 0 {
            bytes[place] = UInt8(random.next() & 63)
          } else if !format.isInteger, place % format.bytes == format.bytes - 1 {
            // Numbers between 0 and 1.
            bytes[place] = 0x38
          }
        }
      }
      return (image, line)
    }
  }

  /// Tests the kernels that decode.
  ///
  /// - Throws: `.selfTest`, or what `decode` throws.
  func testDecoding() throws(GPUError) {
    try decodingPassed.withLock { (isDone) throws(GPUError) in
      if isDone { return }
      for (image, coding) in Self.codecTests(quality: 90, isOptimized: false) {
        let decoding = JPEGDecoding(
          JPEGSourceScan(coding.layout, coding.tables, intervals: [coding.scan(of: image).bytes], mcus: 0))
        let made = try decode(decoding), expected = JPEGScanDecoder(decoding).decode()
        let differing = made.differing(from: expected)
        if differing > 0 || !expected.flags.isEmpty { throw .selfTest(device: device.name, differing: differing) }
      }
      isDone = true
    }
  }

  /// Runs one dispatch of the probe, without bands or ring: input words in, output words back.
  private func runProbe(_ kernel: KernelPipeline, inputs: [UInt32], vectors: Int) throws(GPUError) -> [UInt32] {
    let outputBytes = vectors * Self.probeOutputs * 4
    let host = try GPUBuffer(context, .staging, bytes: inputs.count * 4, what: "self-test")
    let answer = try GPUBuffer(context, .readback, bytes: outputBytes, what: "self-test")
    guard let base = host.mapped, let result = answer.mapped else { return [] }
    inputs.withUnsafeBytes { base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    // Invocations in rows of 1024, as pictures have them.
    let columns = 1024, rows = (vectors + columns - 1) / columns
    let dispatch = try BufferDispatch(
      context, kernel, localSize: kernels.localSize, columns: columns, rows: rows, height: vectors, from: host,
      to: answer)
    let commands = try CommandPool(context, context.compute.family), buffer = try commands.begin()
    dispatch.record(buffer)
    context.functions.barrier(buffer, from: .shaderWrite, to: .hostRead)
    try commands.end()
    let timeline = try Timeline(context)
    try timeline.submit(context.compute, commands, after: 0)
    try timeline.wait()
    return Array(UnsafeRawBufferPointer(start: result, count: outputBytes).bindMemory(to: UInt32.self))
  }

  /// Makes vectors of four words: three floats and a word of random bits.
  ///
  /// The floats are 2^-14 to 2^15 in magnitude and made so that each of sum, difference and product meets exact ties,
  /// which round to even, and values beside ties, which truncation or any other mode rounds otherwise. No operation of
  /// the probe has a subnormal operand or result: a device may flush those, and no picture has them.
  package static func probeVectors(_ count: Int) -> [UInt32] {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func random() -> UInt32 {
      // xorshift64* (Vigna, 2016): any fixed sequence would do.
      state ^= state >> 12
      state ^= state << 25
      state ^= state >> 27
      return UInt32(truncatingIfNeeded: (state &* 0x2545_f491_4f6c_dd1d) >> 32)
    }
    // Exponents -14...14 around 1, full mantissas.
    func float() -> Float { Float(bitPattern: (random() & 0x807f_ffff) | (113 + random() % 29) << 23) }
    // An odd number of n bits with a sign and an exponent near 0.
    func odd(_ bits: UInt32) -> Float {
      let number = Float((random() & ((1 << bits) - 1)) | 1 << (bits - 1) | 1)
      return (random() & 1 == 0 ? number : -number) * 0x1p-12
    }
    var words: [UInt32] = []
    words.reserveCapacity(count * probeInputs)
    for vector in 0..<count {
      var a = float(), b = float(), c = float()
      switch vector % 12 {
      case 0:
        // c cancels the product: the rest is the rounding error that a fused operation would keep.
        c = -(a * b)
      case 1:
        // b is half a unit in the last place of a: the sum a + b is a tie.
        b = Float(sign: random() & 1 == 0 ? .plus : .minus, exponent: Int(a.exponent) - 24, significand: 1)
      case 2:
        // Beside a tie, by one unit in the last place of b.
        b = Float(
          sign: a.sign, exponent: Int(a.exponent) - 24,
          significand: random() & 1 == 0 ? Float(1).nextUp : Float(1).nextDown)
      case 3:
        // Products of 25 bits: ties wherever the product needs all of them.
        (a, b) = (odd(12), odd(13))
      case 4:
        // Products of 26 bits: a quarter of a unit beside a tie.
        (a, b) = (odd(13), odd(13))
      case 5:
        // a - c is a tie.
        c = Float(sign: random() & 1 == 0 ? .plus : .minus, exponent: Int(a.exponent) - 24, significand: 1)
      case 6:
        // Half-way cases of rounding to an integer.
        a = Float(Int32(random() % 4096)) + 0.5
      case 7: (b, c) = (0, -a)
      default: break
      }
      words.append(a.bitPattern)
      words.append(b.bitPattern)
      words.append(c.bitPattern)
      words.append(random())
    }
    return words
  }

  /// The probe on the CPU: twin of glsl/shared/probe.glsl. Fills `probeOutputs` words.
  package static func probe(_ bitsA: UInt32, _ bitsB: UInt32, _ bitsC: UInt32, _ u: UInt32, _ out: inout [UInt32]) {
    let a = Float(bitPattern: bitsA), b = Float(bitPattern: bitsB), c = Float(bitPattern: bitsC)
    // 2^-30 to 2^20, the range of all light.
    let positive = Float(bitPattern: (bitsA & 0x7f_ffff) | (97 &+ ((u & 0xff) &* 50) &>> 8) &<< 23)
    let product = a * b
    out[0] = (a * b + c).bitPattern
    out[1] = ((a + 12_582_912) - 12_582_912).bitPattern
    out[2] = ((a + b) - a).bitPattern
    out[3] = (product - b * c).bitPattern
    out[4] = (a * (b + c) + b * (a - c)).bitPattern
    out[5] = E32.log2(positive).bitPattern
    out[6] = E32.exp2(c).bitPattern
    out[7] = E32.reciprocal(positive).bitPattern
    out[8] = (a + b).bitPattern
    out[9] = (a - c).bitPattern
    out[10] = product.bitPattern
    out[11] = E32.half(a * 0x1p-8)
    out[12] = E32.float(half: u & 0xffff).bitPattern
    out[13] = E32.sanitize(Float(bitPattern: u)).bitPattern
    out[14] = E32.quantize(b, 65535)
    out[15] = (u &>> 7) ^ (u &<< 9) ^ UInt32(bitPattern: Int32(bitPattern: u) &>> 5)
    out[16] = Float(Int32(bitPattern: u & 0xff_ffff) &- 0x80_0000).bitPattern
    out[17] = UInt32(bitPattern: Int32(a < 0 ? -a : a))
    out[18] = u &* 0x85eb_ca77 &+ (a < b ? bitsA : bitsB)
  }
}
