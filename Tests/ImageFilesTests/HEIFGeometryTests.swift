import FileParts
import HDRCore
import ImageFiles
import Testing

/// `irot`, `imir`, `clap` in every order (ISO/IEC 23008-12 clause 6.5).
struct HEIFGeometryTests {
  typealias Fraction = CleanAperture.Fraction

  @Test(arguments: [
    ([], [1, 8, 3, 6]),
    ([ItemTransform.mirror(exchangesLeftAndRight: true)], [2, 7, 4, 5]),
    ([ItemTransform.mirror(exchangesLeftAndRight: false)], [4, 5, 2, 7]),
  ])
  func rotationThenMirrorIsOneOrientation(mirror: [ItemTransform], orientations: [Int]) throws {
    for turns in 0..<4 {
      let geometry = try Geometry(
        width: 6, height: 4, transforms: [.rotation(quarterTurns: turns)] + mirror)
      #expect(geometry.orientation.rawValue == orientations[turns])
    }
  }

  @Test(arguments: [(true, [2, 5, 4, 7]), (false, [4, 7, 2, 5])])
  func mirrorThenRotationIsOneOrientation(leftAndRight: Bool, orientations: [Int]) throws {
    for turns in 0..<4 {
      let geometry = try Geometry(
        width: 6, height: 4,
        transforms: [.mirror(exchangesLeftAndRight: leftAndRight), .rotation(quarterTurns: turns)])
      #expect(geometry.orientation.rawValue == orientations[turns])
    }
  }

  /// Compares with the slow way: an array of stored positions, turned and cut step by step.
  @Test func geometryAgreesWithTurningAnArray() throws {
    let crop = CleanAperture(
      width: Fraction(3), height: Fraction(2), horizontalOffset: Fraction(1, 2), verticalOffset: Fraction(-1))
    let steps: [ItemTransform] = [
      .rotation(quarterTurns: 1), .rotation(quarterTurns: 3), .mirror(exchangesLeftAndRight: true),
      .mirror(exchangesLeftAndRight: false), .crop(crop),
    ]
    for first in steps {
      for second in steps {
        for third in steps where [first, second, third].filter({ $0 == .crop(crop) }).count <= 1 {
          let transforms = [first, second, third]
          let geometry = try Geometry(width: 8, height: 6, transforms: transforms)
          var grid = (0..<6).map { y in (0..<8).map { x in [x, y] } }
          for transform in transforms { grid = try apply(transform, to: grid) }
          #expect(geometry.outputHeight == grid.count && geometry.outputWidth == grid[0].count)
          let map = geometry.mapping
          for (y, row) in grid.enumerated() {
            for (x, stored) in row.enumerated() {
              let position = [
                map.x0 + x * map.columnX + y * map.rowX, map.y0 + x * map.columnY + y * map.rowY,
              ]
              #expect(position == stored, "\(transforms) at \(x),\(y)")
            }
          }
        }
      }
    }
  }

  private func apply(_ transform: ItemTransform, to grid: [[[Int]]]) throws -> [[[Int]]] {
    let height = grid.count, width = grid[0].count
    switch transform {
    case .rotation(let turns):
      var result = grid
      for _ in 0..<turns {
        let columns = result[0].count
        result = (0..<columns).map { row in result.map { $0[columns - 1 - row] } }
      }
      return result
    case .mirror(exchangesLeftAndRight: true): return grid.map { $0.reversed() }
    case .mirror: return grid.reversed()
    case .crop(let aperture):
      let kept = try aperture.rectangle(width: width, height: height)
      return grid[kept.y..<(kept.y + kept.height)].map { Array($0[kept.x..<(kept.x + kept.width)]) }
    }
  }

  @Test("a clean aperture crops whole pixels exactly")
  func cropsExactly() throws {
    func crop(_ w: Fraction, _ h: Fraction, _ x: Fraction, _ y: Fraction) throws(DecodeError) -> PixelRect {
      try CleanAperture(width: w, height: h, horizontalOffset: x, verticalOffset: y).rectangle(width: 100, height: 50)
    }
    #expect(
      try crop(Fraction(100), Fraction(50), Fraction(0), Fraction(0)) == PixelRect(x: 0, y: 0, width: 100, height: 50))
    // The usual form of a crop to the top-left corner: offset (16 - 100) / 2.
    #expect(
      try crop(Fraction(16), Fraction(17), Fraction(-84, 2), Fraction(-33, 2))
        == PixelRect(x: 0, y: 0, width: 16, height: 17))
    // Denominators near 2^32 meet in one product.
    let big = 4_294_967_295
    #expect(
      try crop(Fraction(2_147_483_647, big - 1), Fraction(50), Fraction(-1, big), Fraction(0, big))
        == PixelRect(x: 50, y: 0, width: 1, height: 50))
    for bad in [Fraction(101), Fraction(0), Fraction(-5)] {
      #expect(throws: DecodeError.self) { try crop(bad, Fraction(50), Fraction(0), Fraction(0)) }
    }
    #expect(throws: DecodeError.self) { try crop(Fraction(50), Fraction(50), Fraction(26), Fraction(0)) }
    #expect(throws: DecodeError.self) {
      try crop(Fraction(50), Fraction(50), Fraction(-2_147_483_648), Fraction(0))
    }
  }
}
