import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct ApplyGainMapTests {
  /// Map codes of 8 bits, one or three channels.
  static func map(_ width: Int, _ height: Int, rgb: Bool) -> SampleImage {
    let image = SampleImage.interleaved(
      width: width, height: height, channelCount: rgb ? 3 : 1, format: .uint8, bitDepth: 8)
    for (c, plane) in image.channels.enumerated() {
      for y in 0..<height {
        for x in 0..<width {
          (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).storeBytes(
            of: UInt8(truncatingIfNeeded: code(x, y, c)), as: UInt8.self)
        }
      }
    }
    return image
  }

  static func code(_ x: Int, _ y: Int, _ c: Int) -> Int { (37 * x + 91 * y + 53 * c) & 255 }

  static func source(
    _ width: Int, _ height: Int, rgb: Bool, gamma: Double = 1, primaries: Int = 9, orientation: Orientation = .up
  ) -> SourceImage {
    let w = orientation.swapsAxes ? height : width, h = orientation.swapsAxes ? width : height
    var source = FilterPicture.noise(width: w, height: h).source
    source.geometry = Geometry(width: w, height: h, orientation: orientation)
    source.color.encoding = .cicp(primaries: primaries, transfer: 8)
    source.gainMap = GainMap(
      metadata: GainMapMetadata(
        kind: .iso, baseHeadroom: 0, alternateHeadroom: 3, min: [-0.5, 0, 0.25], max: [3, 2, 2.5],
        gamma: [gamma, gamma, gamma], isMultichannel: true),
      image: map(w, h, rgb: rgb), matrix: 0, fullRange: true, alternateColor: nil, bindings: [])
    return source
  }

  static func formula(
    _ picture: FilterPicture, _ x: Int, _ y: Int, code: (Int) -> Int, gamma: Double, weight: Double,
    space: Primaries = .bt2020
  ) -> SIMD4<Double> {
    let there = Primaries.bt2020.matrix(to: space)!, back = space.matrix(to: .bt2020)!
    let low = [-0.5, 0, 0.25], high = [3, 2, 2.5], p = picture[x, y], c = there * [p.x, p.y, p.z]
    let lit = (0..<3).map { i in
      let g = low[i] + (high[i] - low[i]) * ExactMath.pow(Double(code(i)) / 255, 1 / gamma)
      return (c[i] + 1 / 64) * ExactMath.exp2(weight * g) - 1 / 64
    }
    let q = back * lit
    return SIMD4(q[0], q[1], q[2], p.w)
  }

  func edited(_ picture: FilterPicture, _ source: SourceImage, headroom: Double? = nil) throws -> FilterPicture {
    var values: [String: FilterValue] = ["input": .word("file")]
    if let headroom { values["headroom"] = .number(headroom) }
    return try picture.edited(
      [FilterStep("apply-gain-map", values)], inputs: ["file": FilterInput(.picture(source))])
  }

  @Test(arguments: [false, true], [1.0, 1.7]) func gainsMultiplyTheLight(rgb: Bool, gamma: Double) throws {
    let picture = FilterPicture.noise(hasAlpha: true)
    let result = try edited(picture, Self.source(picture.width, picture.height, rgb: rgb, gamma: gamma))
    result.expect(1e-5) { x, y in
      Self.formula(picture, x, y, code: { Self.code(x, y, rgb ? $0 : 0) }, gamma: gamma, weight: 1)
    }
  }

  @Test(arguments: [1.0, 2, 4, 100]) func theHeadroomDecidesTheWeight(headroom: Double) throws {
    let picture = FilterPicture.noise()
    let result = try edited(picture, Self.source(picture.width, picture.height, rgb: true), headroom: headroom)
    let weight = min(ExactMath.log2(headroom) / 3, 1)
    result.expect(1e-5) { x, y in
      Self.formula(picture, x, y, code: { Self.code(x, y, $0) }, gamma: 1, weight: weight)
    }
  }

  @Test func gainsApplyInTheFilesPrimaries() throws {
    let picture = FilterPicture.noise()
    let result = try edited(picture, Self.source(picture.width, picture.height, rgb: true, primaries: 12))
    result.expect(1e-5) { x, y in
      Self.formula(picture, x, y, code: { Self.code(x, y, $0) }, gamma: 1, weight: 1, space: .displayP3)
    }
  }

  @Test(arguments: Orientation.allCases) func theMapTurnsWithItsPicture(orientation: Orientation) throws {
    let picture = FilterPicture.noise()
    let source = Self.source(picture.width, picture.height, rgb: true, orientation: orientation)
    let mapping = source.geometry.mapping
    try edited(picture, source).expect(1e-5) { x, y in
      let mx = mapping.x0 + x * mapping.columnX + y * mapping.rowX
      let my = mapping.y0 + x * mapping.columnY + y * mapping.rowY
      return Self.formula(picture, x, y, code: { Self.code(mx, my, $0) }, gamma: 1, weight: 1)
    }
  }

  /// Another size than the picture's: a constant map stays constant.
  @Test(arguments: [(5, 4), (60, 50)]) func mapsAreStretchedOverThePicture(width: Int, height: Int) throws {
    let picture = FilterPicture.noise()
    let source = Self.source(width, height, rgb: false)
    let plane = source.gainMap!.image.channels[0]
    for y in 0..<height {
      for x in 0..<width {
        (plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).storeBytes(
          of: 200, as: UInt8.self)
      }
    }
    try edited(picture, source).expect(1e-5) { x, y in
      Self.formula(picture, x, y, code: { _ in 200 }, gamma: 1, weight: 1)
    }
  }

  @Test func aPictureWithoutAMapIsAnError() {
    let picture = FilterPicture.noise()
    #expect(throws: PlanError.invalidParameter("apply-gain-map: input \"file\" has no gain map")) {
      try edited(picture, picture.source)
    }
  }

  @Test func headroomIsThatOfTheRendition() {
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
    recipe.inputs = ["file": FilterInput(.picture(Self.source(4, 4, rgb: false)))]
    recipe.edits = [FilterStep("apply-gain-map", ["input": .word("file")])]
    #expect(recipe.headroom(afterEditing: .sdr)?.stops == 3)
    recipe.edits = [FilterStep("apply-gain-map", ["input": .word("file"), "headroom": .number(2)])]
    #expect(recipe.headroom(afterEditing: .sdr)?.stops == 1)
  }
}
