import HDRCore
import ImageFiles

/// A small part of two pictures where they differ most, enlarged: A, B and the heat map beside each other.
package struct WorstCrop: Sendable {
  /// The pixels along a side, how large each is drawn, and the pixels between two parts.
  package static let side = 64, zoom = 4, gap = 8

  /// The first pixel.
  package let x: Int
  package let y: Int
  package let width: Int
  package let height: Int
  /// The mean difference of the square of 16 x 16 pixels that it lies around.
  package let mean: Double
  /// The light is drawn darker by this factor of at most 1: its peak is white.
  package let exposure: Double
  private let parts: [Drawing]

  /// - Parameters:
  ///   - isFine: true for differences that are hardly ever larger than 1.
  ///   - a, b: light of the whole pictures: linear BT.2020, 1.0 = 203 cd/m².
  ///   - difference: returns the difference of a pixel.
  init(
    _ part: TileSums.Part, isFine: Bool, _ a: SampleImage, _ b: SampleImage,
    _ difference: (_ x: Int, _ y: Int) -> Float
  ) {
    (x, y, width, height, mean) = (part.x, part.y, part.width, part.height, part.mean)
    let peak =
      [a, b].flatMap { image in
        image.channels.flatMap { plane in
          (part.y..<part.y + part.height).flatMap { y in
            let row = plane.floats(row: y)
            return (part.x..<part.x + part.width).map { Double(row[$0]) }
          }
        }
      }.max() ?? 1
    exposure = 1 / max(1, peak)
    let heat = Drawing(width: part.width, height: part.height)
    for y in 0..<part.height {
      for x in 0..<part.width {
        let found = Double(difference(part.x + x, part.y + y))
        heat[x, y] = Drawing.word(HeatMap.color(found, isFine: isFine))
      }
    }
    parts = [Self.drawing(a, part, exposure), Self.drawing(b, part, exposure), heat]
  }

  /// Draws light as sRGB.
  private static func drawing(_ light: SampleImage, _ part: TileSums.Part, _ exposure: Double) -> Drawing {
    let matrix = Primaries.bt2020.matrix(to: .bt709) ?? .identity,
      result = Drawing(width: part.width, height: part.height)
    for y in 0..<part.height {
      let rows = light.channels.map { $0.floats(row: part.y + y) }
      for x in 0..<part.width {
        let color = matrix * rows.map { Double($0[part.x + x]) * exposure }
        result[x, y] = Drawing.word(color.map { UInt8((255 * Transfer.sRGBEncode(min(max($0, 0), 1))).rounded()) })
      }
    }
    return result
  }

  /// Returns the three parts as a PNG.
  package func png() throws(EncodeError) -> [UInt8] {
    let step = width * Self.zoom + Self.gap
    let result = Drawing(width: 3 * step - Self.gap, height: height * Self.zoom)
    for (index, part) in parts.enumerated() { result.draw(part, left: index * step, zoom: Self.zoom) }
    return try result.png()
  }
}
