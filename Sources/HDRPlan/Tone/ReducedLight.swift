import HDRCore

/// A rendition as linear light in BT.2020, 1.0 = reference white, made small by means of square blocks.
///
/// Sums of halves are exact in binary64, so that the numbers are the same on every machine.
package struct ReducedLight: Sendable {
  /// The longer side of what large pictures become.
  package static let longSide = 640

  package let width: Int
  package let height: Int
  /// R, G, B of each pixel, at least 0.
  package let rgb: [Double]

  package init(width: Int, height: Int, rgb: [Double]) {
    (self.width, self.height, self.rgb) = (width, height, rgb)
  }

  /// Reduces interleaved halves R G B A; `nil` for another layout. Blocks at the right and lower end may be smaller.
  package init?(_ image: SampleImage, longSide: Int = ReducedLight.longSide) {
    guard image.model == .rgb, image.format == .float16, image.channels.count == 3, image.width > 0, image.height > 0
    else { return nil }
    let step = max(1, (max(image.width, image.height) + longSide - 1) / longSide)
    width = (image.width + step - 1) / step
    height = (image.height + step - 1) / step
    var result: [Double] = []
    result.reserveCapacity(3 * width * height)
    for y in 0..<height {
      let rows = y * step..<min((y + 1) * step, image.height)
      for x in 0..<width {
        let columns = x * step..<min((x + 1) * step, image.width)
        for plane in image.channels {
          var sum = 0.0
          for row in rows {
            let line = plane.buffer.base + plane.offset + row * plane.rowBytes
            for column in columns { sum += Double((line + column * plane.stepBytes).load(as: Float16.self)) }
          }
          let mean = sum / Double(rows.count * columns.count)
          // NaN counts as 0.
          result.append(mean > 0 ? mean : 0)
        }
      }
    }
    rgb = result
  }

  package var count: Int { width * height }

  /// Returns the largest component of a pixel.
  package func largest(_ index: Int) -> Double { max(rgb[3 * index], rgb[3 * index + 1], rgb[3 * index + 2]) }
}
