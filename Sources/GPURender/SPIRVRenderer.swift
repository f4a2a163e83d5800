import HDRCore
import HDRPlan
import Kernels
import SPIRV
import SPIRVExecutor
import Shaders
import Synchronization

/// Runs plans' kernels on the CPU, as a device would run them: the same SPIR-V, the same bands, the same words around
/// them. The results are those of the GLSL, with no driver in between.
package final class SPIRVRenderer: Sendable {
  private let library: KernelLibrary
  private let variant: ExecutorVariant
  private let threads: Int
  private let bandBytes: Int
  private let limits: ExecutorLimits
  private let programs = Mutex<[[UInt32]: ShaderProgram]>([:])
  /// The programs of kernels that follow a plan's, by name: composing one takes longer than a small scan.
  private let followers = Mutex<[BandKernel: ShaderProgram]>([:])

  /// - Parameters:
  ///   - variant: the choices that Vulkan leaves to a device.
  ///   - bandBytes: memory that a band aims at; small ones cut pictures into many.
  ///   - words: the library, if it is another than the program's.
  ///   - limits: the limits of a kernel; the program's own kernels exceed none.
  /// - Throws: `GPUError.kernel`.
  package init(
    variant: ExecutorVariant = ExecutorVariant(), threads: Int = 1, bandBytes: Int = 64 << 20,
    library words: [UInt32]? = nil, limits: ExecutorLimits = ExecutorLimits()
  ) throws(GPUError) {
    do throws(SPIRVError) {
      library = try KernelLibrary(words ?? ShaderLibrary.words)
    } catch {
      throw .kernel(name: "library", reason: "\(error)")
    }
    self.variant = variant
    self.threads = threads
    self.bandBytes = bandBytes
    self.limits = limits
  }

  /// - Returns: the last pass's output in its sink's layout.
  /// - Throws: `.kernel` for a kernel that is refused or leaves its resources, `.badPlan`, `.tooLarge`.
  package func render(_ plan: Plan) throws(GPUError) -> SampleImage { try render(plan, measuring: nil).image }

  /// - Returns: also what was measured, as of `GPURenderer.render`.
  /// - Throws: as `render`; `.badPlan` also for a measurement of another sink, or impossible numbers.
  package func render(
    _ plan: Plan, measuring measurement: Measurement?
  ) throws(GPUError) -> (image: SampleImage, sums: PixelSums) {
    guard let last = plan.passes.last, last.width > 0, last.height > 0 else {
      throw .badPlan("it has no passes, or no pixels")
    }
    let image = last.sink.makeImage(width: last.width, height: last.height) {
      PixelBuffer(uninitializedByteCount: $0)
    }
    let target = RenderTarget(image, measurement)
    var isWhole = true
    try run(plan, measurement: measurement) { band, output in
      band.copyOutput(output, to: image)
      isWhole = target.measure(band, output) && isWhole
    }
    guard isWhole else { throw .badPlan("what was measured has impossible numbers") }
    return (image, target.sums)
  }

  /// - Returns: what was measured, as of `GPURenderer.measure`.
  /// - Throws: as `render`; `.badPlan` also for a measurement of another sink, or impossible numbers.
  package func measure(_ plan: Plan, _ measurement: Measurement) throws(GPUError) -> PixelSums {
    let target = RenderTarget(measuring: measurement)
    var isWhole = true
    try run(plan, measurement: measurement, returnsPixels: false) { band, output in
      isWhole = target.measure(band, output) && isWhole
    }
    guard isWhole else { throw .badPlan("what was measured has impossible numbers") }
    return target.sums
  }

  /// - Returns: the scan, as of `GPURenderer.encodeJPEG`.
  /// - Throws: as `render`; `.badPlan` for a plan that makes no such picture.
  package func encodeJPEG(_ plan: Plan, _ coding: JPEGCoding) throws(GPUError) -> EncodedScan {
    try coding.encode {
      plan.passes.last?.sink.makeImage(width: coding.layout.width, height: coding.layout.height)
    } run: { target throws(GPUError) in
      try run(plan, target)
    }
  }

  /// Runs all bands of a picture that is encoded.
  private func run(_ plan: Plan, _ target: RenderTarget) throws(GPUError) {
    target.restart()
    var isWhole = true
    try run(plan, target.coding, measurement: target.measurement) { (band, output) throws(GPUError) in
      if let image = target.image { band.copyOutput(output, to: image) }
      guard let encoded = band.encoded else { return }
      isWhole = try target.append(encoded, output) { output + $0.lowerBound } && isWhole
    }
    guard isWhole else { throw .badPlan("the head of a band's codes has impossible numbers") }
  }

  /// - Returns: the stream, as of `GPURenderer.deflate`.
  /// - Throws: as `render`; `.badPlan` for a plan that makes no such picture.
  package func deflate(
    _ plan: Plan, _ coding: DeflateCoding, measuring measurement: Measurement? = nil
  ) throws(GPUError) -> DeflatedPicture {
    let target = RenderTarget(coding, measurement)
    try run(plan, target)
    return target.finish(coding) { PixelBuffer(uninitializedByteCount: $0) }
  }

  /// - Returns: the planes, as of `GPURenderer.decodeJPEG`.
  /// - Throws: as `render`.
  package func decodeJPEG(_ decoding: JPEGDecoding) throws(GPUError) -> DecodedScan {
    let made = try JPEGDecodeBand(decoding, deviceLimits)
    let output = try render(made.band, .none, programs(BandKernel.planes))
    return withExtendedLifetime(output) { made.decoded(decoding, output.base, decoding.makeImage()) }
  }

  /// The limits of a device with the least that Vulkan allows, but for the size of buffers.
  private var deviceLimits: BandLimits {
    BandLimits(
      slotBytes: bandBytes, storageRange: 1 << 30, alignment: 256, imageSide: 1 << 15, groups: (65_535, 65_535),
      localSize: library.localSize)
  }

  private func programs(_ kernels: [BandKernel]) throws(GPUError) -> [(name: String, program: ShaderProgram)] {
    var result: [(name: String, program: ShaderProgram)] = []
    for kernel in kernels {
      let name = kernel.rawValue
      if let known = followers.withLock({ $0[kernel] }) {
        result.append((name, known))
        continue
      }
      let made = try program(name, stages: [], sink: KernelLibrary.Call(name, constants: 0))
      followers.withLock { $0[kernel] = made }
      result.append((name, made))
    }
    return result
  }

  /// Runs all bands and hands the output of each over.
  private func run(
    _ plan: Plan, _ coding: DeviceCoding? = nil, measurement: Measurement? = nil, returnsPixels: Bool = true,
    _ take: (Band, UnsafeRawPointer) throws(GPUError) -> Void
  ) throws(GPUError) {
    var kernels: [(name: String, program: ShaderProgram)] = []
    for (index, pass) in plan.passes.enumerated() {
      let calls = pass.calls, halves = plan.halfSources(of: index)
      kernels.append((pass.name, try program(pass.name, stages: calls.stages, sink: calls.sink, halfSources: halves)))
    }
    let planner = BandPlanner(
      plan: plan, limits: deviceLimits, coding: coding, measurement: measurement, returnsPixels: returnsPixels)
    kernels += try programs(planner.followers)
    for band in try planner.bands() {
      let output = try render(band, plan, kernels)
      defer { withExtendedLifetime(output) {} }
      try take(band, output.base)
    }
  }

  private func program(
    _ name: String, stages: [KernelLibrary.Call], sink: KernelLibrary.Call, halfSources: UInt32 = 0
  ) throws(GPUError) -> ShaderProgram {
    let words: [UInt32]
    do throws(SPIRVError) {
      words = try library.kernel(stages: stages, sink: sink, halfSources: halfSources)
    } catch {
      throw .kernel(name: name, reason: "\(error)")
    }
    if let known = programs.withLock({ $0[words] }) { return known }
    do throws(ExecutorError) {
      let made = try ShaderProgram(words, limits: limits)
      programs.withLock { $0[words] = made }
      return made
    } catch {
      throw .kernel(name: name, reason: error.description)
    }
  }

  /// Returns the band's output.
  private func render(
    _ band: Band, _ plan: Plan, _ kernels: [(name: String, program: ShaderProgram)]
  ) throws(GPUError) -> PixelBuffer {
    let input = PixelBuffer(byteCount: band.uploadBytes), scratch = PixelBuffer(byteCount: band.scratchBytes)
    let output = PixelBuffer(byteCount: band.outputBytes)
    let tables = PixelBuffer(byteCount: 4 * plan.tables.count)
    plan.tables.withUnsafeBytes {
      if let from = $0.baseAddress { tables.base.copyMemory(from: from, byteCount: $0.count) }
    }
    let images = band.images.map { PixelBuffer(byteCount: $0.bytes) }
    band.writeInput(plan, to: input.base)
    for dispatch in band.dispatches {
      var resources = ShaderResources()
      func bind(_ number: Int, _ region: Region) {
        func words(_ buffer: PixelBuffer, _ offset: Int, _ bytes: Int) {
          resources.buffers[number] = UnsafeMutableRawBufferPointer(start: buffer.base + offset, count: bytes)
        }
        switch region {
        case .input(let offset, let bytes): words(input, offset, bytes)
        case .scratch(let offset, let bytes): words(scratch, offset, bytes)
        case .output(let offset, let bytes): words(output, offset, bytes)
        // The planner leaves no planes of a device to a band that is none's.
        case .planes: break
        case .image:
          resources.images[SharedLayout.image] = ShaderImage(
            base: output.base, width: band.width, height: band.rows.count, rowBytes: 8 * band.width)
        case .intermediate(let index): resources.images[SharedLayout.image] = picture(index)
        }
      }
      func picture(_ index: Int) -> ShaderImage {
        let size = band.images[index]
        return ShaderImage(base: images[index].base, width: size.width, height: size.height, rowBytes: 8 * size.width)
      }
      bind(0, .input(offset: dispatch.frameOffset, bytes: SharedLayout.frameBytes))
      bind(1, .input(offset: dispatch.constantsOffset, bytes: SharedLayout.constantBytes))
      resources.buffers[2] = UnsafeMutableRawBufferPointer(start: tables.base, count: tables.byteCount)
      var halves = 0
      for (index, source) in dispatch.sources.enumerated() {
        if case .intermediate(let number) = source {
          resources.images[SharedLayout.firstSourceImage + halves] = picture(number)
          halves += 1
        } else {
          bind(3 + index, source)
        }
      }
      bind(7, dispatch.output)
      let (name, program) = kernels[dispatch.kernel], size = program.localSize
      do throws(ExecutorError) {
        // Whole work-groups, those beyond the picture's edge included.
        try program.run(
          columns: (dispatch.columns + size.x - 1) / size.x * size.x,
          rows: (dispatch.rows + size.y - 1) / size.y * size.y, resources, variant: variant, threads: threads)
      } catch {
        throw .kernel(name: name, reason: error.description)
      }
    }
    return output
  }
}
