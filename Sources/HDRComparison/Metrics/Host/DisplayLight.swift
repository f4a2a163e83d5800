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

  /// Gives R, G and B of each pixel of a row.
  @inline(__always) func each(_ y: Int, _ take: (_ x: Int, _ r: Float, _ g: Float, _ b: Float) -> Void) {
    let red = light.channels[0].floats(row: y), green = light.channels[1].floats(row: y)
    let blue = light.channels[2].floats(row: y)
    let high = Float(10_000 / ReferenceWhite.nits)
    @inline(__always) func inside(_ x: Float) -> Float {
      let low: Float = x > 0 ? x : 0
      return low < high ? low : high
    }
    rows.withUnsafeBufferPointer { m in
      for x in 0..<light.width {
        let r = inside(red[x]), g = inside(green[x]), b = inside(blue[x])
        let s = m[0] * r + m[1] * g + m[2] * b, t = m[3] * r + m[4] * g + m[5] * b, u = m[6] * r + m[7] * g + m[8] * b
        take(x, s > 0 ? s : 0, t > 0 ? t : 0, u > 0 ? u : 0)
      }
    }
  }
}

/// Codes of 8-bit sRGB.
enum DisplayCodes {
  /// The linear light of each code.
  static let light: [Double] = (0...255).map { Transfer.sRGBDecode(Double($0) / 255) }

  /// The least light of each code from 1 on: that of the middle between two codes.
  private static let least: [Float] = (1...255).map { Float(Transfer.sRGBDecode((Double($0) - 0.5) / 255)) }

  /// Returns the nearest code of linear light, 0 to 255.
  @inline(__always) static func code(_ light: Float) -> Int {
    least.withUnsafeBufferPointer { least in
      var low = 0, high = 255
      while low < high {
        let middle = (low + high) / 2
        if least[middle] <= light { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }
}
