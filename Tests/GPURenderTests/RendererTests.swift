import Foundation
import GPURender
import HDRCore
import HDRPlan
import Synchronization
import TestPlans
import Testing

/// The GPU gives the CPU's bits: whole recipes on lavapipe, no tolerance.
@Suite(.serialized, .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"))
struct RendererTests {
  static func renderer(_ change: (inout GPUOptions) -> Void = { _ in }) throws -> GPURenderer {
    var options = GPUOptions()
    options.cacheFolder = nil
    change(&options)
    return try GPURenderer(selection: .named("llvmpipe"), options: options)
  }

  static func expectSameBits(_ renderer: GPURenderer, _ cases: [Case], _ what: String) throws {
    for one in cases {
      let difference = differingSamples(try renderer.render(one.plan), renderOnCPU(one.plan))
      #expect(difference == 0, "\(one.name), \(what): \(difference) samples")
    }
  }

  @Test(arguments: [(64, 48), (131, 67), (1, 1), (2, 1), (1, 2), (257, 1), (1, 129), (1030, 5)])
  func everyRecipeHasTheBitsOfTheCPU(width: Int, height: Int) throws {
    let renderer = try #require(Lavapipe.renderer)
    try Self.expectSameBits(renderer, Recipes.all(width, height), "\(width)x\(height)")
  }

  /// The smallest bands there are: 64 KiB a slot. One device for all orientations, which compiles each kernel once.
  static let smallBands = Result { try renderer { $0.bandBytes = 1 << 16 } }

  @Test(arguments: Orientation.allCases)
  func everyOrientationInBandsHasTheBitsOfTheCPU(orientation: Orientation) throws {
    let renderer = try Self.smallBands.get()
    let (w, h) = (211, 157)
    let cases = [
      Case(
        name: "p010",
        plan: Recipes.plan(Recipes.p010(w, h), orientation: orientation, RenderRecipe(target: Recipes.target16f))),
      Case(
        name: "rgb 8",
        plan: Recipes.plan(
          Recipes.interleaved(w, h, channels: 3, bits: 8), orientation: orientation,
          RenderRecipe(target: OutputSignal(encoding: .pq, sink: .planarYCC)))),
      Case(
        name: "gain map",
        plan: Recipes.plan(
          Recipes.planar(w, h, .s420, bits: 8), transfer: 13, primaries: 12, orientation: orientation,
          gainMap: Recipes.gainMap(width: 50, height: 40, grey: false),
          RenderRecipe(target: OutputSignal(encoding: .pq, sink: .rgba16), display: .high))),
    ]
    try Self.expectSameBits(renderer, cases, "\(orientation)")
    #expect(renderer.lastTimings.bands > 3)
    // Smaller: where columns become rows, each band needs all rows of earlier passes.
    try Self.expectSameBits(renderer, Recipes.cameras(131, 97, orientation), "\(orientation)")
    #expect(renderer.lastTimings.bands > 3)
  }

  @Test func manyBandsAndStagingHaveTheSameBits() throws {
    let renderer = try Self.renderer {
      $0.bandBytes = 1 << 16
      $0.alwaysStages = true
    }
    try Self.expectSameBits(renderer, Recipes.all(301, 233), "staged, 64 KiB bands")
    #expect(renderer.lastTimings.bands > 3)
  }

  @Test func workersShareTheRing() throws {
    let renderer = try Self.renderer {
      $0.bandBytes = 1 << 17
      $0.slots = 3
      $0.alwaysStages = true
    }
    let cases = Recipes.all(150, 201)
    let expected = cases.map { renderOnCPU($0.plan) }
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      for (index, one) in cases.enumerated() {
        do {
          let difference = differingSamples(try renderer.render(one.plan), expected[index])
          if difference != 0 { failures.withLock { $0.append("worker \(worker), \(one.name): \(difference)") } }
        } catch {
          failures.withLock { $0.append("worker \(worker), \(one.name): \(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }

  @Test func kernelsAreSharedAndTimed() throws {
    let renderer = try Self.renderer()
    let before = renderer.kernelStatistics.kernels
    let recipe = RenderRecipe(target: Recipes.target16f)
    for size in [40, 50, 60] { _ = try renderer.render(Recipes.plan(Recipes.p010(size, size), recipe)) }
    #expect(renderer.kernelStatistics.kernels == before + 1)
    let timings = renderer.lastTimings
    #expect(timings.bytesWritten >= 60 * 60 * 8 && timings.bytesWritten < 60 * 60 * 8 + 1024)
    #expect(timings.bytesRead == 60 * 60 * 2 + 30 * 30 * 4)
    #expect((timings.kernelNanoseconds ?? 1) > 0)
    #expect(try renderer.measureCopyBandwidth(bytes: 8 << 20, repeats: 3).allSatisfy { $0 > 1e8 })
  }

  /// lavapipe's limits: 128 MiB a binding, 16384 pixels a side of an image.
  @Test func impossiblePlansAreErrors() throws {
    let renderer = try #require(Lavapipe.renderer)
    let wide = Recipes.plan(Recipes.p010(20_000, 2), RenderRecipe(target: Recipes.target16f))
    #expect(throws: GPUError.tooLarge(what: "image width", value: 20_000, limit: 16_384)) { try renderer.render(wide) }
    // As rows of 16-bit integers the same picture is fine.
    let integers = Recipes.plan(
      Recipes.p010(20_000, 2), RenderRecipe(target: OutputSignal(encoding: .pq, sink: .rgba16)))
    #expect(differingSamples(try renderer.render(integers), renderOnCPU(integers)) == 0)

    var broken = Recipes.plan(Recipes.p010(8, 8), RenderRecipe(target: Recipes.target16f))
    guard case .image(var picture) = broken.passes[0].sources[0] else { return }
    picture.channels[1].height = 1000
    broken.passes[0].sources[0] = .image(picture)
    #expect(throws: GPUError.badPlan("a picture of pass render lies outside its memory")) {
      try renderer.render(broken)
    }
    broken.passes = []
    #expect(throws: GPUError.self) { try renderer.render(broken) }
  }
}

/// The whole suite once more under the validation layers: bands, staging, both kinds of output.
@Suite(.serialized, .enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe"))
struct ValidationTests {
  @Test(arguments: [false, true]) func validationLayersFindNothing(staged: Bool) throws {
    let renderer = try RendererTests.renderer {
      $0.validation = true
      $0.alwaysStages = staged
      $0.bandBytes = 1 << 17
    }
    guard let log = renderer.validationLog else {
      print("skipped: no VK_LAYER_KHRONOS_validation")
      return
    }
    try RendererTests.expectSameBits(renderer, Recipes.all(190, 140), "validated")
    _ = try renderer.measureCopyBandwidth(bytes: 1 << 20, repeats: 1)
    #expect(log.all == [])
  }
}
