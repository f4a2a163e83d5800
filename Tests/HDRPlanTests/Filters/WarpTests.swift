import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct FlipAndTurnTests {
  @Test("a flip only exchanges pixels")
  func flipsMovePixels() throws {
    let p = FilterPicture.noise(hasAlpha: true)
    try p.edited(FilterStep("flip")).expect(0) { x, y in p[p.width - 1 - x, y] }
    try p.edited(FilterStep("flip", ["direction": .word("vertical")])).expect(0) { x, y in p[x, p.height - 1 - y] }
  }

  @Test func quarterTurnsOnlyMovePixels() throws {
    let p = FilterPicture.noise(hasAlpha: true)
    for angle in [90.0, -270] {
      let left = try p.edited(FilterStep("rotate", ["angle": .number(angle)]))
      #expect(left.width == p.height && left.height == p.width)
      // What was at the right is on top.
      left.expect(0) { x, y in p[p.width - 1 - y, x] }
    }
    try p.edited(FilterStep("rotate", ["angle": .number(180)])).expect(0) { x, y in
      p[p.width - 1 - x, p.height - 1 - y]
    }
    try p.edited(FilterStep("rotate", ["angle": .number(-90)])).expect(0) { x, y in p[y, p.height - 1 - x] }
    try p.edited(FilterStep("rotate", ["angle": .number(360)])).expect(0) { x, y in p[x, y] }
  }

  /// The warp agrees with whole pixels: 90 degrees on the old canvas.
  @Test func aTurnOnTheOldCanvasIsTheSameTurn() throws {
    let p = FilterPicture.noise(width: 20, height: 12)
    let turned = try p.edited(FilterStep("rotate", ["angle": .number(90), "expand": .flag(false)]))
    #expect(turned.width == 20 && turned.height == 12)
    turned.expect(1e-4) { x, y in
      let sx = 19 - (y + 4), sy = x - 4
      return (0..<12).contains(sy) && (0..<20).contains(sx) ? p[sx, sy] : .zero
    }
  }
}

@Suite struct WarpTests {
  /// Bilinear by the definition at places that a function gives; where the result leaves the picture it is transparent.
  static func expect(
    _ result: FilterPicture, _ p: FilterPicture, _ tolerance: Double = 2e-3, isInside: Bool = false,
    _ place: (Double, Double) -> (Double, Double)?
  ) {
    result.expect(tolerance) { x, y in
      guard let (u, v) = place(Double(x) + 0.5, Double(y) + 0.5) else { return .zero }
      return p.bilinear(u - 0.5, v - 0.5, isInside ? p.clampedPremultiplied : p.orNothing).unpremultiplied
    }
  }

  @Test("a rotation turns about the centre and expands if asked", arguments: [30.0, -77, 123.4], [true, false])
  func rotation(angle: Double, expand: Bool) throws {
    let p = FilterPicture.noise(width: 31, height: 22)
    let result = try p.edited(FilterStep("rotate", ["angle": .number(angle), "expand": .flag(expand)]))
    let (c, s) = ExactMath.cosSin(degrees: angle)
    if expand {
      #expect(result.width == Int((31 * abs(c) + 22 * abs(s)).rounded(.up)))
      #expect(result.height == Int((31 * abs(s) + 22 * abs(c)).rounded(.up)))
      #expect(result[0, 0].w == 0)
      // Nothing is lost: alpha sums up to the picture's area.
      let area = result.pixels.reduce(0) { $0 + $1.w }
      #expect(abs(area - 31 * 22) < 31 * 22 * 0.01, "\(area)")
    } else {
      #expect(result.width == 31 && result.height == 22)
    }
    // Alpha near 0 makes what is left of colour uncertain: compared premultiplied.
    for y in 0..<result.height {
      for x in 0..<result.width {
        let dx = Double(x) + 0.5 - Double(result.width) / 2, dy = Double(y) + 0.5 - Double(result.height) / 2
        let u = c * dx - s * dy + 15.5, v = s * dx + c * dy + 11
        let want = p.bilinear(u - 0.5, v - 0.5, p.orNothing), got = result.premultiplied(x, y)
        let error = (want - got).absolute.max()
        #expect(error < 2e-3, "\(x), \(y): \(got) for \(want)")
      }
    }
  }

  @Test(arguments: [3.0, -10, 45]) func straightenedPicturesAreOpaque(angle: Double) throws {
    let p = FilterPicture.noise(width: 60, height: 40)
    let result = try p.edited(FilterStep("straighten", ["angle": .number(angle)]))
    #expect(result.pixels.allSatisfy { $0.w == 1 })
    #expect(abs(Double(result.width) / Double(result.height) - 1.5) < 0.1)
    let (c, s) = ExactMath.cosSin(degrees: angle)
    // One pixel larger would not fit.
    let w = Double(result.width) + 1.5, h = Double(result.height) + 1.5
    #expect(w * c + h * abs(s) > 60 || w * abs(s) + h * c > 40)
    Self.expect(result, p, isInside: true) { x, y in
      let dx = x - Double(result.width) / 2, dy = y - Double(result.height) / 2
      return (c * dx - s * dy + 30, s * dx + c * dy + 20)
    }
  }

