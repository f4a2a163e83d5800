import CPUReference
import HDRCore
import HDRPlan
import TestPlans
import TestSupport
import Testing

/// Apple's map through the passes of a plan: kind apple_apply of the gain-map vectors, and how partial headrooms
/// behave. The base is linear halves in BT.2020, so that a plan is load, map and store alone.
@Suite struct AppleApplyTests {
  /// `values` of the base as halves, one row, and codes of an 8-bit map.
  func source(_ values: [[Double]], codes: [Int], apple: AppleGainMap) -> SourceImage {
    let image = SampleImage.interleaved(
      width: values.count, height: 1, channelCount: 3, format: .float16, bitDepth: 16)
    let map = SampleImage.interleaved(width: codes.count, height: 1, channelCount: 1, format: .uint8, bitDepth: 8)
    for (x, rgb) in values.enumerated() {
      for c in 0..<3 {
        image.channels[c].buffer.base.storeBytes(of: Float16(rgb[c]), toByteOffset: 6 * x + 2 * c, as: Float16.self)
      }
    }
    for (x, code) in codes.enumerated() {
      map.channels[0].buffer.base.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
    }
    var source = SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
      geometry: Geometry(width: values.count, height: 1))
    source.gainMap = GainMap(
      metadata: GainMapMetadata(apple), image: map, matrix: 6, fullRange: true, alternateColor: nil,
      bindings: ["aux"])
    return source
  }

  func recipe(_ display: Headroom, _ transfer: AppleMapTransfer, _ partial: ApplePartialHeadroom) -> RenderRecipe {
    RenderRecipe(
      target: OutputSignal(encoding: .linear, sink: .floatPlanes), display: .headroom(display), gamut: .none,
      appleMapTransfer: transfer, applePartialHeadroom: partial)
  }

  func light(_ source: SourceImage, _ recipe: RenderRecipe) throws -> (pixels: [[Double]], report: PlanReport) {
    let plan = try Planner.plan(source, recipe)
    let result = renderOnCPU(plan)
    let pixels = (0..<source.image.width).map { x in
      (0..<3).map { Double(result.channels[$0].buffer.base.load(fromByteOffset: 4 * x, as: Float.self)) }
    }
    return (pixels, plan.report)
  }

  /// Within 2^-18 of the vectors' light, relative: log2 in a table, exp2 and product in binary32.
  @Test(.enabled(if: SharedData.hasVectors, "skipped: no data"))
  func plansGiveTheLightOfTheVectors() throws {
    let file = try #require(SharedData.json("specs/gain-map-vectors.json")?["vectors"] as? [[String: Any]])
    let vectors = file.filter { $0["kind"] as? String == "apple_apply" }
    #expect(vectors.count == 7)
    var largest = 0.0
    for v in vectors {
      let input = try #require(v["in"] as? [String: Any]), output = try #require(v["out"] as? [String: Any])
      let apple = AppleGainMap(xmpHeadroom: input.number("headroom")), base = input.numbers("base_linear")
      let source = source([base], codes: [Int(input.number("code"))], apple: apple)
      let target = input["target_headroom_linear"] as? Double
      let display = Headroom(factor: target ?? input.number("headroom"))
      for transfer in AppleMapTransfer.allCases where transfer != .pow22 {
        let rows = try #require(output[transfer.rawValue] as? [String: Any])
        for (partial, key) in [(ApplePartialHeadroom.capped, "full_or_capped"), (.geometric, "geometric")] {
          if partial == .geometric && target == nil { continue }
          let (pixels, report) = try light(source, recipe(display, transfer, partial))
          #expect(report.gainMapFormula == "apple \(transfer.rawValue) \(partial.rawValue)")
          let want = rows.numbers(key)
          for c in 0..<3 {
            // The formula is linear in the base: what rounding to a half did to it is known.
            let expected = base[c] == 0 ? 0 : want[c] / base[c] * Double(Float16(base[c]))
            let error = expected == 0 ? abs(pixels[0][c]) : abs(pixels[0][c] / expected - 1)
            largest = max(largest, error)
            #expect(error <= 0x1p-18, "\(v["id"] ?? "") \(transfer) \(key): \(pixels[0][c]), want \(expected)")
          }
        }
      }
    }
    #expect(largest > 0)
  }

  /// Every code at headrooms from nothing to more than the map's own: rising, base and full rendition exact.
  @Test(arguments: ApplePartialHeadroom.allCases)
  func lightRisesWithTheHeadroom(partial: ApplePartialHeadroom) throws {
    let apple = AppleGainMap(xmpHeadroom: 4.663514), codes = Array(0...255)
    let values = codes.map { [0.25, 0.5, Double($0) / 256] }
    let source = source(values, codes: codes, apple: apple)
    let base = try light(source, recipe(.sdr, .bt709, partial))
    #expect(base.pixels == values && base.report.gainMapWeight == 0)
    var last = values
    for quarter in 1...12 {
      let (pixels, report) = try light(source, recipe(Headroom(stops: Double(quarter) / 4), .bt709, partial))
      for (now, before) in zip(pixels, last) { #expect(zip(now, before).allSatisfy { $0 >= $1 }) }
      expectClose(
        report.gainMapWeight ?? .nan, min(1, Double(quarter) / 4 / ExactMath.log2(4.663514)), abs: 1e-12, rel: 0)
      last = pixels
    }
    let full = try light(source, recipe(Headroom(stops: 8), .bt709, partial)).pixels
    #expect(full == last)
    expectClose(full[255][0], 0.25 * 4.663514, abs: 0, rel: 0x1p-18)
    #expect(full[0] == values[0])
  }

  /// A half-size map: log2 gains are interpolated, not codes.
  @Test func smallerMapsAreInterpolatedInStops() throws {
    let apple = AppleGainMap(xmpHeadroom: 8)
    let source = source([[Double]](repeating: [0.5, 0.5, 0.5], count: 4), codes: [0, 255], apple: apple)
    let (pixels, _) = try light(source, recipe(Headroom(stops: 3), .bt709, .capped))
    for (x, stops) in [0, 0.75, 2.25, 3].enumerated() {
      expectClose(pixels[x][1], 0.5 * ExactMath.exp2(stops), abs: 0, rel: 0x1p-18)
    }
  }

  /// An operator asked for by name works on the full rendition, as with any gain map.
  @Test func namedOperatorsFollowTheFullRendition() throws {
    let source = source([[0.5, 0.5, 0.5]], codes: [255], apple: AppleGainMap(xmpHeadroom: 8))
    var recipe = recipe(Headroom(stops: 1), .srgb, .capped)
    recipe.tone = .named("reference-white")
    let (pixels, report) = try light(source, recipe)
    #expect(report.gainMapWeight == 1 && report.operatorName == "gain-map+reference-white")
    #expect(pixels[0][0] > 0.5 && pixels[0][0] <= 2.0001)
  }
}

