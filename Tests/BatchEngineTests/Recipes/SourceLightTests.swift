import CPURender
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import Testing

/// Tests the light of signals: HLG of the scene, an optical output scale, PQ and HLG known by a profile's curve alone.
@Suite struct SourceLightTests {
  /// Light of a grey pixel of a ramp over all signals, and the signal.
  static func greys(
    _ source: SourceImage, _ change: (inout RenderRecipe) -> Void = { _ in }
  ) throws -> [(signal: Double, light: Double)] {
    let (image, _) = try DisplayTests.render(source, DisplayTests.linear(), .automatic) {
      $0.beyond = .keep
      change(&$0)
    }
    let halves = image.channels[0].buffer.base.assumingMemoryBound(to: Float16.self)
    // The upper third of the ramp is grey.
    return (0..<64 * 32).map { (Double($0 * 65_535 / 2047) / 65_535, Double(halves[4 * $0])) }
  }

  @Test func sceneLightHasNoOOTF() throws {
    let white = Transfer.hlgInverseOETF(0.75)
    var worst = 0.0
    for (signal, light) in try Self.greys(DisplayTests.ramp(18), { $0.hlg = .scene }) where signal > 0.1 {
      worst = max(worst, abs(light * white / Transfer.hlgInverseOETF(signal) - 1))
    }
    #expect(worst < 1e-3, "\(worst)")
    // The profile says it, too; a caller may know better.
    var stated = DisplayTests.ramp(18)
    stated.light.isSceneReferred = true
    let byFile = try Self.greys(stated), asked = try Self.greys(DisplayTests.ramp(18)) { $0.hlg = .scene }
    #expect(byFile.map(\.light) == asked.map(\.light))
    let display = try Self.greys(stated) { $0.hlg = .display }
    #expect(display.map(\.light) == (try Self.greys(DisplayTests.ramp(18))).map(\.light))
    #expect(display.map(\.light) != byFile.map(\.light))
  }

  @Test func sceneLightComesBackAsItWas() throws {
    var source = DisplayTests.ramp(18)
    source.light.isSceneReferred = true
    let (image, report) = try DisplayTests.render(source, OutputSignal(encoding: .hlg, sink: .rgba16), .automatic)
    #expect(report.readsScene && report.writesScene && report.contentHeadroomSource == "HLG as light of the scene")
    let light = try #require(RenderedLight(image, report, BandPool(threads: 2)))
    #expect(light.level == nil && abs(light.peak - 1 / Transfer.hlgInverseOETF(0.75)) < 1e-3)
    let codes = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    let worst = (0..<64 * 32).map { abs(Int(codes[4 * $0]) - $0 * 65_535 / 2047) }.max() ?? .max
    #expect(worst <= 4, "\(worst)")
  }

  @Test func theScaleIsWhatOneStandsFor() throws {
    func scaled(_ scale: Double?) -> (inout RenderRecipe) -> Void {
      { $0.mastering = .hdr10(black: 0.005, peak: 1000, scale: scale) }
    }
    let pq = DisplayTests.ramp(16), linear = DisplayTests.ramp(8)
    for ((signal, a), (_, b)) in zip(try Self.greys(pq, scaled(100)), try Self.greys(linear, scaled(406))) {
      let nits = Transfer.pqEOTF(signal)
      if nits > 1 { #expect(abs(a * 100 / nits - 1) < 2e-3, "\(signal)") }
      #expect(abs(b - 2 * signal) < 2e-3, "\(signal)")
    }
    #expect(try Self.greys(pq, scaled(nil)).map(\.light) == Self.greys(pq).map(\.light))
    // A scale that would have no effect is refused.
    for source in [DisplayTests.ramp(18), DisplayTests.ramp(13)] {
      #expect(throws: PlanError.self) { try Self.greys(source, scaled(100)) }
    }
  }
}