  @Test func affineMovesAndScales() throws {
    let p = FilterPicture.noise(hasAlpha: true)
    // Whole pixels are moved exactly.
    try p.opaque.edited(FilterStep("affine", ["matrix": .numbers([1, 0, 3, 0, 1, -2])])).expect(0) { x, y in
      x >= 3 && y + 2 < p.height ? p.opaque[x - 3, y + 2] : .zero
    }
    let expanded = try p.edited(
      FilterStep("affine", ["matrix": .numbers([2, 0, 3, 0, 3, -2]), "canvas": .word("expand")]))
    #expect(expanded.width == 2 * p.width && expanded.height == 3 * p.height)
    Self.expect(expanded, p, isInside: true) { x, y in (x / 2, y / 3) }
    let sheared = try p.opaque.edited(
      FilterStep("affine", ["matrix": .numbers([1, 0.5, 0, 0, 1, 0]), "sampling": .word("nearest")]))
    sheared.expect(0) { x, y in
      let u = Int((Double(x) + 0.5 - 0.5 * (Double(y) + 0.5)).rounded(.down))
      return u >= 0 ? p.opaque[u, y] : .zero
    }
    #expect(throws: PlanError.self) {
      try p.edited(FilterStep("affine", ["matrix": .numbers([1, 2, 0, 2, 4, 0])]))
    }
    #expect(throws: PlanError.self) {
      try p.edited(FilterStep("affine", ["matrix": .numbers([1e5, 0, 0, 0, 1e5, 0]), "canvas": .word("expand")]))
    }
  }

  static let corners: [String: FilterValue] = [
    "top-left": .numbers([4, 3]), "top-right": .numbers([44, 8]), "bottom-right": .numbers([39, 35]),
    "bottom-left": .numbers([2, 28]),
  ]

  /// The homography solved for: eight unknowns from four corners, by elimination.
  static func homography(_ from: [[Double]], _ to: [[Double]]) -> [Double] {
    var rows: [[Double]] = []
    for (p, q) in zip(from, to) {
      rows.append([p[0], p[1], 1, 0, 0, 0, -q[0] * p[0], -q[0] * p[1], q[0]])
      rows.append([0, 0, 0, p[0], p[1], 1, -q[1] * p[0], -q[1] * p[1], q[1]])
    }
    for i in 0..<8 {
      let pivot = (i..<8).max { abs(rows[$0][i]) < abs(rows[$1][i]) }!
      rows.swapAt(i, pivot)
      for j in 0..<8 where j != i {
        let f = rows[j][i] / rows[i][i]
        for k in i..<9 { rows[j][k] -= f * rows[i][k] }
      }
    }
    return (0..<8).map { rows[$0][8] / rows[$0][$0] } + [1]
  }

  static func apply(_ h: [Double], _ x: Double, _ y: Double) -> (Double, Double)? {
    let w = h[6] * x + h[7] * y + h[8]
    return w > 1e-3 ? ((h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w) : nil
  }

  @Test func perspectiveIsCorrected() throws {
    let p = FilterPicture.noise(width: 50, height: 40)
    let result = try p.edited(FilterStep("perspective-correction", Self.corners))
    // Means of sides: (sqrt(1625) + sqrt(1418)) / 2 = 38.98, (sqrt(629) + sqrt(754)) / 2 = 26.27.
    #expect(result.width == 39 && result.height == 26)
    #expect(result.pixels.allSatisfy { $0.w == 1 })
    let h = Self.homography([[0, 0], [39, 0], [39, 26], [0, 26]], [[4, 3], [44, 8], [39, 35], [2, 28]])
    Self.expect(result, p, isInside: true) { x, y in Self.apply(h, x, y) }
    #expect(throws: PlanError.self) {
      try p.edited(FilterStep("perspective-correction", ["top-left": .numbers([49, 39])]))
    }
  }

  @Test("a perspective transform moves the corners to their places", arguments: ["same", "expand"])
  func cornersAreMoved(canvas: String) throws {
    let p = FilterPicture.noise(width: 50, height: 40)
    let result = try p.edited(
      FilterStep("perspective-transform", Self.corners.merging(["canvas": .word(canvas)]) { $1 }))
    let left = canvas == "same" ? 0.0 : 2, top = canvas == "same" ? 0.0 : 3
    #expect(canvas == "same" ? result.width == 50 && result.height == 40 : result.width == 42 && result.height == 32)
    let h = Self.homography([[4, 3], [44, 8], [39, 35], [2, 28]], [[0, 0], [50, 0], [50, 40], [0, 40]])
    for y in 0..<result.height {
      for x in 0..<result.width {
        let place = Self.apply(h, Double(x) + 0.5 + left, Double(y) + 0.5 + top) ?? (-9, -9)
        let want = p.bilinear(place.0 - 0.5, place.1 - 0.5, p.orNothing)
        let error = (want - result.premultiplied(x, y)).absolute.max()
        #expect(error < 3e-3, "\(x), \(y)")
      }
    }
  }

  /// A picture that reaches beyond the horizon is not seen there.
  @Test func nothingIsSeenBeyondTheHorizon() throws {
    let p = FilterPicture(width: 100, height: 60) { _, _ in SIMD4(16, -0.5, 1, 1) }
    let result = try p.edited(
      FilterStep(
        "perspective-transform",
        [
          "top-left": .numbers([45, 30]), "top-right": .numbers([55, 30]), "bottom-right": .numbers([100, 60]),
          "bottom-left": .numbers([0, 60]),
        ]))
    #expect((0..<25).allSatisfy { y in (0..<100).allSatisfy { result[$0, y].w == 0 } })
    #expect(result[50, 50].w == 1 && abs(result[50, 50].x - 16) < 1e-4)
  }
}

extension SIMD4<Double> {
  var absolute: SIMD4<Double> { SIMD4(abs(x), abs(y), abs(z), abs(w)) }
}
