import CPURender
import FileParts
import GPURender
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import Testing

/// Light and gains measured on the way, by the CPU and by a device, against those of the finished picture.
@Suite struct PixelGaugeTests {
  private static func backends(_ choice: BackendChoice, _ sampling: Sampling.Choice) throws -> RenderBackends {
    try RenderBackends(
      choice, device: choice == .gpu ? "llvmpipe" : nil, threads: 2, codecs: .gpu, sampling: sampling)
  }

  /// Plans of all sinks, of light up to the brightest code.
  private static func plans() throws -> [(kind: OutputKind, plan: Plan)] {
    let source = SourceImage(
      format: .memory, image: .p010(width: 515, height: 331).randomized(3),
      color: SourceColor(
        matrix: 9, fullRange: false, encoding: .cicp(primaries: 9, transfer: 16), cicp: CICP(9, 16, 9, full: false)),
      geometry: Geometry(width: 515, height: 331))
    return try OutputKind.allCases.filter { $0.raw == nil }.map { kind in
      var plan = try Planner.plan(source, RenditionOptions(kind: kind).recipe)
      (plan.report.bound, plan.report.mayExceed) = (2, true)
      return (kind, plan)
    }
  }

  @Test func lightOnTheWayIsThatOfThePicture() throws {
    var choices: [(BackendChoice, Sampling.Choice)] = [(.cpu, .none)]
    if DeadlineTests.hasLlvmpipe { choices += [(.gpu, .none), (.gpu, .newKernels)] }
    let pool = BandPool(threads: 2)
    defer { pool.close() }
    for (choice, sampling) in choices {
      let backends = try Self.backends(choice, sampling)
      defer { backends.close() }
      for (kind, plan) in try Self.plans() {
        let (rendered, light) = try backends.render(plan, gauge: LightGauge(plan)) { _ in
          Issue.record("a device was given up")
        }
        let expected = RenderedLight(rendered.image, plan.report, pool)
        #expect(rendered.executor.backend == (choice == .gpu ? "gpu" : "cpu"))
        // The light of SDR is read from interleaved codes of 8 bits only.
        let isRead = kind.curve != .sdr || kind.layout == .rgba8
        #expect((expected != nil) == isRead && (LightGauge(plan) != nil) == isRead, "\(kind.rawValue)")
        // Halves that are not deflated and HLG are measured on the host, and of a picture that is there.
        let isLeft = choice == .gpu && LightGauge(plan)?.measurement?.staysOnDevice ?? true
        #expect(light == (isLeft ? nil : expected), "\(kind.rawValue) \(choice) \(sampling)")
        guard let expected else { continue }
        #expect(expected.clippedShare > 0 && expected.clippedShare < 1, "\(kind.rawValue)")
      }
    }
  }

  @Test(
    "light of rows that a device deflates is that of the picture, and so are the rows",
    .enabled(if: DeadlineTests.hasLlvmpipe, "skipped: no llvmpipe"))
  func lightOfDeflatedRows() throws {
    let pool = BandPool(threads: 2)
    defer { pool.close() }
    for (kind, plan) in try Self.plans() where [.png, .tiff, .exr].contains(kind.format) {
      var rendition = RenditionOptions(kind: kind)
      (rendition.coding.deflatesInChunks, rendition.coding.exrCompression) = (true, .zipGPU)
      let coding = try #require(DeviceCoding(plan, rendition), "\(kind.rawValue)")
      let cpu = CPUBackend.best.render(plan, threads: 2), light = RenderedLight(cpu, plan.report, pool)
      // First a strip is compared, and what is measured and deflated of it.
      let backends = try Self.backends(.gpu, .newKernels)
      defer { backends.close() }
      for isCompared in [true, false] {
        let (rendered, measured) = try backends.render(plan, coding: coding, gauge: LightGauge(plan)) { _ in
          Issue.record("a device was given up")
        }
        // The light of HLG is measured by the CPU, which then deflates.
        let isDeflated = !isCompared && kind.curve != .hlg
        #expect((rendered.image.deflated != nil) == isDeflated, "\(kind.rawValue)")
        guard isDeflated, case .deflate(let own) = coding else { continue }
        #expect(measured == light && rendered.image.deflated == own.rows(of: cpu), "\(kind.rawValue)")
      }
    }
  }

  @Test("a device measures codes of 8 bits, PQ in both layouts and floats, and not what needs binary64 or counts")
  func devicesMeasureIntegers() throws {
    let measured = try Self.plans().filter { LightGauge($0.plan)?.measurement != nil }.map(\.kind)
    #expect(measured.contains { $0.layout == .planarYCC } && measured.contains { $0.layout == .rgba16 })
    #expect(measured.contains { $0.layout == .rgba8 } && !measured.contains { $0.curve == .hlg })
    // Of light that does not stay on the device it says too little.
    #expect(StatisticsGauge().sums(of: PixelSums(.light), pixels: 1) == nil)
    #expect(GainGauge(planes: 1, countsBuckets: true).measurement == nil)
  }

  @Test(.enabled(if: DeadlineTests.hasLlvmpipe, "skipped: no llvmpipe")) func aDeviceMeasuresGains() throws {
    let backends = try Self.backends(.gpu, .newKernels), pool = BandPool(threads: 2)
    defer {
      backends.close()
      pool.close()
    }
    let plans = try Self.plans()
    func render(_ kind: OutputKind) throws -> (image: SampleImage, primaries: Primaries) {
      let plan = try #require(plans.first { $0.kind == kind }?.plan)
      return (
        try backends.render(plan) { _ in }.image, try #require(Primaries(code: plan.report.outputCICP.primaries))
      )
    }
    let light = try render(.rgba16f), base = try render(.sdrPNG), host = try Self.backends(.cpu, .none)
    defer { host.close() }
    for channels in [1, 3] {
      var options = GainMapOptions()
      options.channels = channels
      let gains = try GainMapPlanner.gains(
        RenditionPair(
          base: base.image, baseCurve: .sRGB, baseToMath: try #require(base.primaries.matrix(to: light.primaries)),
          alternate: light.image, luminance: light.primaries.luminance, baseIsHDR: false), options)
      let gauge = GainGauge(planes: channels)
      // The first picture of new kernels comes back, to be compared; those of three channels are the same.
      if channels == 1 { #expect(try backends.measure(gains, gauge) { _ in } == nil) }
      let (rendered, found) = try backends.render(gains, gauge: gauge) { _ in }
      #expect(found == gauge.measure(rendered.image, pool) && found != nil)
      #expect(try backends.measure(gains, gauge) { _ in } == found)
      #expect(try host.measure(gains, gauge) { _ in } == nil)
    }
  }

  @Test("a mean that the sums do not know well enough to round is left to the pixels")
  func anOpenMeanIsLeft() {
    func reading(_ mean: Double) -> LightReading? {
      LightReading(largest: 40_000, mean: mean, error: 0x1p-17, atBound: 3, pixels: 10)
    }
    #expect(reading(99.5 + 0x1p-18) == nil && reading(99.5 - 0x1p-18) == nil)
    #expect(reading(99.5 + 0x1p-16)?.level?.maxFALL == 100 && reading(99.5 - 0x1p-16)?.level?.maxFALL == 99)
    #expect(reading(120)?.boundShare == 0.3)
    #expect(LightReading(largest: 0, mean: 0.5, error: 1, atBound: 0, pixels: 1).map { $0.level == nil } == true)
  }
}
