import CPURender
import HDRCore
import HDRPlan
import Testing

/// Base and gain map edited alike: the base in its light where pixels are mixed, in its codes where they only move; the
/// map with its base where that is scaled as a whole.
@Suite struct EditedAlikeTests {
  private static func picture(
    _ width: Int, _ height: Int, transfer: Int = 13, channels: Int = 3, _ code: (Int, Int) -> UInt8
  ) -> SourceImage {
    let image = SampleImage.interleaved(
      width: width, height: height, channelCount: channels, format: .uint8, bitDepth: 8)
    let bytes = image.channels[0].buffer.base.assumingMemoryBound(to: UInt8.self)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<channels { bytes[(y * width + x) * channels + channel] = code(x, y) }
      }
    }
    return SourceImage(
      format: .memory, image: image,
      color: SourceColor(
        matrix: CICP.Matrix.identity, fullRange: true,
        encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: transfer)),
      geometry: Geometry(width: width, height: height))
  }

  private static func recipe(_ steps: [FilterStep]) -> RenderRecipe {
    var recipe = RenderRecipe(target: target, dither: 0)
    recipe.edits = steps
    return recipe
  }

  private static let target = OutputSignal(encoding: .linear, sink: .rgba8, bitDepth: 8)

  private static func codes(_ plan: Plan) -> [UInt8] {
    let image = CPUBackend.best.render(plan, threads: 1)
    let plane = image.channels[0]
    return (0..<image.height).flatMap { y in
      (0..<image.width).map { x in
        (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).load(as: UInt8.self)
      }
    }
  }

  /// Stripes of black and white have half of white's light, which no mean of their codes has.
  @Test(arguments: [(13, 188), (16, 237)])
  func meansAreTakenOfLight(transfer: Int, code: Int) throws {
    let source = Self.picture(64, 32, transfer: transfer) { x, _ in x % 2 == 0 ? 0 : 255 }
    for steps in [
      [FilterStep("scale", ["factor": .number(0.5), "method": .word("area")])],
      [FilterStep("thumbnail", ["size": .number(32)])],
    ] {
      let plan = try GainMapPlanner.edited(
        base: source, Self.recipe(steps), content: .sdr, target: Self.target, matrix: CICP.Matrix.identity)
      let codes = Self.codes(plan)
      #expect(codes.count == 32 * 16)
      let isLight = codes.allSatisfy { abs(Int($0) - code) <= 1 }
      #expect(isLight, "\(codes.prefix(4))")
    }
  }

  @Test("pixels that only move keep their codes") func moved() throws {
    let source = Self.picture(48, 20) { x, y in UInt8(truncatingIfNeeded: 5 * x + 11 * y) }
    let steps = [
      FilterStep("crop", ["rect": .numbers([8, 4, 32, 16])]), FilterStep("flip"),
      FilterStep("rotate", ["angle": .number(180)]),
    ]
    let plan = try GainMapPlanner.edited(
      base: source, Self.recipe(steps), content: .sdr, target: Self.target, matrix: CICP.Matrix.identity)
    #expect(!plan.passes.contains { $0.stages.contains { $0.kind == .curve } })
    let codes = Self.codes(plan)
    let expected = (0..<16).flatMap { y in
      (0..<32).map { x in UInt8(truncatingIfNeeded: 5 * (8 + x) + 11 * (4 + 15 - y)) }
    }
    #expect(codes == expected)
  }

  /// A map of a quarter of its base: two passes of one channel, from its own size to its share of the result.
  @Test(arguments: [
    FilterStep("resize", ["size": .number(100)]), FilterStep("scale", ["factor": .number(0.5)]),
    FilterStep("thumbnail", ["size": .number(100)]),
  ])
  func mapsAreScaledWithTheirBase(step: FilterStep) throws {
    let map = Self.picture(50, 30, channels: 1) { x, y in UInt8(4 * x + y) }
    #expect(map.image.model == .grey)
    let plan = try GainMapPlanner.edited(
      map: map, Self.recipe([step]), table: nil, base: PictureSize(200, 120), content: .sdr, target: Self.target)
    let last = try #require(plan.passes.last)
    #expect((last.width, last.height) == (25, 15))
    #expect(plan.passes.count == 3)
    let largest = plan.passes.map { $0.width * $0.height }.max()
    #expect(largest == 50 * 30)
    // A ramp stays one; edges apart, where kernels end.
    let codes = Self.codes(plan)
    for y in 3..<12 {
      for x in 3..<22 {
        let place = (x: 2 * Double(x) + 0.5, y: 2 * Double(y) + 0.5)
        #expect(abs(Double(codes[25 * y + x]) - (4 * place.x + place.y)) <= 1, "\(x) \(y)")
      }
    }
  }

  @Test("filters other than scaling edit the map in its base's size") func croppedMap() throws {
    let map = Self.picture(50, 30, channels: 1) { x, y in UInt8(4 * x + y) }
    let steps = [FilterStep("resize", ["size": .number(100)]), FilterStep("crop", ["aspect": .number(1)])]
    let plan = try GainMapPlanner.edited(
      map: map, Self.recipe(steps), table: nil, base: PictureSize(200, 120), content: .sdr, target: Self.target)
    let last = try #require(plan.passes.last)
    #expect((last.width, last.height) == (15, 15))
    #expect(plan.passes.contains { $0.width == 200 && $0.height == 120 })
  }
}