/// Kind upsample_2d: the stage's table of both axes on a plane.
@Suite(.enabled(if: SharedData.hasVectors, "skipped: no data"))
struct GainMapPlaneTests {
  @Test("a gain map is interpolated between sample centres")
  func upsamplePlane() throws {
    let vectors = try #require(SharedData.json("specs/gain-map-vectors.json")?["vectors"] as? [[String: Any]])
    let v = try #require(vectors.first { $0["kind"] as? String == "upsample_2d" })
    let input = try #require(v["in"] as? [String: Any])
    let values = try #require(input["values"] as? [[Double]])
    let want = try #require((v["out"] as? [String: Any])?["values"] as? [[Double]])
    let width = Int(input.number("out_width")), height = Int(input.number("out_height"))
    // The map's codes as shares of one stop on a base of 1: what comes out is 2^value.
    let tests = AppleApplyTests()
    var source = tests.source(
      [[Double]](repeating: [1, 1, 1], count: width), codes: [0], apple: AppleGainMap(xmpHeadroom: 2))
    let base = SampleImage.interleaved(width: width, height: height, channelCount: 3, format: .float16, bitDepth: 16)
    for i in 0..<3 * width * height {
      base.channels[0].buffer.base.storeBytes(of: Float16(1), toByteOffset: 2 * i, as: Float16.self)
    }
    source.image = base
    source.geometry = Geometry(width: width, height: height)
    let map = SampleImage.interleaved(
      width: values[0].count, height: values.count, channelCount: 1, format: .uint8, bitDepth: 8)
    for (i, value) in values.flatMap(\.self).enumerated() {
      map.channels[0].buffer.base.storeBytes(of: UInt8(value), toByteOffset: i, as: UInt8.self)
    }
    source.gainMap?.image = map
    source.gainMap?.metadata = GainMapMetadata(
      kind: .iso, baseHeadroom: 0, alternateHeadroom: 1, min: [0, 0, 0], max: [1, 1, 1], baseOffset: [0, 0, 0],
      alternateOffset: [0, 0, 0])
    let plan = try Planner.plan(source, tests.recipe(Headroom(stops: 1), .bt709, .capped))
    let result = renderOnCPU(plan)
    for y in 0..<height {
      for x in 0..<width {
        let at = y * result.channels[0].rowBytes + 4 * x
        let light = Double(result.channels[0].buffer.base.load(fromByteOffset: at, as: Float.self))
        expectClose(ExactMath.log2(light) * 255, want[y][x], abs: 1e-3, rel: 0, "\(x), \(y)")
      }
    }
  }
}
