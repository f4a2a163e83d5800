import GPURender
import HDRCore
import HDRPlan
import Kernels
import TestPlans
import Testing

/// Kernels measure the sums of the twin, in the executor and on devices, whatever the bands.
@Suite struct MeasurementTests {
  static let sizes = [(1, 1), (7, 9), (64, 31), (301, 37), (3, 4100)]
  static let conversion = CodeConversion(YCbCr(kr: 0.2627, kb: 0.0593), SampleRange(bits: 10, fullRange: false))

  struct Case: CustomStringConvertible {
    var plan: Plan
    var measurement: Measurement
    var description: String { "\(measurement), \(plan.passes[0].width)x\(plan.passes[0].height)" }
  }

  /// Returns a case for each kernel, of noise within and beyond 0...1, or all codes of 10 bits.
  static func cases(_ width: Int, _ height: Int) -> [Case] {
    let image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    var random = SplitMix64(seed: UInt64(width * 31 + height))
    for word in 0..<4 * width * height { words[word] = UInt16(E32.half(Float(random.next() % 2500) / 2048 - 0.125)) }
    func plan(scale: Double? = nil, _ sink: (inout PlanDataBuilder) -> Sink) -> Plan {
      var words = PlanDataBuilder()
      var stages = [words.stage(.loadHalf, LoadHalf.words(image))]
      // Arithmetic leaves the sign of a zero open, which planes show.
      if let scale {
        stages.append(words.stage(.affine, Affine.words(scale: [scale, scale, scale], offset: [0, 0, 0])))
      }
      let pass = Pass(
        name: "pixels", sources: [.image(image)], width: width, height: height, mapping: .identity, stages: stages,
        sink: sink(&words))
      return Plan(passes: [pass], constants: words.constants, tables: words.tables, report: PlanReport())
    }
    let planes = plan { $0.sink(.floatPlanes, StoreFloatPlanes.words(channels: 3), channels: 3) }
    var cases = [
      Case(plan: plan { $0.sink(.rgba8, StoreRGBA8.words(dither: 0)) }, measurement: .codes),
      Case(plan: plan { $0.sink(.rgba16, StoreRGBA16.words(dither: 0)) }, measurement: .pq(bound: 50_000)),
      Case(plan: planes, measurement: .planes(1, bound: 0.5)), Case(plan: planes, measurement: .planes(3, bound: 0.5)),
    ]
    for chroma in [ChromaSubsampling.s420, .s422, .s444] {
      let plan = plan(scale: 1023) {
        $0.sink(
          .planarYCC, StorePlanarYCC.words(bits: 10, chroma: chroma, hasAlpha: false), channels: 3, chroma: chroma,
          bitDepth: 10)
      }
      cases.append(Case(plan: plan, measurement: .planarPQ(bound: 50_000, conversion)))
    }
    return cases
  }

  @Test("kernels measure what the twin measures, whatever the height of bands", arguments: [1 << 12, 1 << 16, 1 << 24])
  func kernelsMeasureWhatTheTwinMeasures(bandBytes: Int) throws {
    for (name, variant) in SPIRVRendererTests.variants {
      let renderer = try SPIRVRenderer(variant: variant, bandBytes: bandBytes)
      for one in Self.sizes.flatMap(Self.cases) {
        let picture = renderOnCPU(one.plan), made = try renderer.render(one.plan, measuring: one.measurement)
        #expect(made.sums == one.measurement.sums(of: picture), "\(one), \(name)")
        #expect(differingSamples(made.image, picture) == 0, "\(one), \(name)")
        #expect(try renderer.measure(one.plan, one.measurement) == made.sums, "\(one), \(name)")
      }
    }
  }

