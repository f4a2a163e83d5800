import HDRCore

/// The light of a rendition in the colours of a display of BT.709, 1.0 = 203 cd/m². Components are cut to 0...10 000
/// cd/m² in BT.2020 first, as for all perceptual metrics; those below 0 in BT.709 are 0.
struct DisplayLight: Sendable {
  private let light: SampleImage
  private let rows: [Float]

  var width: Int { light.width }
  var height: Int { light.height }

  /// - Parameter light: three planes of binary32, linear BT.2020.
  init(_ light: SampleImage) {
    self.light = light
    rows = (Primaries.bt2020.matrix(to: .bt709) ?? .identity).rows.map { Float($0) }
  }

  /// Writes R, G and B of a row.
  func fill(_ y: Int, _ row: inout ColorRow<Float>) {
    let high = Float(10_000 / ReferenceWhite.nits), width = width
    row.change { r, g, b in
      for (plane, samples) in zip([r, g, b], light.channels) {
        let from = samples.floats(row: y)
        for x in 0..<width {
          let low: Float = from[x] > 0 ? from[x] : 0
          plane[x] = low < high ? low : high
        }
      }
    }
    row.multiply(rows)
    row.change { r, g, b in
      for plane in [r, g, b] { for x in 0..<width { plane[x] = plane[x] > 0 ? plane[x] : 0 } }
    }
  }
}

/// Codes of 8-bit sRGB.
package enum DisplayCodes {
  /// The linear light of each code.
  static let light: [Double] = (0...255).map { Transfer.sRGBDecode(Double($0) / 255) }

  /// The least light of each code from 1 on: that of the middle between two codes; none is behind the last code.
  private static let least: [Float] =
    (1...255).map { Float(Transfer.sRGBDecode((Double($0) - 0.5) / 255)) } + [.infinity]

  /// The numbers of thresholds up to the beginning of each part of an octave from 2^-13 on; a part has one at most.
  private static let starts: [UInt8] = (0..<13 << 7).map { part in
    let light = Float(bitPattern: lowest + UInt32(part) << 16)
    return UInt8(least.count { $0 <= light })
  }
  private static let lowest = Float(0x1p-13).bitPattern

  /// Gives the nearest codes, 0 to 255, of linear light of at least 0.
  @inline(__always) static func each(
    _ light: UnsafePointer<Float>, count: Int, _ take: (_ x: Int, _ code: Int) -> Void
  ) {
    let lowest = lowest, below = Float(1).nextDown
    starts.withUnsafeBufferPointer { starts in
      least.withUnsafeBufferPointer { least in
        for x in 0..<count {
          // The ends of what the table has are of the first and last code.
          let low: Float = light[x] > 0x1p-13 ? light[x] : 0x1p-13, light = low < below ? low : below
          let start = Int(starts[Int((light.bitPattern &- lowest) &>> 16)])
          take(x, least[start] <= light ? start &+ 1 : start)
        }
      }
    }
  }

  /// Returns the nearest code of linear light of at least 0, 0 to 255.
  package static func code(_ light: Float) -> Int {
    var code = 0, light = light
    each(&light, count: 1) { code = $1 }
    return code
  }
}
