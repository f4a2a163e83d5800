import GPURender
import HDRCore
import HDRPlan
import Kernels
import TestPlans
import TestSupport
import Testing

/// Light and a base that stay on the device that renders them, and what is made of both there. Each test is a process of its
/// own.
@Suite(.serialized, .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"))
struct KeptPictureTests {
  /// Plans of light and of a base, of several bands of 64 KiB each.
  static let light = Recipes.plan(Recipes.p010(200, 400), RenderRecipe(target: Recipes.target16f))
  static let base = Recipes.plan(
    Recipes.p010(200, 400),
    RenderRecipe(
      target: OutputSignal(
        primaries: CICP.Primaries.bt709, encoding: .sdr, sink: .rgba8, bitDepth: 8, chroma: .s444, isOpaque: true)))

  static func gains(_ light: SampleImage, _ base: SampleImage) throws -> Plan {
    try GainMapPlanner.gains(
      RenditionPair(
        base: base, baseCurve: .sRGB, baseToMath: .identity, alternate: light, luminance: Primaries.bt709.luminance,
        baseIsHDR: false), GainMapOptions())
  }

  static func statistics(_ image: SampleImage) -> LightStatistics {
    var statistics = LightStatistics()
    statistics.add(image, rows: 0..<image.height)
    return statistics
  }

  @Test(
    "light and a base stay on the device, and what is made of them there is what the CPU makes",
    arguments: [
      "nvidia", "nvidia,late=1,delay=2000", "amd,granule=16", "intel,late=1,range=1MiB", "mobile", "moltenvk",
    ])
  func picturesStay(card: String) async {
    await #expect(processExitsWith: .success) { [card] in
      try EmulatedCard.use(card) {
        let renderer = try EmulatedCardTests.renderer()
        let expected = (light: renderOnCPU(KeptPictureTests.light), base: renderOnCPU(KeptPictureTests.base))
        let statistics = KeptPictureTests.statistics(expected.light), pixels = expected.light.pixelCount
        let light = try #require(try renderer.keep(KeptPictureTests.light, measuring: .light))
        #expect(renderer.lastTimings.bands > 3 && renderer.lastTimings.bytesReadBack < 2 * pixels)
        #expect(LightFigures(light.sums, pixels: pixels) == statistics.figures)
        for above in [0, 1, pixels / 100, pixels / 2, pixels - 1] {
          let pattern = try renderer.pattern(above: above, of: .copying(light.image))
          #expect(pattern == statistics.pattern(above: above), "\(above)")
        }
        for isOptimized in [false, true] {
          let coding = JPEGCoding(
            JPEGLayout(width: 200, height: 400, chroma: .s420), JPEGTables(quality: 90), isOptimized: isOptimized)
          let base = try #require(try renderer.keep(KeptPictureTests.base, encoding: coding))
          #expect(base.scan.scan == coding.scan(of: expected.base) && base.scan.image == nil)
          let gains = try renderer.render(try KeptPictureTests.gains(light.image, base.image))
          let right = renderOnCPU(try KeptPictureTests.gains(expected.light, expected.base))
          #expect(differingSamples(gains, right) == 0, "\(card)")
          #expect(base.image.devicePlanes?.areHere == false && light.image.devicePlanes?.areHere == false)
          try base.image.devicePlanes?.bring()
          #expect(differingSamples(base.image, expected.base) == 0)
        }
        try light.image.devicePlanes?.bring()
        #expect(differingSamples(light.image, expected.light) == 0)
      }
    }
  }

  @Test("a picture that has no room on the device does not stay, nor does one of several planes")
  func picturesWithoutRoom() async {
    await #expect(processExitsWith: .success) {
      try EmulatedCard.use("nvidia") {
        // Its light has 625 KiB.
        let small = try RendererTests.renderer { $0.memoryBudget = 80 << 10 }
        #expect(try small.keep(KeptPictureTests.light, measuring: .light) == nil)
        let renderer = try EmulatedCardTests.renderer()
        let light = renderOnCPU(KeptPictureTests.light), base = renderOnCPU(KeptPictureTests.base)
        let gains = try KeptPictureTests.gains(light, base)
        #expect(try renderer.keep(gains, measuring: .planes(3, bound: .infinity)) == nil)
      }
    }
  }

  /// The card fails where gains are measured: the light is there by then, in however many submissions.
  @Test(
    "a picture is lost with its card, and made again of its plan with the same bytes",
    arguments: ["lost=1", "hang=1,clock=100"])
  func lostPicturesAreFilled(fault: String) async {
    await #expect(processExitsWith: .success) { [fault] in
      try EmulatedCard.use("nvidia,at=measure_planes," + fault) {
        let renderer = try EmulatedCardTests.renderer()
        let light = try #require(try renderer.keep(KeptPictureTests.light, measuring: .light))
        let planes = try #require(light.image.devicePlanes), right = renderOnCPU(KeptPictureTests.light)
        let base = renderOnCPU(KeptPictureTests.base), gains = try KeptPictureTests.gains(light.image, base)
        #expect(throws: GPUError.deviceLost(device: renderer.device.name)) {
          try renderer.measure(gains, .planes(3, bound: .infinity))
        }
        #expect(throws: GPUError.self) { try planes.bring() }
        #expect(throws: GPUError.samplesLost(reason: "another decoder makes another picture")) {
          try planes.fill(from: base, because: fault)
        }
        #expect(!planes.areHere && planes.loss == nil)
        try planes.fill(from: right, because: fault)
        #expect(planes.areHere && planes.loss == fault && differingSamples(light.image, right) == 0)
        let expected = renderOnCPU(try KeptPictureTests.gains(right, base))
        #expect(differingSamples(renderOnCPU(gains), expected) == 0)
      }
    }
  }
}