  @Test(.enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"), arguments: [nil, 1 << 16])
  func aDeviceMeasuresWhatTheTwinMeasures(bandBytes: Int?) throws {
    for staged in [false, true] {
      var options = GPUOptions()
      (options.bandBytes, options.alwaysStages, options.selfTest) = (bandBytes, staged, false)
      options.cacheFolder = ""
      let renderer = try GPURenderer(selection: .named("llvmpipe"), options: options)
      for one in (Self.sizes + [(1009, 613)]).flatMap(Self.cases) {
        let picture = renderOnCPU(one.plan), made = try renderer.render(one.plan, measuring: one.measurement)
        #expect(made.sums == one.measurement.sums(of: picture), "\(one), staged \(staged)")
        #expect(differingSamples(made.image, picture) == 0, "\(one), staged \(staged)")
        #expect(try renderer.measure(one.plan, one.measurement) == made.sums, "\(one), staged \(staged)")
        // Nothing but sums comes back, of each band.
        #expect(renderer.lastTimings.bytesReadBack < 1 << 20 || bandBytes != nil)
      }
    }
  }

  /// Light of noise, whose figures are known by counting.
  @Test("kernels say of light what its statistics say, whatever the height of bands", arguments: [1 << 12, 1 << 24])
  func kernelsMeasureLight(bandBytes: Int) throws {
    for (name, variant) in SPIRVRendererTests.variants {
      let renderer = try SPIRVRenderer(variant: variant, bandBytes: bandBytes)
      for (width, height) in Self.sizes {
        let image = SampleImage.interleaved(
          width: width, height: height, channelCount: 4, format: .float16, bitDepth: 16)
        let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
        var random = SplitMix64(seed: UInt64(width * 37 + height))
        for word in 0..<4 * width * height { words[word] = UInt16(truncatingIfNeeded: random.next()) }
        let plan = Plan.copying(image), picture = renderOnCPU(plan), pixels = width * height
        var statistics = LightStatistics()
        statistics.add(picture, rows: 0..<height)
        let figures = LightFigures(try renderer.measure(plan, .light), pixels: pixels)
        #expect(figures == statistics.figures, "\(width)x\(height), \(name)")
        #expect(figures == LightFigures(Measurement.light.sums(of: picture), pixels: pixels))
        let pattern = statistics.pattern(above: pixels / 3)
        for measurement in [Measurement.digits(shift: 10, prefix: 0), .digits(shift: 5, prefix: pattern >> 10)] {
          let sums = try renderer.measure(plan, measurement)
          #expect(sums == measurement.sums(of: picture) && sums.digits.contains { $0 > 0 }, "\(measurement), \(name)")
        }
        // Halves come back as an image, and not with what is measured of them.
        #expect(throws: GPUError.self) { try renderer.render(plan, measuring: .light) }
      }
    }
  }

  @Test func aSinkOfAnotherLayoutIsRefused() throws {
    let renderer = try SPIRVRenderer(), cases = Self.cases(7, 9)
    for one in cases {
      for other in cases where other.plan.passes[0].sink.kind != one.plan.passes[0].sink.kind {
        #expect(throws: GPUError.self) { try renderer.render(other.plan, measuring: one.measurement) }
        #expect(throws: GPUError.self) { try renderer.measure(other.plan, one.measurement) }
      }
    }
  }

  @Test("the light of every code lies within the stated error of PQ's own") func everyCodeHasItsLight() throws {
    let image = SampleImage.interleaved(width: 1, height: 1, channelCount: 4, format: .uint16, bitDepth: 16)
    var largest = 0.0
    for code in 0...65_535 {
      image.channels[0].buffer.base.storeBytes(of: UInt16(code), as: UInt16.self)
      let sums = Measurement.pq(bound: 65_535).sums(of: image)
      // Between nodes the curve is taken as linear: so exact is the CPU's meter, too.
      let node = Double(code & ~15), low = Transfer.pqEOTF(node / 65_535)
      let end = min(node + 16, 65_535), high = Transfer.pqEOTF(end / 65_535)
      let light = low + (high - low) * (Double(code) - node) / (end - node)
      largest = max(largest, abs(sums.meanLight(pixels: 1) - light))
    }
    #expect(largest > 0 && largest < PQCodeLight.error)
  }
}
